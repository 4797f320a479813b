"""The routes of the why pages and of the lab, and the message for a page that cannot be shown."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from nicegui import ui

from smolville.viewer.config import AppConfig
from smolville.viewer.controls import TROUBLE, sentence
from smolville.viewer.elements import box, link, say_trouble, short
from smolville.viewer.frame import frame, run_address
from smolville.viewer.styles import style
from smolville.viewer.why.bench import Drafts
from smolville.viewer.why.lab_page import draw_lab
from smolville.viewer.why.thought_page import draw_seen
from smolville.viewer.why.thought_view import NoThought, see_talk, see_thought

T = TypeVar("T")
SLOWEST = 30.0
"""Seconds allowed for reading a page's data, for instance from a slow disk."""


def add(config: AppConfig) -> None:
    """Add `/run/NAME/why/AGENT/TICK`, `/run/NAME/talk/ID` and `/run/NAME/lab/MOMENT`."""
    drafts = Drafts()

    @ui.page("/run/{run}/why/{agent}/{tick}", response_timeout=SLOWEST)
    async def thought(run: str, agent: str, tick: str) -> None:
        seen = await _or_say(run, "Why", lambda: see_thought(config.runs, run, agent, tick))
        if seen is not None:
            draw_seen(config, seen)

    @ui.page("/run/{run}/talk/{talk:path}", response_timeout=SLOWEST)
    async def talk(run: str, talk: str) -> None:
        seen = await _or_say(run, "Talk", lambda: see_talk(config.runs, run, talk))
        if seen is not None:
            draw_seen(config, seen)

    @ui.page("/run/{run}/lab/{moment}", response_timeout=SLOWEST)
    async def lab(run: str, moment: str) -> None:
        bench = await _or_say(run, "Lab", lambda: drafts.bench(config.runs, run, moment))
        if bench is not None:
            draw_lab(config, bench)


async def _or_say(run: str, title: str, read: Callable[[], T]) -> T | None:
    """Return the result of `read`, run in a thread; on an error, show a sentence and return None.

    If there was no thought at a tick, the page links to those before and after it.
    """
    try:
        return await asyncio.to_thread(read)
    except TROUBLE as error:
        ui.context.client.status_code = 404
        style("why")
        with frame(title, run), box("section", "card"):
            near = (error.before, error.after) if isinstance(error, NoThought) else ()
            if near:
                short("p", sentence(error), longest=2_000)
            else:
                say_trouble(sentence(error))
            with box("nav", "ways", aria_label="The nearest thoughts" if near else "From here"):
                for name, each in zip(("← before", "next →"), near, strict=False):
                    if each is not None:
                        address = run_address(run, f"why/{each.agent}/{each.tick}")
                        link(f"{name}: {each.time}", address, "button")
                link("Back to the town", run_address(run), "button")
    return None
