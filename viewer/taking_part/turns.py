"""A visitor's talk: a card asks for each line while the town waits, then shows the whole talk."""

import asyncio
import time
from collections.abc import Iterable
from json import dumps
from urllib.parse import quote

from nicegui import ui

from smolville.agents.action import Talk
from smolville.history.folder import owner_of
from smolville.history.inbox import VisitorTurn
from smolville.history.reader import RunReader
from smolville.viewer.elements import NO_ANSWER, StatusLine, add_chat_line, button, chat_lines
from smolville.viewer.frame import run_address
from smolville.viewer.taking_part.acts import ON_THE_WAY, RunActions

EVERY = 0.5
"""Seconds between two checks for a turn."""
HELD = 5.0
"""Seconds for which the town waits after each check while the card is open."""
AFTERWARDS = 10.0
"""Town seconds per real second once the card is closed, until the visitor's page sets its pace."""
TYPING = 5.0
"""Minimum seconds between two signals that somebody is typing."""
GOODBYE, SILENT = "Say it and goodbye", "Leave without a word"
"""Labels of the button that ends a talk: with a line in the field, and without one."""
FOCUS = """setTimeout(() => {
  const typing = document.activeElement?.matches("input, textarea") && document.activeElement.value;
  if (!typing) document.querySelector(".turn-card textarea")?.focus();
}, 100)"""
"""Gives the field of a turn the focus, unless something is being typed elsewhere."""


class TurnCard:
    """A card that asks for a visitor's next line, and shows the whole talk once it is over."""

    def __init__(self, acts: RunActions) -> None:
        self._acts = acts
        self._turn: VisitorTurn | None = None
        self._left_talk: VisitorTurn | None = None
        """The last turn of a talk whose end is not known yet; None if there is no such talk."""
        self._end = 0
        """Town second at which the last finished talk ends; the town lives on up to it."""
        self._told_typing = 0.0
        self.dialog = ui.dialog().props('seamless position=bottom aria-label="Your turn"')
        with self.dialog, ui.element("div").classes("turn-card"):
            self.head = ui.label("").classes("turn-head").props('role="status"')
            self.lines = chat_lines()
            with ui.element("div").classes("form") as self.form:
                self.text = ui.textarea("Your line").props("autogrow rows=2 autofocus")
                self.text.on("keydown.enter.exact.prevent", self.say)
                self.text.on("keydown", self._typing, throttle=1.0)
                self.text.on_value_change(self._name_goodbye)
                with ui.element("div").classes("row"):
                    button("Say it", self.say, is_main=True)
                    with button("", lambda: self.say(ends=True)):
                        self.goodbye = ui.label(SILENT)
                    self.left = ui.label("").classes("soft")
            self.told = StatusLine()
            with ui.element("div").classes("row") as self.after:
                self.why = ui.link("Why they said it", "#").classes("button")
                button("Close", self.close)
            self.after.set_visibility(False)
        self._timer = ui.timer(EVERY, self.look, active=False)

    async def wake(self, detail: object = None) -> None:
        """Check for turns from now on, until there are none left."""
        self._timer.activate()

    def close(self) -> None:
        """Close the card, even if the talk goes on; the town continues."""
        if not self.dialog.value:
            return
        # Without any pace the town would live some minutes before the page's own wish is heard.
        self._acts.keep_pace(AFTERWARDS, HELD)
        ui.run_javascript("window.stage?.company.goOn()")
        self._turn = self._left_talk = None
        self._end = 0
        self._timer.deactivate()
        self.dialog.close()

    async def look(self) -> None:
        """Check whose turn it is; after the last turn, check how the talk ended.

        The town waits while the card is open, also after the last turn, so that the visitor can
        read what was said.
        """
        if self.dialog.value:
            await asyncio.to_thread(self._hold)
        turns = await asyncio.to_thread(self._turns)
        turn = turns[0] if turns else None
        if turn is None:
            self._left_talk, self._turn = self._turn or self._left_talk, None
            await self._look_for_end()
            return
        self.left.set_text(f"{max(0, round(turn.until - time.time()))} s")
        if self._turn is None or (turn.talk, turn.n) != (self._turn.talk, self._turn.n):
            self._show(turn)

    async def _look_for_end(self) -> None:
        """Show the whole talk once it is recorded; stop checking if the run is not in progress."""
        left = self._left_talk
        if left is None:
            if not self.dialog.value:
                self._timer.deactivate()
            return
        talk, is_lived = await asyncio.to_thread(self._find_talk, left)
        if talk is None:
            # The field stays meanwhile: a hidden one loses the focus, and with it what is typed.
            self.after.set_visibility(not is_lived)
            self.why.set_visibility(False)
            if not is_lived:
                self._timer.deactivate()
                self.told.complain("The run has stopped; the talk goes on when it does.")
            return
        self._left_talk = None
        self._show_end(left, talk)

    async def say(self, *, ends: bool = False) -> None:
        """Send the line; it may end the talk."""
        turn, text = self._turn, str(self.text.value or "").strip()
        if turn is None:
            self.told.say("It is not your turn yet; what you have typed stays here.")
            return
        if not text and not ends:
            return
        # Emptied before the town answers: what is typed meanwhile belongs to the next line.
        self.text.set_value("")
        is_said = False
        with self.told.watching():
            with self._acts.inbox() as inbox:
                is_said = inbox.say(turn.talk, turn.n, text, ends=ends)
            if not is_said:
                self.told.complain("This turn is over.")
        if is_said:
            if text:
                add_chat_line(self.lines, turn.visitor, text, is_mine=True)
            self.form.set_visibility(not ends)
            self.told.say(f"{turn.agent} is listening …")
        elif not self.text.value:
            self.text.set_value(text)
        ui.run_javascript(FOCUS)

    def _name_goodbye(self) -> None:
        self.goodbye.set_text(GOODBYE if str(self.text.value or "").strip() else SILENT)

    async def _typing(self) -> None:
        turn = self._turn
        if turn is not None and time.monotonic() - self._told_typing > TYPING:
            self._told_typing = time.monotonic()
            with self._acts.inbox() as inbox:
                inbox.typing(turn.talk, turn.n)

    def _show(self, turn: VisitorTurn) -> None:
        if self._turn is None and self._left_talk is None:
            # The town stands still at this talk, and so does who takes part in it.
            ui.run_javascript("window.stage?.live()")
        ui.run_javascript("window.stage?.company.read(false)")
        ui.run_javascript(f"window.stage?.watchTalk({dumps([turn.visitor, turn.agent])})")
        self._turn, self._left_talk = turn, None
        self.head.set_text(f"{turn.visitor}, it is your turn to speak to {turn.agent}.")
        self.told.say("")
        self.told.line.set_visibility(True)
        self.form.set_visibility(True)
        self.after.set_visibility(False)
        self._show_lines(turn.visitor, turn.lines)
        self.dialog.open()
        # Opening gives the focus only once; the card may be open since the last turn.
        ui.run_javascript(FOCUS)

    def _show_end(self, left: VisitorTurn, talk: Talk) -> None:
        """Show a finished talk with all its lines, and stop the map at the end of the talk."""
        self.head.set_text(
            f"Your talk with {left.agent} is over. The town waits until you close this."
        )
        self.told.line.set_visibility(False)
        self.form.set_visibility(False)
        self.after.set_visibility(True)
        self.why.set_visibility(True)
        way = "/".join(quote(part, safe="") for part in talk.id.split("/"))
        self.why.props(f'href="{run_address(self._acts.run)}/talk/{way}"')
        self._show_lines(
            left.visitor,
            [(line.speaker + NO_ANSWER * line.fallback, line.text) for line in talk.lines],
        )
        self._end = talk.end
        ui.run_javascript(
            f"window.stage?.holdAt({talk.end}); window.stage?.company.read(true)",
        )

    def _show_lines(self, visitor: str, lines: Iterable[tuple[str, str]]) -> None:
        self.lines.clear()
        for speaker, text in lines:
            add_chat_line(self.lines, speaker, text, is_mine=speaker == visitor)

    def _hold(self) -> None:
        """Make the town wait, but only after it has reached the end of the last finished talk."""
        self._acts.keep_pace(0 if self._acts.lived().at >= self._end else ON_THE_WAY, HELD)

    def _find_talk(self, left: VisitorTurn) -> tuple[Talk | None, bool]:
        """Return the talk of a turn, None until it is recorded, and whether the run goes on."""
        folder = self._acts.config.folder(self._acts.run)
        is_lived = owner_of(folder) is not None
        with RunReader(folder) as reader:
            talks = reader.talks(left.agent)
        return next((talk for talk in talks if talk.id == left.talk), None), is_lived

    def _turns(self) -> list[VisitorTurn]:
        with self._acts.inbox() as inbox:
            return inbox.turns()
