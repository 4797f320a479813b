"""Requests for a visitor by clicks on the map, and messages about their outcome."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from smolville.agents.errors import RunError
from smolville.viewer.taking_part.acts import RunActions, SentRequest
from smolville.viewer.taking_part.fate import QUIET, FateCard, note_request

GoOn = Callable[[dict[str, Any]], Awaitable[None]]
"""Callback that resumes the run."""
EVERY = 0.5
"""Seconds between two checks of a request's result."""


class MapVisits:
    """Sends a visitor's requests from the map, and reports those that the town refused."""

    def __init__(self, acts: RunActions, go_on: GoOn) -> None:
        self._acts = acts
        self._go_on = go_on
        self._left = ""
        """Id of the last request, while its result is not known."""
        self._is_followed = False
        """True if another page sent that request; that page cannot report its outcome."""
        self._notice: ui.notification | None = None
        """The announcement of that request."""
        self._timer = ui.timer(EVERY, self._look, active=False)
        self._root = ui.element("div")

    async def ask(self, detail: dict[str, Any]) -> None:
        """Send a request; errors in it are raised."""
        sent = await asyncio.to_thread(send, self._acts, detail)
        why = " The run goes on with it." * sent.waits
        with self._root:
            self._notice = ui.notification(f"{sent.told}{why}", position="top")
        self._left, self._is_followed = sent.id, False
        self._timer.activate()
        if sent.waits:
            await self._go_on({})

    async def follow(self, detail: dict[str, Any]) -> None:
        """Watch a request that another page has sent, and report its outcome."""
        self._left = str(detail.get("id", ""))
        self._is_followed = True
        self._timer.activate()

    async def _look(self) -> None:
        """Report why the town refused the last request, once it has refused it."""
        fate = await asyncio.to_thread(self._acts.outcome, self._left)
        if fate.state == "waiting":
            return
        self._timer.deactivate()
        if self._notice is not None:
            # What was announced for "in a moment" has happened, or will not.
            self._notice.dismiss()
        if fate.state == "taken" and self._is_followed:
            await self._tell_fate()
        if fate.state == "refused":
            note_request("")
            await asyncio.to_thread(self._acts.keep_pace, 0, 0)
            ui.run_javascript("window.stage?.company.giveUp()")
            why = f"The town did not let it happen: {fate.why}"
            ui.notify(why, type="negative", position="top")

    async def _tell_fate(self) -> None:
        """Report what became of the request with which this run began."""
        landed = await asyncio.to_thread(self._acts.landed, self._left)
        if landed is not None and landed.kind in QUIET:
            with self._root:
                FateCard(self._acts, landed)
            return
        note_request("")
        when = f", {landed.when}" if landed is not None else ""
        ui.notify(f"It has reached the town{when}.", position="top")


def send(acts: RunActions, detail: dict[str, Any]) -> SentRequest:
    """Put a visitor's request, made by a click, into the inbox; `detail` is what the page sent."""
    visitor = str(detail.get("visitor", ""))
    act = detail.get("act")
    if act == "walk":
        return acts.walk(visitor, str(detail.get("place", "")))
    if act == "talk":
        return acts.talk(visitor, str(detail.get("whom", "")))
    if act == "leave":
        return acts.leave(visitor)
    raise RunError(f"A visitor cannot be asked to {act!r}.")
