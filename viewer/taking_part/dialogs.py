"""What the town page can ask for beyond itself: dialogs over it, and runs that pause or go on."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

from nicegui import ui

from viewer.controls import TROUBLE, outline_fields, sentence
from viewer.house import House
from viewer.serving.children import children_of
from viewer.starting.going_on import let_go_on
from viewer.starting.wanted import ANOTHER_DAY, TO_ITS_GOAL
from viewer.taking_part.acts import Acts
from viewer.taking_part.asking import draw_interview
from viewer.taking_part.forking import ask_fork
from viewer.taking_part.panel import SidePanel, Way
from viewer.taking_part.scene import Scene
from viewer.taking_part.telling import draw_announcement, draw_change, draw_whisper
from viewer.taking_part.turns import TurnCard
from viewer.taking_part.visiting import draw_call, draw_visit
from world.runs.inbox import pause, resume
from world.telling.present import presences

WAYS = (
    Way("interview", "Ask", draw_interview),
    Way("call", "Talk", draw_call),
    Way("visit", "Walk in", draw_visit),
    Way("whisper", "Whisper", draw_whisper),
    Way("change", "Change", draw_change),
    Way("announce", "Announce", draw_announcement),
)

Detail = dict[str, Any]
"""What the page knew when it asked, as it came over the wire: nothing of it is trusted."""


class Dialogs:
    """Answers what the page of one run asks for."""

    def __init__(self, house: House, run: str) -> None:
        self._house = house
        self._run = run
        self._acts = Acts(house, run)
        self._panel = SidePanel(WAYS)
        self._turns = TurnCard(self._acts)
        ui.context.client.on_delete(self._panel.leave)

    async def __call__(self, name: str, detail: Detail) -> None:
        """Do what is asked; what is wrong is said in a note over the page."""
        known: dict[str, Callable[[Detail], Awaitable[None]]] = {
            "take-part": self._take_part,
            "fork": self._fork,
            "pause": self._pause,
            "resume": self._resume,
            "compare": self._compare,
            "turns": self._look_for_turns,
        }
        asked = known.get(name)
        if asked is None:
            return
        try:
            await asked(detail)
        except TROUBLE as error:
            ui.notify(sentence(error), type="negative", position="top")

    async def _take_part(self, detail: Detail) -> None:
        scene = await asyncio.to_thread(self._scene, detail)
        way = str(detail.get("way") or ("change" if scene.thing else "interview"))
        self._panel.open(scene, way)

    async def _fork(self, detail: Detail) -> None:
        at = _second(detail.get("at"))
        if at is not None:
            ask_fork(self._acts, at, str(detail.get("who", "")))

    async def _pause(self, detail: Detail) -> None:
        await asyncio.to_thread(pause, self._house.folder(self._run))
        ui.notify(f"{self._run} pauses at its next tick.", position="top")

    async def _resume(self, detail: Detail) -> None:
        state = await asyncio.to_thread(self._state)
        if state == "running":
            await asyncio.to_thread(resume, self._house.folder(self._run))
            ui.notify(f"{self._run} goes on.", position="top")
            return
        options = ANOTHER_DAY if state == "finished" else TO_ITS_GOAL
        said = await let_go_on(children_of(self._house), self._run, options)
        ui.notify(said, position="top")

    async def _look_for_turns(self, detail: Detail) -> None:
        self._turns.wake()

    async def _compare(self, detail: Detail) -> None:
        ui.navigate.to(f"/compare?a={quote(self._run)}")

    def _scene(self, detail: Detail) -> Scene:
        """Return what the page knew, as far as the run knows of it."""
        who = str(detail.get("who", ""))
        with self._acts.opened() as run:
            people = {each.name: each for each in presences(run.reader, run.town.map, run.tick)}
        return Scene(
            acts=self._acts,
            go_on=self._resume,
            names=tuple(people),
            who=who if who in people else "",
            thing=str(detail.get("object", "")),
            place=str(detail.get("place", "")) or (people[who].place if who in people else ""),
            at=_second(detail.get("at")),
        )

    def _state(self) -> str:
        with self._acts.opened() as run:
            return run.state()


def _second(value: object) -> int | None:
    """Return a town second as the page sent it; None for anything else."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return max(0, int(value)) if is_number else None  # type: ignore[call-overload]


def add_dialogs(house: House, run: str) -> Dialogs:
    """Draw what lies over the page of a run, and return what answers it."""
    outline_fields()
    return Dialogs(house, run)
