"""`/compare?a=X&b=Y`: two runs side by side on one time line, and where they diverge."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote, urlencode

from nicegui import ui

from smolville.agents.errors import SmolvilleError
from smolville.agents.times import moment
from smolville.agents.wording import as_sentence, join_words
from smolville.reports.diff import DeedDifference, compare_runs, describe_difference
from smolville.reports.runs import opened_run
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import TROUBLE, button, sentence
from smolville.viewer.frame import dress, frame, run_address, style
from smolville.viewer.story.run_links import SECONDS
from smolville.viewer.town_page import head_html

Pair = tuple[str, str]
"""The names of the two runs."""


def add(config: AppConfig) -> None:
    """Add the page."""

    @ui.page("/compare", response_timeout=SECONDS)
    async def compare(a: str = "", b: str = "", at: str = "") -> None:
        names = config.names()
        if a not in names or b not in names or a == b:
            _ask(config, a if a in names else "", b if b in names else "", at)
            return
        try:
            told = await asyncio.to_thread(read_comparison, config.runs, a, b)
        except TROUBLE as error:
            with frame("Compare", a, "Compare"):
                ui.label(sentence(error))
            return
        _show(config, a, b, told)


def _ask(config: AppConfig, a: str, b: str, at: str) -> None:
    style("forms")
    names = config.names()
    with frame("Compare two runs", a, "Compare" if a else ""):
        if len(names) < 2:
            ui.label("There must be two runs to compare: begin or fork another one.")
            return
        one_run = a or names[0]
        with ui.element("div").classes("form card"):
            one = ui.select(names, value=one_run, label="One run")
            proposed = b or find_relative(config, one_run)
            other = ui.select(names, value=proposed, label="The other one")
            said = ui.label("").props('role="status"')

            def open_comparison() -> None:
                if not other.value or one.value == other.value:
                    said.set_text("Choose two different runs.")
                    return
                runs = {"a": one.value, "b": other.value} | ({"at": at} if at else {})
                ui.navigate.to(f"/compare?{urlencode(runs, safe=':')}")

            button("Compare", open_comparison, is_main=True)


def find_relative(config: AppConfig, name: str) -> str | None:
    """Return the latest fork of a run, else the run that it was forked from; None without both."""
    parents = {}
    for each in config.names():
        with suppress(SmolvilleError):
            parents[each] = config.folder(each).spec.forked_from
    forks = [each for each, parent in parents.items() if parent == name]
    parent = parents.get(name)
    return next(iter(forks), parent if parent in parents else None)


def _show(config: AppConfig, a: str, b: str, told: Mapping[str, object]) -> None:
    """Draw both towns and their differences; the stage in the browser draws the maps."""
    dress(f"{a} and {b}")
    ui.add_head_html(head_html(a, b, entry="compared.js"))
    # Quoted as an attribute, so that no text can break out of it.
    ui.add_body_html(
        f'<div id="stage" data-pair="{quote(json.dumps(told))}"></div>'
        '<script type="module" src="/stage/whole/compared.js"></script>'
    )


def read_comparison(runs: Path, a: str, b: str) -> dict[str, object]:
    """Return how two runs differ, as data for the page.

    `parts` is the town second from which the runs differ. It is None if they are equal up to the
    time that both have reached. `people` are the persons who differ, each with the first moment at
    which they do different things.
    """
    with opened_run(runs, a) as one, opened_run(runs, b) as other:
        found = compare_runs(one, other)
        told = describe_difference(found, one.format_time)
    first = found.first
    own = zip((a, b), found.only, strict=True)
    only = [f"Only {run} has {join_words(names)}." for run, names in own if names]
    return {
        "runs": [a, b],
        "lived": list(found.lived),
        "told": " ".join([told, *only]),
        "parts": None if first is None else first.at,
        "first": None
        if first is None
        else {
            "who": first.agent or "the town",
            "others": len(first.also),
            "cause": as_sentence(first.cause),
        },
        "people": [_plain_person((a, b), each) for each in found.people.values() if each],
        "same": [name for name, parts in found.people.items() if parts is None],
    }


def _plain_person(runs: Pair, parts: DeedDifference) -> dict[str, object]:
    """Return how one person first parts, with the addresses of that moment."""
    asked = urlencode({"at": moment(parts.at).replace(" ", "-"), "who": parts.name}, safe=":")
    acts = [
        {
            "at": parts.at,
            "words": side.words or "nothing yet",
            "page": f"{run_address(run)}?{asked}",
        }
        for run, side in zip(runs, parts.sides, strict=True)
    ]
    return {"name": parts.name, "acts": acts}
