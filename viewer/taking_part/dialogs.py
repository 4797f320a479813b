"""Dialogs over the town page, and its buttons that fork, pause or resume the run."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from nicegui import ui

from smolville.agents.places import arena_of, sector_of
from smolville.history.inbox import pause, resume
from smolville.reports.present import Presence, presence, presences
from smolville.reports.runs import OpenRun, visitors_in_town
from smolville.viewer.config import AppConfig
from smolville.viewer.controls import TROUBLE, outline_fields, sentence
from smolville.viewer.serving.children import ANOTHER_DAY, TO_ITS_GOAL, children_of, let_go_on
from smolville.viewer.taking_part.acts import RunActions, tile_of
from smolville.viewer.taking_part.forking import ForkDialog, ForkedMoment, propose_change
from smolville.viewer.taking_part.interview import InterviewChat
from smolville.viewer.taking_part.map_visits import MapVisits
from smolville.viewer.taking_part.panel import CardContext, SidePanel
from smolville.viewer.taking_part.request_forms import (
    draw_announcement,
    draw_call,
    draw_change,
    draw_visit,
    draw_whisper,
)
from smolville.viewer.taking_part.turns import TurnCard
from smolville.viewer.taking_part.visitor_pace import VisitorPace

WAYS = {
    "interview": ("Ask", InterviewChat),
    "call": ("Talk", draw_call),
    "visit": ("Walk in", draw_visit),
    "whisper": ("Whisper", draw_whisper),
    "change": ("Change", draw_change),
    "announce": ("Announce", draw_announcement),
}
"""The ways to take part: the title of each, and what draws it."""
Detail = dict[str, Any]
"""Untrusted data that the page sends with a request."""


class Dialogs:
    """Handles the requests of one run's page."""

    def __init__(self, config: AppConfig, run: str) -> None:
        self._config = config
        self._run = run
        self._acts = RunActions(config, run)
        self._panel = SidePanel(WAYS)
        turns = TurnCard(self._acts)
        visits = MapVisits(self._acts, self._resume)
        pace = VisitorPace(self._acts)
        ui.context.client.on_delete(self._panel.leave)
        ui.context.client.on_delete(pace.close)
        self._known: dict[str, Callable[[Detail], Awaitable[None]]] = {
            "take-part": self._take_part,
            "fork": self._fork,
            "pause": self._pause,
            "resume": self._resume,
            "compare": self._compare,
            "turns": turns.wake,
            "visitor": visits.ask,
            "pace": pace.keep,
            "asked": visits.follow,
            "export": self._say_exported,
        }

    async def __call__(self, name: str, detail: Detail) -> None:
        """Handle a request; errors are shown as a notification over the page."""
        try:
            if name in self._known:
                await self._known[name](detail)
        except TROUBLE as error:
            ui.notify(sentence(error), type="negative", position="top")

    async def _take_part(self, detail: Detail) -> None:
        scene = await asyncio.to_thread(self._scene, detail)
        way = str(detail.get("way") or ("change" if scene.thing else "interview"))
        self._panel.open(scene, way)

    async def _fork(self, detail: Detail) -> None:
        at = _second(detail.get("at"))
        if at is not None:
            who = str(detail.get("who", ""))
            ForkDialog(self._acts, await asyncio.to_thread(self._describe_moment, at, who))

    async def _pause(self, detail: Detail) -> None:
        await asyncio.to_thread(pause, self._config.folder(self._run))
        ui.notify(f"{self._run} pauses at its next tick.", position="top")

    async def _resume(self, detail: Detail) -> None:
        state = (await asyncio.to_thread(self._acts.lived)).state
        ui.run_javascript("window.stage?.goOn()")
        if state == "running":
            await asyncio.to_thread(resume, self._config.folder(self._run))
            ui.notify(f"{self._run} goes on.", position="top")
            return
        options = ANOTHER_DAY if state == "finished" else TO_ITS_GOAL
        try:
            said = await let_go_on(children_of(self._config), self._run, options)
        except TROUBLE:
            ui.run_javascript("window.stage?.starting.end()")
            raise
        ui.notify(said, position="top")

    async def _compare(self, detail: Detail) -> None:
        ui.navigate.to(f"/compare?a={quote(self._run)}")

    async def _say_exported(self, detail: Detail) -> None:
        ui.notify(f"Saved as {self._run}.html, where the browser keeps downloads.", position="top")

    def _scene(self, detail: Detail) -> CardContext:
        """Return what the page sent as the context of a card, after checking it against the run."""
        who, at = str(detail.get("who", "")), _second(detail.get("at"))
        with self._acts.open_run() as run:
            then = run if at is None else replace(run, done=_tick_at(run, at))
            people = {each.name: each for each in presences(run.reader, run.town.map, then.tick)}
            visitor = next(iter(visitors_in_town(run)), "")
            near = find_company(run, visitor) if visitor else ""
            place = str(detail.get("place", "")) or propose_entrance(then, people, who)
            tile = people[who].tile if who in people else None
            return CardContext(
                acts=self._acts,
                go_on=self._resume,
                names=tuple(people),
                who=who if who in people else near,
                thing=str(detail.get("object", "")),
                place=place,
                visitor=visitor,
                came=visitor_came(run),
                example=propose_change(run.town.map, tile),
                at=at,
                lived=self._acts.lived(),
            )

    def _describe_moment(self, at: int, who: str) -> ForkedMoment:
        with self._acts.open_run() as run:
            tile = tile_of(replace(run, done=_tick_at(run, at)), who)
            return ForkedMoment(
                at=at,
                when=run.format_time(at),
                names=tuple(run.reader.agents()),
                who=who,
                change=propose_change(run.town.map, tile),
            )


def _tick_at(run: OpenRun, at: int) -> int | None:
    """Return the last finished tick of a run as of town second `at`; None if there is none."""
    if run.done is None:
        return None
    return max(0, min(run.done, at // run.folder.spec.tick_seconds - 1))


def visitor_came(run: OpenRun) -> int:
    """Return the town second at which the latest visitor in town came; 0 if there is none."""
    there = [each.came for each in run.reader.visits(run.tick) if each.left is None]
    return max(there, default=0) * run.folder.spec.tick_seconds


def find_company(run: OpenRun, visitor: str) -> str:
    """Return whom a visitor would speak to, or "" if there is nobody.

    Somebody awake comes before a sleeper, then somebody in the same place, then the nearest.
    """
    me = presence(run.reader, run.town.map, run.tick, visitor)
    people = presences(run.reader, run.town.map, run.tick)

    def far(other: Presence) -> tuple[bool, bool, int]:
        is_asleep = other.action is not None and other.action.kind == "sleep"
        (x, y), (here, there) = other.tile or (0, 0), me.tile or (0, 0)
        return is_asleep, other.place != me.place, max(abs(x - here), abs(y - there))

    others = [each for each in people if each.tile and each.name != visitor]
    return min(others, key=far).name if me.tile and others else ""


def propose_entrance(run: OpenRun, people: Mapping[str, Presence], who: str = "") -> str:
    """Return a public place (no home, no bedroom) for a visitor to enter; "" if there is none.

    It is the place where `who` is now. If that is not public, it is the public place with most
    people. If nobody is in a public place, as at night, it is the public place where `who` last did
    something, or else where anybody last did.
    """

    def is_public(place: str) -> bool:
        sector = run.town.map.sectors.get(sector_of(place))
        has_bed = bool(run.town.map.beds_in(arena_of(place)))
        return sector is not None and not sector.is_private and not has_bed

    now = [each.place for each in people.values() if is_public(each.place)]
    if who in people and is_public(people[who].place):
        return people[who].place
    if now:
        return max(now, key=now.count)
    before = [each for each in run.reader.deeds(until=run.tick) if is_public(each.action.place)]
    own = [each for each in before if each.agent == who]
    return arena_of((own or before)[-1].action.place) if before else ""


def _second(value: object) -> int | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return max(0, int(value)) if is_number else None  # type: ignore[call-overload]


def add_dialogs(config: AppConfig, run: str) -> Dialogs:
    """Draw the dialogs over a run's page, and return their handler."""
    outline_fields()
    return Dialogs(config, run)
