"""The routes of why pages and of the lab."""

from nicegui import ui

from viewer.house import AppRuns
from viewer.why.calm import or_say
from viewer.why.drafts import Drafts
from viewer.why.lab_page import draw_lab
from viewer.why.thought_page import draw_seen
from viewer.why.thought_view import see_talk, see_thought

SLOWEST = 30.0
"""Seconds allowed for reading a page's data, for instance from a slow disk."""


def add(house: AppRuns) -> None:
    """Add `/run/NAME/why/AGENT/TICK`, `/run/NAME/talk/ID` and `/run/NAME/lab/MOMENT`."""
    drafts = Drafts()

    @ui.page("/run/{run}/why/{agent}/{tick}", response_timeout=SLOWEST)
    async def thought(run: str, agent: str, tick: str) -> None:
        seen = await or_say(run, "Why", lambda: see_thought(house.runs, run, agent, tick))
        if seen is not None:
            draw_seen(house, seen)

    @ui.page("/run/{run}/talk/{talk:path}", response_timeout=SLOWEST)
    async def talk(run: str, talk: str) -> None:
        seen = await or_say(run, "Talk", lambda: see_talk(house.runs, run, talk))
        if seen is not None:
            draw_seen(house, seen)

    @ui.page("/run/{run}/lab/{moment}", response_timeout=SLOWEST)
    async def lab(run: str, moment: str) -> None:
        bench = await or_say(run, "Lab", lambda: drafts.bench(house.runs, run, moment))
        if bench is not None:
            draw_lab(house, bench)
