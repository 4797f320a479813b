"""What has become of a request: when the town took it in, where to see it, and what it changed."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from json import dumps

from nicegui import ui

from smolville.agents.times import clock, minute_of
from smolville.viewer.controls import TROUBLE, StatusLine, button
from smolville.viewer.frame import run_address
from smolville.viewer.taking_part.acts import AcceptedRequest, RunActions
from smolville.viewer.taking_part.consequences import find_consequences
from smolville.viewer.taking_part.reactions import REACTING, find_reaction

EVERY = 3.0
"""Seconds between two checks of what a request has changed."""
LOOKS = 1.0
"""Seconds between two checks whether somebody has reacted."""
QUIET = ("whisper", "announcement", "object_state")
"""Kinds of requests whose outcome a card reports, because the map does not show it."""


class FateLinks:
    """Links to the moment of a request on the map, and to the thought that the request caused."""

    def __init__(self, acts: RunActions) -> None:
        """Draw the links, hidden until there is a moment to link to."""
        self._acts = acts
        self._landed: AcceptedRequest | None = None
        with ui.element("div").classes("row") as self.root:
            self._told = ui.label("").classes("row-line").props('role="status"')
            self._way = ui.element("div")
            self._why = ui.link("What they made of it", "#").classes("button")
        self._timer = ui.timer(LOOKS, self._look, active=False)
        self.show(None)

    def show(self, landed: AcceptedRequest | None) -> None:
        """Link to the moment at which a request took effect; None removes the link."""
        self._landed = landed
        self.root.set_visibility(landed is not None)
        self._why.set_visibility(False)
        self._told.set_text("")
        self._way.clear()
        if landed is not None:
            with self._way:
                button(_SHOWN.get(landed.kind, "Show it on the map"), self._reveal)
        self._timer.active = landed is not None and landed.kind in REACTING

    async def _look(self) -> None:
        """Show who has reacted so far, and link to their thought once there is one."""
        landed = self._landed
        if landed is None:
            return
        with suppress(*TROUBLE):
            found = await asyncio.to_thread(find_reaction, self._acts, landed)
            if landed is not self._landed:
                return
            self._told.set_text(found.told)
            if found.tick is not None:
                self._timer.deactivate()
                address = run_address(self._acts.run, f"why/{found.agent}/{found.tick}")
                self._why.props(f'href="{address}"')
                self._why.set_visibility(True)

    def _reveal(self) -> None:
        """Let the map show the town when and where the request took effect."""
        if self._landed is not None:
            _show_on_map(self._landed.at, self._landed.target, "Memories")


class FateCard:
    """A card over a run's page that reports what became of a request.

    It is shown on the page of a fork that began with the request, and to whoever comes back to a
    page on which the outcome of a request was shown.
    """

    def __init__(self, acts: RunActions, landed: AcceptedRequest) -> None:
        """Open the card for a request that the town has taken in."""
        self._acts = acts
        self._landed = landed
        dialog = ui.dialog(value=True).props('seamless position=bottom aria-label="Your request"')
        dialog.on("hide", self._close)
        self._dialog = dialog
        with dialog, ui.element("div").classes("turn-card"):
            ui.label(sentence_of(landed)).classes("turn-head").props('role="status"')
            self._told = StatusLine()
            links = FateLinks(acts)
            links.show(landed)
            with links.root:
                self._difference = ui.element("div")
                button("Close", dialog.close)
        self._difference.set_visibility(False)
        self._timer = ui.timer(EVERY, self._look)

    async def _look(self) -> None:
        """Show what has changed in people's deeds since the request, and a way there."""
        found = await asyncio.to_thread(find_consequences, self._acts, self._landed.tick)
        self._told.say(found.told)
        if found.at is not None and not self._difference.visible:
            text = f"Show {found.who.split()[0]} at {clock(minute_of(found.at))}"
            with self._difference:
                button(text, partial(_show_on_map, found.at, found.who, "Now"))
            self._difference.set_visibility(True)
        if found.is_final:
            self._timer.deactivate()

    def _close(self) -> None:
        note_request("")
        self._timer.deactivate()
        self._dialog.delete()


def note_request(wish: str) -> None:
    """Make the page's address name the request whose outcome is shown; "" for none.

    The browser's Back, from the thought that a request caused, then finds the outcome again.
    """
    ui.run_javascript(f"window.stage?.noteRequest({dumps(wish or None)})")


def _show_on_map(at: int, target: str, tab: str) -> None:
    """Let the map show a moment, and there a person, with a tab of theirs, or an object."""
    detail = {"at": at, "target": target, "tab": tab}
    ui.run_javascript(f"window.stage?.reveal({dumps(detail)})")


def sentence_of(landed: AcceptedRequest) -> str:
    """Return the sentence that the town has taken a request in, and when."""
    return f"{_DONE[landed.kind](landed)}, {landed.when}."


_DONE: dict[str, Callable[[AcceptedRequest], str]] = {
    "whisper": lambda landed: f"{landed.target} heard it",
    "announcement": lambda landed: "It was announced to everybody",
    "object_state": lambda landed: f"{landed.target} is “{landed.text}”",
}

_SHOWN = {
    "whisper": "Show the whisper",
    "announcement": "Show the announcement",
    "object_state": "Show the change",
}
"""What the way to the moment of a request shows, by the kind of the request."""
