"""`/compare?a=X&b=Y`: two runs side by side on one time line, and where they diverge."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from urllib.parse import quote

from nicegui import ui

from agents.action import Talk
from agents.errors import SmolvilleError
from history.reader import RunReader
from history.records import Deed
from reports.entries import join_words
from reports.runs import opened_run
from viewer.controls import TROUBLE, button, sentence
from viewer.frame import dress, frame
from viewer.house import AppRuns
from viewer.story.run_links import SECONDS
from viewer.styles import style
from viewer.town_page import head_html

NAMED = 3
"""Maximum number of people named in a sentence about many."""
FORK_IT = "open it and choose Fork here, or compare it with an unrelated run."


@dataclass(frozen=True, kw_only=True)
class SharedPast:
    """How far two runs have the same past."""

    at: int | None
    """Town second at which somebody first acts differently; None where nobody does."""
    until: int
    """Town second up to which both runs are complete; nothing is compared after it."""
    who: tuple[str, ...] = ()
    """The people who act differently at that time."""
    otherwise: int = 0
    """Number of actions that are in only one of the runs."""
    shared: int = 0
    """Number of actions that are in both."""
    only: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """People who are in only one of the runs, for each run."""


def add(house: AppRuns) -> None:
    """Add the page."""

    @ui.page("/compare", response_timeout=SECONDS)
    async def compare(a: str = "", b: str = "", at: str = "") -> None:
        names = house.names()
        if a not in names or b not in names or a == b:
            _ask(house, a if a in names else "", b if b in names else "", at)
            return
        try:
            parting, told = await asyncio.to_thread(_read, house, a, b)
        except TROUBLE as error:
            with frame("Compare", a, "Compare"):
                ui.label(sentence(error))
            return
        _show(a, b, parting, told)


def _ask(house: AppRuns, a: str, b: str, at: str) -> None:
    """Draw the form for choosing two runs; `at` is the moment at which to show them."""
    style("dialogs")
    parents = read_parents(house)
    names = list(parents)
    with frame("Compare two runs", a, "Compare" if a else ""):
        if len(names) < 2:
            ui.label("There must be two runs to compare: begin or fork another one.")
            return
        first = a or next((name for name in names if relatives(name, parents)), names[0])
        with ui.element("div").classes("form card"):
            one = ui.select(names, value=first, label="One run")
            other = ui.select([], label="The other one")
            said = ui.label("").props('role="status"')

            def offer_others() -> None:
                """Offer the chosen run's relatives first; nothing is chosen where it has none."""
                chosen = str(one.value)
                near = relatives(chosen, parents)
                rest = [name for name in names if name != chosen and name not in near]
                texts = {name: describe_relation(chosen, name, parents) for name in near}
                texts |= dict(zip(rest, rest, strict=True))
                wanted = b if b in texts else next(iter(near), None)
                other.set_options(texts, value=wanted)
                said.set_text("" if near else f"{chosen} has no fork yet: {FORK_IT}")

            def open_comparison() -> None:
                if not other.value or one.value == other.value:
                    said.set_text("Choose two different runs.")
                    return
                runs = f"a={quote(str(one.value))}&b={quote(str(other.value))}"
                ui.navigate.to(f"/compare?{runs}" + (f"&at={quote(at)}" if at else ""))

            one.on_value_change(offer_others)
            offer_others()
            button("Compare", open_comparison, is_main=True)


def read_parents(house: AppRuns) -> dict[str, str]:
    """Return every run's name, latest first, with the run that it was forked from or nothing."""
    found = {}
    for name in house.names():
        found[name] = ""
        with suppress(SmolvilleError):
            found[name] = house.folder(name).spec.forked_from
    return found


def relatives(name: str, parents: Mapping[str, str]) -> list[str]:
    """Return the runs that share a past with a run: its forks, its parent, then the others.

    The order within each is that of `parents`.
    """
    root = _oldest(name, parents)
    family = [each for each in parents if each != name and _oldest(each, parents) == root]
    ranks = {each: 0 for each in family if parents[each] == name}
    ranks |= {each: 1 for each in family if each == parents.get(name)}
    return sorted(family, key=lambda each: ranks.get(each, 2))


def _oldest(name: str, parents: Mapping[str, str]) -> str:
    """Return the run from which a run descends, however often it was forked."""
    passed = {name}
    while (parent := parents.get(name, "")) and parent not in passed:
        passed.add(parent)
        name = parent
    return name


def describe_relation(name: str, other: str, parents: Mapping[str, str]) -> str:
    """Return what a run is to another, after its name: `what-if (a fork of it)`."""
    if parents[other] == name:
        return f"{other} (a fork of it)"
    if parents[name] == other:
        return f"{other} (it is a fork of this one)"
    return f"{other} (they share a past)"


def _show(a: str, b: str, parting: SharedPast, told: str) -> None:
    """Draw both towns; the stage draws itself in the browser."""
    dress(f"{a} and {b}")
    ui.add_head_html(head_html(a, b, entry="compared.js"))
    said = {"runs": [a, b], "told": told, "parts": parting.at}
    # Quoted as an attribute, so that no text can break out of it.
    ui.add_body_html(
        f'<div id="stage" data-pair="{quote(json.dumps(said))}"></div>'
        '<script type="module" src="/stage/whole/compared.js"></script>'
    )


def _read(house: AppRuns, a: str, b: str) -> tuple[SharedPast, str]:
    """Return where two runs diverge, as data and as sentences."""
    with opened_run(house.runs, a) as one, opened_run(house.runs, b) as other:
        parting = part(one.reader, other.reader)
        when = one.format_time(parting.until if parting.at is None else parting.at)
        return parting, describe_divergence(parting, when, (a, b))


def describe_divergence(parting: SharedPast, when: str, runs: tuple[str, str]) -> str:
    """Return where two runs diverge, as sentences.

    `when` is that moment in words; where they do not diverge, the one up to which both have lived.
    """
    alone = [
        f"Only {run} has {_list_some(names)}."
        for run, names in zip(runs, parting.only, strict=True)
        if names
    ]
    if not parting.until:
        said = "One of them has not lived yet."
    elif parting.at is None:
        said = f"They are the same up to {when}, as far as both have lived."
    else:
        do = "do" if len(parting.who) > 1 else "does"
        said = (
            f"They part on {when}, when {_list_some(parting.who)} {do} "
            f"otherwise; {parting.shared} doings are shared, {parting.otherwise} are not."
        )
    return " ".join([said, *alone])


def _list_some(names: tuple[str, ...]) -> str:
    """Return up to three names in words, and how many more there are."""
    if len(names) <= NAMED + 1:
        return join_words(names)
    return join_words([*names[:NAMED], f"{len(names) - NAMED} others"])


def part(one: RunReader, other: RunReader) -> SharedPast:
    """Return where two runs diverge in what people did and said, as far as both are complete.

    Runs with different tick lengths are compared by town seconds.
    """
    until = min(_find_complete_until(one), _find_complete_until(other))
    theirs = [_doings(reader, until) for reader in (one, other)]
    both = theirs[0].keys() & theirs[1].keys()
    alone = theirs[0].keys() ^ theirs[1].keys()
    first = min((at for at, _, _ in alone), default=None)
    casts = [set(reader.agents()) for reader in (one, other)]
    return SharedPast(
        at=first,
        until=until,
        who=tuple(sorted({name for at, name, _ in alone if at == first})),
        otherwise=len(alone),
        shared=len(both),
        only=(tuple(sorted(casts[0] - casts[1])), tuple(sorted(casts[1] - casts[0]))),
    )


def _find_complete_until(reader: RunReader) -> int:
    """Return the town second up to which a run is complete."""
    done = reader.watermark()
    return 0 if done is None else (done + 1) * reader.spec.tick_seconds


def _doings(reader: RunReader, until: int) -> dict[tuple[int, str, object], int]:
    """Return the actions and talks before `until` with their counts, keyed by time and person."""
    seconds = reader.spec.tick_seconds
    found: defaultdict[tuple[int, str, object], int] = defaultdict(int)
    for deed in reader.deeds():
        if deed.tick * seconds < until:
            found[deed.tick * seconds, deed.agent, _plain(deed)] += 1
    for talk in reader.talks():
        if talk.start < until:
            found[talk.start, talk.participants[0], _select_spoken_parts(talk)] += 1
    return found


def _plain(deed: Deed) -> object:
    """Return a deed without its tick, which depends on the tick length."""
    return replace(deed, tick=0)


def _select_spoken_parts(talk: Talk) -> object:
    """Return the speakers and lines of a talk."""
    return tuple((line.speaker, line.text) for line in talk.lines)
