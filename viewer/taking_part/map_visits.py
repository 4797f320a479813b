"""Requests for a visitor by clicks on the map, and messages about their outcome."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from smolville.agents.errors import RunError
from smolville.viewer.taking_part.acts import RunActions, SentRequest
from smolville.viewer.taking_part.fate import QUIET, FateCard, note_request

EVERY = 0.5
"""Seconds between two checks of a request's result."""


class MapVisits:
    """Sends a visitor's requests from the map, and reports those that the town refused.

    `go_on` resumes the run.
    """

    def __init__(
        self, acts: RunActions, go_on: Callable[[dict[str, Any]], Awaitable[None]]
    ) -> None:
        self._acts = acts
        self._go_on = go_on
        self._left = ""
        """Id of the last request, while its result is not known."""
        self._notice: ui.notification | None = None
        """Its announcement; None if another page sent it, which cannot report its outcome."""
        self._timer = ui.timer(EVERY, self._look, active=False)
        self._root = ui.element("div")

    async def ask(self, detail: dict[str, Any]) -> None:
        """Send a request; errors in it are raised."""
        sent = await asyncio.to_thread(send, self._acts, detail)
        why = " The run goes on with it." * sent.waits
        with self._root:
            self._notice = ui.notification(f"{sent.told}{why}", position="top")
        self._left = sent.id
        self._timer.activate()
        if sent.waits:
            await self._go_on({})

    async def follow(self, detail: dict[str, Any]) -> None:
        """Watch a request that another page has sent, and report its outcome."""
        self._left, self._notice = str(detail.get("id", "")), None
        self._timer.activate()

    async def _look(self) -> None:
        """Report the outcome of the last request once it is known."""
        fate = await asyncio.to_thread(self._acts.settled, self._left)
        if fate is None:
            return
        self._timer.deactivate()
        if self._notice is not None:
            # What was announced for "in a moment" has happened, or will not.
            self._notice.dismiss()
        refused, landed = fate
        if refused:
            note_request("")
            ui.run_javascript("window.stage?.company.giveUp()")
            ui.notify(refused, type="negative", position="top")
        elif self._notice is None and landed is not None and landed.kind in QUIET:
            with self._root:
                FateCard(self._acts, landed)
        elif self._notice is None:
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
