"""What the town page asks of the server: cards over it, visitors' clicks and pace, and the run."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from nicegui import ui

from smolville.agents.errors import RunError
from smolville.agents.places import arena_of, sector_of
from smolville.history.inbox import pause, resume
from smolville.reports.present import Presence, presences
from smolville.reports.runs import OpenRun, visitors_in_town
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import TROUBLE, outline_fields, sentence
from smolville.viewer.serving.children import ANOTHER_DAY, TO_ITS_GOAL, children_of, let_go_on
from smolville.viewer.taking_part.acts import RunActions, SentRequest
from smolville.viewer.taking_part.card import CardContext, SideCard
from smolville.viewer.taking_part.forking import ForkDialog
from smolville.viewer.taking_part.interview import InterviewChat
from smolville.viewer.taking_part.requests import (
    draw_announcement,
    draw_call,
    draw_change,
    draw_visit,
    draw_whisper,
)
from smolville.viewer.taking_part.turns import TurnCard
from smolville.world.town.townmap import TownMap

WAYS = {
    "interview": ("Ask", InterviewChat),
    "call": ("Talk", draw_call),
    "visit": ("Walk in", draw_visit),
    "whisper": ("Whisper", draw_whisper),
    "change": ("Change", draw_change),
    "announce": ("Announce", draw_announcement),
}
"""The ways to take part: the title of each, and what draws it."""
EVERY = 0.5
"""Seconds between two checks of what became of a visitor's request."""
KEPT = 90.0
"""Seconds for which a pace is kept. The page renews it every two, or once a minute while hidden."""
FASTEST = 640.0
"""Town seconds per real second at the page's highest speed."""
Detail = dict[str, Any]
"""Untrusted data that the page sends with a request."""


class Dialogs:
    """Handles the requests of one run's page."""

    def __init__(self, config: AppConfig, run: str) -> None:
        outline_fields()
        self._config = config
        self._run = run
        self._acts = RunActions(config, run)
        self._card = SideCard(WAYS)
        self._left = ""
        """Id of the last request from the map, or of the one that this fork was made for."""
        self._notice: ui.notification | None = None
        """Its announcement; None if another page sent it, which cannot report its outcome."""
        self._timer = ui.timer(EVERY, self._look, active=False)
        self._root = ui.element("div")
        turns = TurnCard(self._acts)
        ui.context.client.on_delete(self._card.leave)
        self._known: dict[str, Callable[[Detail], Awaitable[None]]] = {
            "take-part": self._take_part,
            "fork": self._fork,
            "pause": self._pause,
            "resume": self._resume,
            "turns": turns.wake,
            "visitor": self._send_visitor,
            "pace": self._keep_pace,
            "asked": self._follow,
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
        self._card.open(scene, way)

    async def _fork(self, detail: Detail) -> None:
        at = _second(detail.get("at"))
        if at is not None:
            with self._acts.open_run() as run:
                when = run.format_time(at)
            ForkDialog(self._acts, at, when, str(detail.get("who", "")))

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

    async def _send_visitor(self, detail: Detail) -> None:
        """Send a visitor's request, made by a click on the map; errors in it are raised."""
        sent = await asyncio.to_thread(send, self._acts, detail)
        with self._root:
            self._notice = ui.notification(sent.told, position="top")
        self._left = sent.id
        self._timer.activate()
        if sent.waits:
            await self._resume({})

    async def _keep_pace(self, detail: Detail) -> None:
        """Keep the run at the pace of its visitor's page; without one, it is slowed down no more.

        When the page closes, this pace expires: the town lives on, and the visitor stays there.
        """
        rate = detail.get("rate")
        if isinstance(rate, int | float) and not isinstance(rate, bool):
            await asyncio.to_thread(self._acts.keep_pace, min(max(0.0, rate), FASTEST), KEPT)
        elif rate is None:
            await asyncio.to_thread(self._acts.keep_pace, 0, 0)

    async def _follow(self, detail: Detail) -> None:
        self._left, self._notice = str(detail.get("id", "")), None
        self._timer.activate()

    async def _look(self) -> None:
        fate = await asyncio.to_thread(self._acts.settled, self._left)
        if fate is None:
            return
        self._timer.deactivate()
        if self._notice is not None:
            # What was announced for "in a moment" has happened, or will not.
            self._notice.dismiss()
        refused, landed = fate
        if refused:
            ui.run_javascript("window.stage?.company.giveUp()")
            ui.notify(refused, type="negative", position="top")
        elif self._notice is None:
            when = f", {landed.when}" if landed is not None else ""
            ui.notify(f"Your request has reached the town{when}.", position="top")

    def _scene(self, detail: Detail) -> CardContext:
        """Return what the page sent as the context of a card, after checking it against the run."""
        who, at = str(detail.get("who", "")), _second(detail.get("at"))
        with self._acts.open_run() as run:
            then = run if at is None or run.done is None else _at_second(run, at)
            people = {each.name: each for each in presences(run.reader, run.town.map, then.tick)}
            place = str(detail.get("place", "")) or propose_entrance(run.town.map, people, who)
            there = [each.came for each in run.reader.visits(run.tick) if each.left is None]
            return CardContext(
                acts=self._acts,
                go_on=self._resume,
                names=tuple(people),
                who=who if who in people else "",
                thing=str(detail.get("object", "")),
                place=place,
                visitor=next(iter(visitors_in_town(run)), ""),
                came=max(there, default=0) * run.folder.spec.tick_seconds,
                at=at,
                lived=self._acts.lived(),
            )


def send(acts: RunActions, detail: Detail) -> SentRequest:
    """Put a visitor's request, made by a click, into the inbox; `detail` is what the page sent."""
    visitor = str(detail.get("visitor", ""))
    match detail.get("act"):
        case "walk":
            return acts.walk(visitor, str(detail.get("place", "")))
        case "talk":
            return acts.talk(visitor, str(detail.get("whom", "")))
        case "leave":
            return acts.leave(visitor)
        case other:
            raise RunError(f"A visitor cannot be asked to {other!r}.")


def propose_entrance(town_map: TownMap, people: Mapping[str, Presence], who: str = "") -> str:
    """Return a public place (no home, no bedroom) for a visitor to enter; "" if there is none.

    It is the place where `who` is now. If that is not public, it is the public place with most
    people, or any if all are in private, as at night.
    """

    def is_public(place: str) -> bool:
        sector = town_map.sectors.get(sector_of(place))
        has_bed = bool(town_map.beds_in(arena_of(place)))
        return sector is not None and not sector.is_private and not has_bed

    if who in people and is_public(people[who].place):
        return people[who].place
    now = [each.place for each in people.values() if is_public(each.place)]
    return max(now, key=now.count) if now else next(filter(is_public, town_map.arenas), "")


def _at_second(run: OpenRun, at: int) -> OpenRun:
    return replace(run, done=max(0, min(run.tick, at // run.folder.spec.tick_seconds - 1)))


def _second(value: object) -> int | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return max(0, int(value)) if is_number else None  # type: ignore[call-overload]
