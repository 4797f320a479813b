"""The moment at which a request takes effect: the one that the map shows, or the run's end."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from json import dumps
from typing import Protocol, TypeVar
from urllib.parse import quote_plus

from nicegui import ui

from agents.times import moment
from history.drafting import remove_run
from history.folder import make_name
from viewer.controls import TROUBLE
from viewer.frame import run_address
from viewer.serving.children import ANOTHER_DAY, TO_ITS_GOAL, children_of, let_go_on
from viewer.taking_part.acts import RunActions, SentRequest
from viewer.taking_part.panel import CardContext

SHOWN, END = "shown", "end"
AT_SHOWN = "now on the map, in a fork of this run"
T = TypeVar("T")


class Options(Protocol):
    """Tells with which options of the command a fork goes on."""

    def __call__(self, *, is_over: bool) -> Sequence[str]:
        """Return the options; raises what is wrong with what was chosen."""
        ...


class MomentChoice:
    """Asks when a request is to happen, where that makes a difference."""

    def __init__(self, scene: CardContext) -> None:
        self._scene = scene
        self._choice: ui.radio | None = None
        self._is_chosen = False
        """Whether somebody has chosen; until then the moment follows what becomes of the run."""
        if scene.is_lived and scene.at is not None and scene.at >= scene.lived:
            return
        ui.label("When?").classes("form-question")
        self._choice = ui.radio(self._options(), value=self._proposed())
        self._choice.props('dense aria-label="When?"')
        # Only a click sends this event; a value that the page sets does not.
        self._choice.on("update:model-value", self._note_choice)
        scene.on_lived(self._renew)

    def _options(self) -> dict[str, str]:
        return {SHOWN: AT_SHOWN, END: f"where the run ends: {self._scene.lived_told}"}

    def _proposed(self) -> str:
        """Return the moment for whoever does not choose: a run that is lived just goes on."""
        return END if self._scene.is_lived else SHOWN

    def _note_choice(self) -> None:
        """Keep the choice from now on."""
        self._is_chosen = True

    def _renew(self) -> None:
        """Name the present end of the run; what was chosen stays so."""
        if self._choice is not None:
            value = self._choice.value if self._is_chosen else self._proposed()
            self._choice.set_options(self._options(), value=value)

    async def chosen(self) -> int | None:
        """Return the town second of an earlier moment; None for the run's end."""
        if self._choice is None or self._choice.value == END:
            return None
        # The map may have moved on since the card was opened.
        shown = await ui.run_javascript("window.stage ? window.stage.clock.at : null")
        at = int(shown) if isinstance(shown, int | float) else self._scene.at
        return None if at is None or at >= self._scene.lived else at


def go_on_options(*, is_over: bool) -> tuple[str, ...]:
    """Return the options with which a fork goes on; `is_over` past its last goal."""
    return ANOTHER_DAY if is_over else TO_ITS_GOAL


async def fork_with(
    acts: RunActions, at: int, name: str, ask: Callable[[RunActions], T], options: Options
) -> T:
    """Fork a run, leave a request with the fork and let it live on; return what `ask` returned.

    Raises what is wrong; then there is no fork.
    """
    await asyncio.to_thread(acts.fork, at, name)
    forked = replace(acts, run=name)
    try:
        is_over = await asyncio.to_thread(forked.is_over)
        chosen = tuple(options(is_over=is_over))
        sent = await asyncio.to_thread(ask, forked)
        await let_go_on(children_of(acts.house), name, chosen)
    except TROUBLE:
        await asyncio.to_thread(remove_run, acts.house.folder(name))
        raise
    return sent


def free_name(acts: RunActions, at: int) -> str:
    """Return a name for a fork at a moment, which no run has yet."""
    return make_name(f"{acts.run} {at}", acts.house.names())


def show_fork(name: str, at: int, sent: SentRequest, who: str) -> None:
    """Open the page of a fork where it begins, with the visitor or the person it is about."""
    way = f"?at={moment(at).replace(' ', '-')}&play=1&asked={sent.id}"
    way += f"&visitor={quote_plus(sent.visitor)}" if sent.visitor else ""
    way += f"&who={quote_plus(who)}" if who and not sent.visitor else ""
    ui.navigate.to(run_address(name) + way)


def join_visitor(name: str) -> None:
    """Let the page go with a visitor, for whom the town then keeps the page's pace."""
    ui.run_javascript(f"window.stage?.company.join({dumps(name)})")
