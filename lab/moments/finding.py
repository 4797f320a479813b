"""Lookup of moments: all that match in a run, the one with a given id, or the next one."""

import difflib
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import orjson

from smolville.agents.errors import RunError
from smolville.agents.times import moment as town_time
from smolville.history.folder import RunFolder, list_runs
from smolville.history.moments import sets_of
from smolville.history.reader import RunReader
from smolville.history.thoughts import StepView, UseKey
from smolville.lab.moments.filter import MomentFilter, done_until, filter_of
from smolville.lab.moments.moment import DIGITS, Moment, moment_digits
from smolville.prompts.folder import Texts

LEAST = 4
"""Minimum number of an id's digits that the user must give."""
NAMED = 3
"""Maximum number of similar ids listed in a message."""

_DIGITS = re.compile(rf"[0-9a-f]{{{LEAST},{DIGITS}}}")


@dataclass(frozen=True)
class LocatedStep:
    """The key of a recorded use of a step, and the digits of its moment's id."""

    digits: str
    key: UseKey


def moments_of(
    reader: RunReader,
    *,
    step: str | None = None,
    agent: str | None = None,
    outcome: str | None = None,
    odd: str | None = None,
    limit: int | None = None,
) -> Iterator[Moment]:
    """Return a run's matching moments, oldest first; each is read only when it is needed.

    With `limit`, only the last `limit` moments are returned. `odd` is a kind of oddity, or `any`.
    `agent` may be a first name. An unknown step, agent, outcome or kind raises SettingError or
    RunError, which names the closest match.
    """
    criteria = filter_of(reader, step=step, agent=agent, outcome=outcome, odd=odd, limit=limit)
    return moments_at(reader, [use.key for use in criteria.uses(reader)])


def moments_at(reader: RunReader, keys: Sequence[UseKey]) -> Iterator[Moment]:
    """Yield the moments with these keys; each is read only when it is needed."""
    sets = _Sets(reader) if keys else None
    for key in keys:
        view = reader.step(key)
        if sets is not None and view is not None and view.attempts:
            yield _moment(reader, view, sets.at(key.tick))


def find_moment(runs_dir: Path, text: str) -> Moment:
    """Return the moment with this id; RunError lists similar ones when there is none.

    The id is `clumsy/3f9a1c2e`, or the digits alone for the latest run that has them; the first
    digits are enough if they are unambiguous. `moments.jsonl#3f9a1c2e` is a moment in a file.
    """
    where, mark, digits = text.rpartition("#")
    if mark:
        return _of_file(Path(where), _check_digits(digits, text))
    run, _, digits = text.strip().rpartition("/")
    digits = _check_digits(digits, text)
    if run:
        return _of_runs(runs_dir, [run], digits, f"the run {run!r}")
    names = _list_readable_runs(runs_dir)
    if not names:
        raise RunError(f"There are no runs in {runs_dir}, so no moment {text!r}.")
    return _of_runs(runs_dir, names, digits, f"any run in {runs_dir}")


def found_in(reader: RunReader) -> list[LocatedStep]:
    """Return all recorded uses of steps in a run, with the digits of their moments' ids.

    Uses after the run's watermark are left out.
    """
    return [LocatedStep(moment_digits(*key), key) for key in reader.use_keys(done_until(reader))]


class _Sets:
    """A run's template sets, read once."""

    def __init__(self, reader: RunReader) -> None:
        with reader.snapshot():
            sets = sets_of(reader.connection, reader.spec)
        self._ticks = [tick for tick, _ in sets]
        self._texts = [texts for _, texts in sets]

    def at(self, tick: int) -> Texts:
        """Return the templates in effect at a tick."""
        return self._texts[max(0, bisect_right(self._ticks, tick) - 1)]


def _moment(reader: RunReader, view: StepView, templates: Texts) -> Moment:
    spec, record = reader.spec, view.record
    ids = [
        *(each["id"] for made in view.attempts for each in orjson.loads(made.call.recalled)),
        *(id_ for recall in record.recalls for id_ in recall.ids),
    ]
    return Moment(
        run=spec.name,
        seed=spec.seed,
        at=record.tick * spec.tick_seconds,
        record=record,
        attempts=view.attempts,
        memories=reader.memory_texts(ids),
        templates=templates,
    )


def _of_runs(runs_dir: Path, names: Sequence[str], digits: str, where: str) -> Moment:
    """Return the moment whose id begins with these digits, from the first run that has one."""
    near: list[str] = []
    for name in names:
        with RunReader(RunFolder.open(runs_dir, name)) as reader:
            known = found_in(reader)
            fitting = [each for each in known if each.digits.startswith(digits)]
            if fitting:
                return next(moments_at(reader, [_choose_only_match(fitting, digits, reader).key]))
            near += _near(digits, known, reader)[: NAMED - len(near)]
    raise RunError(f"There is no moment {digits!r} in {where}.{_did_you_mean(near)}")


def _list_readable_runs(runs_dir: Path) -> list[str]:
    """Return the readable runs, latest first; damaged ones are skipped."""
    found = []
    for name in list_runs(runs_dir):
        with suppress(RunError), RunReader(RunFolder.open(runs_dir, name)):
            found.append(name)
    return found


def _of_file(path: Path, digits: str) -> Moment:
    """Return the moment in a file whose id begins with these digits."""
    from smolville.lab.moments.files import read_moments

    known = {each.id: each for each in read_moments(path)}
    found = [id_ for id_ in known if id_.rpartition("/")[2].startswith(digits)]
    if len(found) > 1:
        raise RunError(f"The digits {digits!r} are {' and '.join(found[:NAMED])}; give more.")
    if not found:
        close = _closest(digits, [id_.rpartition("/")[2] for id_ in known])
        raise RunError(f"There is no moment {digits!r} in {str(path)!r}.{_did_you_mean(close)}")
    return known[found[0]]


def _check_digits(digits: str, text: str) -> str:
    """Return digits in lower case; raise RunError if they cannot belong to an id."""
    folded = digits.strip().lower()
    if not _DIGITS.fullmatch(folded):
        raise RunError(
            f"{text!r} names no moment: write RUN/3f9a1c2e, or {LEAST} to {DIGITS} hex digits with "
            "which it begins, as `smolville moments RUN` lists them."
        )
    return folded


def _choose_only_match(
    fitting: Sequence[LocatedStep], digits: str, reader: RunReader
) -> LocatedStep:
    """Return the only match; RunError lists the matches when there are several."""
    if len(fitting) > 1:
        choices = " or ".join(_describe_use(each, reader) for each in fitting[:NAMED])
        raise RunError(f"The digits {digits!r} could be {choices}; give more of them.")
    return fitting[0]


def _near(digits: str, known: Sequence[LocatedStep], reader: RunReader) -> list[str]:
    by_digits = {each.digits: each for each in known}
    return [_describe_use(by_digits[each], reader) for each in _closest(digits, list(by_digits))]


def _closest(digits: str, known: Sequence[str]) -> list[str]:
    """Return the known digits most similar to `digits`, closest first."""
    return difflib.get_close_matches(digits, known, n=NAMED, cutoff=0.6)


def _describe_use(found: LocatedStep, reader: RunReader) -> str:
    """Describe a use of a step: `clumsy/3f9a1c2e (1 07:40, Ada Brook, plan_day)`."""
    spec, key = reader.spec, found.key
    time = town_time(key.tick * spec.tick_seconds)
    view = reader.step(key)
    whose = key.owner if view is None else view.record.agent
    return f"{spec.name}/{found.digits} ({time}, {whose}, {key.step})"


def _did_you_mean(near: Sequence[str]) -> str:
    return f" Did you mean {' or '.join(near)}?" if near else " `smolville moments RUN` lists them."


def next_moment(runs_dir: Path, moment: Moment, named: str) -> Moment | None:
    """Return the next moment of the same step and agent, or None after the last one.

    `named` is the moment's id as the user typed it: for `moments.jsonl#3f9a1c2e` the search
    continues in that file. Raises RunError when the run or the file cannot be read.
    """
    where, mark, _ = named.rpartition("#")
    if mark:
        return _in_file(Path(where), moment)
    record = moment.record
    key = UseKey(record.owner, record.tick, record.step, record.ordinal)
    with RunReader(RunFolder.open(runs_dir, moment.run)) as reader:
        keys = [use.key for use in MomentFilter(step=moment.step, agent=moment.agent).uses(reader)]
        later = keys[keys.index(key) + 1 :] if key in keys else []
        return next(moments_at(reader, later[:1]), None)


def _in_file(path: Path, moment: Moment) -> Moment | None:
    """Return the next matching moment of the same run in a moments file."""
    from smolville.lab.moments.files import read_moments

    own = (moment.run, moment.step, moment.agent)
    those = [each for each in read_moments(path) if (each.run, each.step, each.agent) == own]
    after = (moment.at, moment.record.ordinal)
    later = [each for each in those if (each.at, each.record.ordinal) > after]
    return min(later, key=lambda each: (each.at, each.record.ordinal), default=None)
