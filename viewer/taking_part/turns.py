"""A visitor's turn in a talk: a card that asks for the next line, while the town waits."""

import asyncio
import time

from nicegui import ui

from history.inbox import Inbox, VisitorTurn
from viewer.controls import StatusLine, button, show_last
from viewer.taking_part.acts import RunActions

EVERY = 0.5
"""Seconds between two checks for a turn."""
TYPING = 5.0
"""Minimum seconds between two signals that somebody is typing."""


class TurnCard:
    """Checks for visitors' turns, and asks for the line of the first one."""

    def __init__(self, acts: RunActions) -> None:
        self._acts = acts
        self._turn: VisitorTurn | None = None
        self._told_typing = 0.0
        self.dialog = ui.dialog().props('seamless position=bottom aria-label="Your turn"')
        with self.dialog, ui.element("div").classes("turn-card"):
            self.head = ui.label("").classes("turn-head").props('role="status"')
            self.lines = ui.element("div").classes("chat").props('role="log" tabindex="0"')
            self.lines.props('aria-label="What was said"')
            self.text = ui.textarea("Your line").props("autogrow rows=2 autofocus")
            self.text.on("keydown.enter.exact.prevent", self.say)
            self.text.on("keydown", self._typing, throttle=1.0)
            with ui.element("div").classes("row"):
                button("Say it", self.say, is_main=True)
                button("Say it and goodbye", self.say_goodbye)
                self.left = ui.label("").classes("soft")
            self.told = StatusLine()
        self._timer = ui.timer(EVERY, self.look, active=False)

    def wake(self) -> None:
        """Check for turns from now on, until there are none left."""
        self._timer.activate()

    async def look(self) -> None:
        """Check whose turn it is."""
        turns = await asyncio.to_thread(self._turns)
        turn = turns[0] if turns else None
        if turn is None:
            self._turn = None
            self._timer.deactivate()
            self.dialog.close()
            return
        self.left.set_text(f"{max(0, round(turn.until - time.time()))} s")
        if self._turn is None or (turn.talk, turn.n) != (self._turn.talk, self._turn.n):
            self._show(turn)

    async def say(self) -> None:
        """Send the line."""
        await self._say(ends=False)

    async def say_goodbye(self) -> None:
        """Send the line, and end the talk with it."""
        await self._say(ends=True)

    async def _say(self, *, ends: bool) -> None:
        turn, text = self._turn, str(self.text.value or "").strip()
        if turn is None or (not text and not ends):
            return
        with self.told.watching():
            is_said = await asyncio.to_thread(self._put_turn, turn, text, ends)
            if is_said:
                self.text.set_value("")
                self.told.say(f"{turn.agent} is listening …")
            else:
                self.told.complain("This turn is over.")

    async def _typing(self) -> None:
        """Signal that somebody is typing, so that the town goes on waiting."""
        turn = self._turn
        if turn is not None and time.monotonic() - self._told_typing > TYPING:
            self._told_typing = time.monotonic()
            await asyncio.to_thread(self._tell_typing, turn)

    def _show(self, turn: VisitorTurn) -> None:
        """Show another turn."""
        self._turn = turn
        self.head.set_text(f"{turn.visitor}, it is your turn to speak to {turn.agent}.")
        self.told.say("")
        self.lines.clear()
        with self.lines:
            for speaker, text in turn.lines:
                mine = " is-mine" if speaker == turn.visitor else ""
                with ui.element("p").classes(f"chat-line{mine}"):
                    ui.label(speaker).classes("chat-who")
                    ui.label(text)
        self.dialog.open()
        show_last(self.lines)

    def _turns(self) -> list[VisitorTurn]:
        with self._inbox() as inbox:
            return inbox.turns()

    def _put_turn(self, turn: VisitorTurn, text: str, ends: bool) -> bool:
        with self._inbox() as inbox:
            return inbox.say(turn.talk, turn.n, text, ends=ends)

    def _tell_typing(self, turn: VisitorTurn) -> None:
        with self._inbox() as inbox:
            inbox.typing(turn.talk, turn.n)

    def _inbox(self) -> Inbox:
        return Inbox(self._acts.house.folder(self._acts.run))
