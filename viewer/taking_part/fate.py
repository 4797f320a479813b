"""What has become of a request: when the town took it in, who reacted, and what it changed."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from json import dumps

from nicegui import ui

from smolville.agents.errors import SmolvilleError
from smolville.agents.times import clock, minute_of
from smolville.reports.diff import describe_first_deed, find_first_deed
from smolville.reports.present import is_talking
from smolville.reports.runs import OpenRun, opened_run
from smolville.viewer.controls import TROUBLE, StatusLine, button
from smolville.viewer.frame import run_address
from smolville.viewer.taking_part.acts import AcceptedRequest, RunActions

EVERY = 3.0
"""Seconds between two checks of what a request has changed."""
LOOKS = 1.0
"""Seconds between two checks whether somebody has reacted."""
QUIET = {
    "whisper": ("{target} heard it", "Show the whisper"),
    "announcement": ("It was announced to everybody", "Show the announcement"),
    "object_state": ("{target} is “{text}”", "Show the change"),
}
"""Kinds of requests that the map does not show, and that a card reports therefore: the sentence
that such a request was taken in, and the button that leads to its moment.
"""
REACTING = ("whisper", "object_state")
"""Kinds of requests for which the first person to react is reported."""
_NOTICED = """
SELECT agent, tick FROM memories
WHERE tick >= ? AND tick <= ? AND kind = 'event' AND subject = ? AND object = ?
ORDER BY tick, n LIMIT 1
"""


@dataclass(frozen=True, kw_only=True)
class FirstReaction:
    """What is known so far of the first reaction to a request."""

    told: str = ""
    """A sentence; empty if the link to the thought says enough."""
    agent: str = ""
    tick: int | None = None
    """Tick of the thought; None before there is one."""


def find_reaction(acts: RunActions, landed: AcceptedRequest) -> FirstReaction:
    """Return who has reacted to a request so far, and with which thought."""
    with acts.open_run() as run:
        agent, since, told = landed.target, landed.tick, ""
        if landed.kind != "whisper":
            asked = (landed.tick, run.tick, landed.target, landed.text)
            first = run.reader.connection.execute(_NOTICED, asked).fetchone()
            if first is None:
                return FirstReaction(told="Nobody has noticed it yet.")
            agent, since = first
            when = run.format_time(since * run.folder.spec.tick_seconds)
            told = f"{agent} noticed it first, {when}."
        thoughts = run.reader.thoughts(agent, since, run.tick)
        if thoughts or told:
            return FirstReaction(
                told=told, agent=agent, tick=thoughts[0].tick if thoughts else None
            )
        is_busy = is_talking(run.reader, run.tick, agent)
        waits = "thinks of it when their talk is over" if is_busy else "has not thought since"
        return FirstReaction(told=f"{agent} {waits}.", agent=agent)


@dataclass(frozen=True, kw_only=True)
class Consequences:
    """Differences between a fork and its parent since a request took effect."""

    told: str = ""
    """A sentence; empty if there is no parent to compare with."""
    is_final: bool = True
    """True if the sentence will not change any more."""
    at: int | None = None
    """Town second of the first difference; None if there is none."""
    who: str = ""
    """The person whose deeds differ then."""


def find_consequences(acts: RunActions, since: int) -> Consequences:
    """Return the first moment from tick `since` on at which deeds of a fork and its parent differ.

    The page that compares the two runs finds this moment in the same way.
    """
    with acts.open_run() as run, suppress(SmolvilleError):
        # The parent may be gone, or never have been here.
        if parent := run.folder.spec.forked_from:
            with opened_run(acts.config.runs, parent) as before:
                return _compare(run, before, since)
    return Consequences()


def _compare(run: OpenRun, before: OpenRun, since: int) -> Consequences:
    until = min(run.tick, before.tick)
    parent = before.folder.name
    seconds = run.folder.spec.tick_seconds
    if run.tick < since:
        return Consequences(is_final=False)
    if until < since:
        told = f"The run {parent} ends there, so there is nothing to compare with."
        return Consequences(told=told, is_final=before.state() != "running")
    is_over = run.state() != "running" or before.tick <= run.tick
    first = find_first_deed(run, before, since * seconds)
    if first is None:
        end = run.format_time((until + 1) * seconds)
        told = f"Up to {end} everybody does the same as in the run {parent}."
        return Consequences(told=told, is_final=is_over)
    told = describe_first_deed(first, run, before)
    is_final = is_over or first.is_complete
    return Consequences(told=told, is_final=is_final, at=first.at, who=first.name)


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
            _, label = QUIET.get(landed.kind, ("", "Show it on the map"))
            with self._way:
                button(label, partial(_show_on_map, landed.at, landed.target, "Memories"))
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
    told, _ = QUIET[landed.kind]
    return f"{told.format(target=landed.target, text=landed.text)}, {landed.when}."
