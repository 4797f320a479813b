"""Finds the thought or talk that somebody means: by an id, or by who and when."""

import difflib
import re
from collections.abc import Sequence

from agents.errors import RunError
from agents.times import DAY_SECONDS, day_of, moment, read_moment
from lab.moments.finding import found_in
from lab.tracing.listing import Listed, listed
from lab.tracing.naming import DIGITS
from world.finding import find_person
from world.runs.reader import RunReader

LEAST = 4
"""Digits of an id that have to be given."""
LATEST = "latest"
WAYS = '`latest`, its id, the id of a moment in it, or who and when: "Nadia 07:40"'

_ID = re.compile(rf"(?:(?P<run>\S+)/)?(?P<digits>[0-9a-f]{{{LEAST},{DIGITS}}})")
_WHO_AND_WHEN = re.compile(
    r"(?P<who>\D.*?)\s+(?:(?:day\s+)?(?P<day>\d{1,4})\s+)?(?P<clock>\d{1,2}:\d{2}(?::\d{2})?)"
)


def find_thought(reader: RunReader, text: str, until: int) -> Listed:
    """Return the thought or talk that a text means, up to a tick; RunError with the nearest."""
    known = listed(reader, until=until)
    said = " ".join(text.split())
    run = reader.spec.name
    if not known:
        raise RunError(f"Nobody in the run {run!r} has thought yet.")
    if said == LATEST:
        return _telling(known)
    talk = next((each for each in known if said == each.owner and each.kind == "talk"), None)
    if talk is not None:
        return talk
    found = _ID.fullmatch(said)
    if found:
        if found["run"] not in (None, run):
            raise RunError(f"{said!r} is of another run: smolville trace {found['run']} {said}")
        return _by_digits(reader, known, found["digits"])
    asked = _WHO_AND_WHEN.fullmatch(said)
    if asked is None:
        raise RunError(f"There is no thought {said!r} in the run {run!r}; write {WAYS}.")
    who = find_person(asked["who"], reader.agents(), f"the run {run!r}")
    own = [each for each in known if who in each.people]
    at = _second(reader, asked["day"], asked["clock"], until)
    return _at_or_before(own, at, who)


def _telling(known: Sequence[Listed]) -> Listed:
    """Return the last one that asked a model or failed, else the last."""
    return next((each for each in reversed(known) if not each.is_silent), known[-1])


def _by_digits(reader: RunReader, known: Sequence[Listed], digits: str) -> Listed:
    """Return the thought whose digits, or one of whose moments' digits, begin so."""
    places = {(each.owner, each.tick): each for each in known}
    ids = {each.digits: each for each in known}
    for use in found_in(reader):
        owner, tick, *_ = use.key
        if (owner, tick) in places:
            ids.setdefault(use.digits, places[owner, tick])
    fitting = {ids[each].digits: ids[each] for each in ids if each.startswith(digits)}
    if len(fitting) == 1:
        return next(iter(fitting.values()))
    run = reader.spec.name
    if fitting:
        raise RunError(f"{digits!r} begins the ids of {_told(list(fitting.values()))}; write more.")
    near = difflib.get_close_matches(digits, ids, n=3, cutoff=0.7)
    hint = f"The nearest: {_told([ids[each] for each in near])}." if near else ""
    hint = hint or f"`smolville trace {run}` lists them."
    raise RunError(f"There is no thought or moment {digits!r} in the run {run!r}. {hint}")


def _second(reader: RunReader, day: str | None, clock: str, until: int) -> int:
    """Return the last second of the minute that is meant; without a day, on the run's last one."""
    end = (until + 1) * reader.spec.tick_seconds
    try:
        at = read_moment(f"{day or day_of(end - 1)} {clock}")
    except ValueError as error:
        raise RunError(f"{error}.") from error
    if day is None and at >= end and at >= DAY_SECONDS:
        at -= DAY_SECONDS
    return at if clock.count(":") > 1 else at + 59


def _at_or_before(own: Sequence[Listed], at: int, who: str) -> Listed:
    """Return somebody's last thought by then; of one minute's thoughts, one that asked a model."""
    past = [each for each in own if each.at <= at]
    if not past:
        first = f"the first is at {own[0].time}" if own else "nor later"
        raise RunError(f"{who} had no thought before {moment(at - at % 60 + 60)}; {first}.")
    minute = past[-1].at // 60
    return _telling([each for each in past if each.at // 60 == minute])


def _told(some: Sequence[Listed]) -> str:
    """Return at most three thoughts by id and name."""
    more = f" and {len(some) - 3} more" if len(some) > 3 else ""
    return ", ".join(f"{each.digits} ({each.name})" for each in some[:3]) + more
