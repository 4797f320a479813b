"""The moment at which a request takes effect: the one that the map shows, or the end of the run."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from json import dumps
from typing import Protocol, TypeVar
from urllib.parse import quote_plus

from nicegui import ui

from smolville.agents.times import moment
from smolville.history.drafting import remove_run
from smolville.history.folder import make_name
from smolville.viewer.controls import TROUBLE
from smolville.viewer.frame import run_address
from smolville.viewer.serving.children import ANOTHER_DAY, TO_ITS_GOAL, children_of, let_go_on
from smolville.viewer.taking_part.acts import RunActions, SentRequest
from smolville.viewer.taking_part.panel import SHOWN_AT, CardContext

SHOWN, END = "shown", "end"
AT_SHOWN = "at the moment on the map, in a fork of this run"
FORK_TOLD = (
    "A fork is a copy of this run that goes its own way from there; this run stays as it is."
)
AT_LATEST = "now: at the latest moment of this run"
NEAR = 900
"""If a run is in progress, the map counts as showing its end within this many town seconds of it.
"""
T = TypeVar("T")


class Options(Protocol):
    """Callback for the command-line options with which a fork continues."""

    def __call__(self, *, is_over: bool) -> Sequence[str]:
        """Return the options; raises the error of an invalid choice."""
        ...


class MomentChoice:
    """A choice of when a request is to happen; it is shown only if it makes a difference."""

    def __init__(self, scene: CardContext, since: int = 0) -> None:
        """Draw the choice; moments before the town second `since` cannot be chosen."""
        self._scene = scene
        self._since = since
        self._is_chosen = False
        """True once somebody has chosen; until then the moment follows the map and the run."""
        with ui.element("div").classes("form-when") as self._whole:
            ui.label("When?").classes("form-question")
            self._choice = ui.radio(self._options(), value=self._proposed())
            self._choice.props('dense aria-label="When?"')
            ui.label(FORK_TOLD).classes("soft")
        # Only a click sends this event; a value that the page sets does not.
        self._choice.on("update:model-value", self._note_choice)
        self._renew()
        scene.on_moved(self._renew)

    def _is_needed(self) -> bool:
        """Return whether the moment on the map is before the run's end and can be chosen."""
        at = self._scene.at
        return at is not None and self._since <= at < self._scene.lived

    def _options(self) -> dict[str, str]:
        scene = self._scene
        end = AT_LATEST if scene.is_lived else f"where the run ends: {scene.lived_told}"
        return {SHOWN: AT_SHOWN, END: end}

    def _proposed(self) -> str:
        """Return the default moment: the one shown, or the end of the run.

        It is the end if the run is in progress and the map shows its end, or almost its end.
        """
        at, lived = self._scene.at, self._scene.lived
        is_near = at is None or lived - at < NEAR
        return END if self._scene.is_lived and is_near else SHOWN

    def _note_choice(self) -> None:
        """Keep the user's choice from now on."""
        self._is_chosen = True

    def _renew(self) -> None:
        """Show the choice only if it makes a difference; what the user has chosen stays chosen."""
        self._whole.set_visibility(self._is_needed())
        value = self._choice.value if self._is_chosen else self._proposed()
        if (value, self._options()) != (self._choice.value, self._choice.options):
            self._choice.set_options(self._options(), value=value)

    async def chosen(self) -> int | None:
        """Return the chosen moment as a town second; None for the run's end."""
        if not self._whole.visible or self._choice.value == END:
            return None
        # The map may have moved on since it was looked at.
        shown = await ui.run_javascript(SHOWN_AT)
        at = int(shown) if isinstance(shown, int | float) else self._scene.at
        return None if at is None or at >= self._scene.lived else at


def go_on_options(*, is_over: bool) -> tuple[str, ...]:
    """Return the command-line options with which a fork continues.

    `is_over` says that the run has reached its last goal.
    """
    return ANOTHER_DAY if is_over else TO_ITS_GOAL


async def fork_with(
    acts: RunActions, at: int, name: str, ask: Callable[[RunActions], T], options: Options
) -> T:
    """Fork a run, let `ask` leave a request, and continue the fork; return the result of `ask`.

    If one of these fails, raises its error, and no fork remains.
    """
    await asyncio.to_thread(acts.fork, at, name)
    forked = replace(acts, run=name)
    try:
        is_over = await asyncio.to_thread(forked.is_over)
        chosen = tuple(options(is_over=is_over))
        sent = await asyncio.to_thread(ask, forked)
        own = sent.visitor if isinstance(sent, SentRequest) else ""
        await asyncio.to_thread(forked.send_visitors_away, own)
        await let_go_on(children_of(acts.config), name, chosen)
    except TROUBLE:
        await asyncio.to_thread(remove_run, acts.config.folder(name))
        raise
    return sent


def free_name(acts: RunActions, at: int) -> str:
    """Return a name for a fork at a moment; no other run has it."""
    return make_name(f"{acts.run} {at}", acts.config.names())


def show_fork(name: str, at: int, sent: SentRequest, who: str) -> None:
    """Open a fork's page at its first moment, and select its visitor or the person `who`."""
    way = f"?at={moment(at).replace(' ', '-')}&play=1&asked={sent.id}"
    way += f"&visitor={quote_plus(sent.visitor)}" if sent.visitor else ""
    way += f"&who={quote_plus(who)}" if who else ""
    ui.navigate.to(run_address(name) + way)


def join_visitor(name: str) -> None:
    """Make the page follow a visitor; as long as it does, the page sets the town's pace."""
    ui.run_javascript(f"window.stage?.company.join({dumps(name)})")
