"""Buttons that send requests to the run, and a line that shows the result of the last one."""

import asyncio
from collections.abc import Callable
from functools import partial

from nicegui import ui

from history.inbox import Inbox, RequestOutcome
from viewer.controls import StatusLine, button
from viewer.taking_part.acts import SentRequest
from viewer.taking_part.scene import CardContext

EVERY = 0.5
"""Seconds between two checks of a request's result."""


class RequestSender:
    """Sends requests, and watches the last one."""

    def __init__(self, scene: CardContext, wishes: dict[str, Callable[[], SentRequest]]) -> None:
        """Draw a button for each request; its function sends it or raises what is wrong."""
        self._acts = scene.acts
        self._go_on = scene.go_on
        self._left: SentRequest | None = None
        with ui.element("div").classes("row"):
            for text, wish in wishes.items():
                button(text, partial(self.leave, wish), is_main=len(wishes) == 1)
        self.told = StatusLine()
        self._waits = button("Let the run go on now", self._let_go_on)
        self._waits.set_visibility(False)
        self._timer = ui.timer(EVERY, self._look, active=False)

    async def leave(self, wish: Callable[[], SentRequest]) -> None:
        """Send a request."""
        with self.told.watching():
            self._left = await asyncio.to_thread(wish)
            self.told.say(self._left.told)
            self._waits.set_visibility(self._left.waits)
            self._timer.activate()

    async def _let_go_on(self) -> None:
        """Let the run continue, so that the request is carried out."""
        with self.told.watching():
            self._waits.set_visibility(False)
            await self._go_on({})

    async def _look(self) -> None:
        """Show the result of the request once it is known."""
        if self._left is None:
            self._timer.deactivate()
            return
        fate = await asyncio.to_thread(self._fate, self._left.id)
        if fate.state == "waiting":
            return
        self._timer.deactivate()
        if fate.state == "refused":
            self.told.complain(f"The town did not let it happen: {fate.why}.")
        else:
            self.told.say("It has reached the town.")

    def _fate(self, wish: str) -> RequestOutcome:
        """Return the current state of a request."""
        with Inbox(self._acts.house.folder(self._acts.run)) as inbox:
            return inbox.fate(wish)
