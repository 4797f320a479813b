"""What a visitor is asked to do by clicks on the map, and the message about what became of it."""

import asyncio
from typing import Any

from nicegui import ui

from agents.errors import RunError
from history.inbox import Inbox
from viewer.taking_part.acts import RunActions, SentRequest

EVERY = 0.5
"""Seconds between two checks of a request's result."""


class MapVisits:
    """Sends a visitor's requests from the map, and says which one the town did not allow."""

    def __init__(self, acts: RunActions) -> None:
        self._acts = acts
        self._left = ""
        """Id of the last request, while its result is not known."""
        self._timer = ui.timer(EVERY, self._look, active=False)

    async def ask(self, detail: dict[str, Any]) -> None:
        """Send a request; errors in it are raised."""
        sent, is_paused = await asyncio.to_thread(self._send_and_look, detail)
        why = "The run is paused" if is_paused else "Nobody lives this run now"
        waits = f" {why}: let it go on with the button above." * (is_paused or sent.waits)
        ui.notify(f"{sent.told}{waits}", position="top")
        self._left = sent.id
        self._timer.activate()

    def _send_and_look(self, detail: dict[str, Any]) -> tuple[SentRequest, bool]:
        """Send a request, and return it and whether the run is held."""
        sent = self._send(detail)
        with Inbox(self._acts.house.folder(self._acts.run)) as inbox:
            return sent, inbox.is_paused()

    def _send(self, detail: dict[str, Any]) -> SentRequest:
        """Put the request of a click into the inbox."""
        visitor = str(detail.get("visitor", ""))
        act = detail.get("act")
        if act == "walk":
            return self._acts.walk(visitor, str(detail.get("place", "")))
        if act == "talk":
            return self._acts.talk(visitor, str(detail.get("whom", "")))
        if act == "leave":
            return self._acts.leave(visitor)
        raise RunError(f"A visitor cannot be asked to {act!r}.")

    async def _look(self) -> None:
        """Say why the town refused the last request, once it did."""
        fate = await asyncio.to_thread(self._acts.outcome, self._left)
        if fate.state == "waiting":
            return
        self._timer.deactivate()
        if fate.state == "refused":
            why = f"The town did not let it happen: {fate.why}"
            ui.notify(why, type="negative", position="top")
