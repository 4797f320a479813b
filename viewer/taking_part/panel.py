"""The side card of the town page for taking part, with one tab for each way to do it."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from nicegui import background_tasks, ui

from smolville.viewer.controls import TROUBLE, button
from smolville.viewer.taking_part.acts import RunActions
from smolville.viewer.taking_part.fate import note_request

LOOKS = 2.0
"""Seconds between two checks of how far the run has got, while the card is open."""
SHOWN_AT = "window.stage && !stage.clock.live ? stage.clock.at : null"
"""The town second that the map shows, in the browser; null at the live edge."""
Ending = Callable[[], Awaitable[Any]]


@dataclass(kw_only=True)
class CardContext:
    """The selection on the page when the card was opened."""

    acts: RunActions
    go_on: Callable[[dict[str, Any]], Awaitable[None]]
    """Lets the run continue."""
    names: tuple[str, ...]
    """Names of everybody in the town."""
    who: str = ""
    """The selected person; empty for nobody."""
    thing: str = ""
    """Address of the selected object."""
    place: str = ""
    """Address of the selected place; if none is selected, of a place where a visitor meets
    somebody.
    """
    visitor: str = ""
    """Name under which the user has entered the town as a visitor; empty if they have not."""
    at: int | None = None
    """The town second shown; None at the run's live edge, or if the page did not say."""
    example: str = ""
    """A possible change of an object in this town, near the selected person."""
    came: int = 0
    """The town second at which the visitor came."""
    lived: int = 0
    """The town second up to which the run has got."""
    lived_told: str = ""
    """How far the run has got, in words."""
    is_lived: bool = False
    """True while a process is executing the run."""
    _endings: list[Ending] = field(default_factory=list)
    _heeding: list[Callable[[], object]] = field(default_factory=list)

    @property
    def whom(self) -> str:
        """The selected person, otherwise the first one in town."""
        return self.who or self.names[0]

    def on_moved(self, heed: Callable[[], object]) -> None:
        """Register a callback for when the run has advanced or the map shows another moment."""
        self._heeding.append(heed)

    async def look_again(self) -> None:
        """Update the card to how far the run has got, since a card may stay open for long."""
        with suppress(*TROUBLE):
            lived, told, is_lived = await asyncio.to_thread(self.acts.lived_told)
            if (lived, is_lived) != (self.lived, self.is_lived):
                self.lived, self.lived_told, self.is_lived = lived, told, is_lived
                self._tell()

    def show(self, at: int | None) -> None:
        """Update the card to the moment `at` that the map shows; None if it shows the run's end."""
        if at != self.at:
            self.at = at
            self._tell()

    def _tell(self) -> None:
        for heed in self._heeding:
            heed()

    def at_the_end(self, ending: Ending) -> None:
        """Register a callback for when the card is closed or the page is left."""
        self._endings.append(ending)

    def end(self) -> None:
        """Run the registered callbacks, once each."""
        while self._endings:
            background_tasks.create(self._endings.pop()(), name="the end of a scene")


Draw = Callable[[CardContext], None]
UNLESS_A_LIST_IS_OPEN = "(key) => key.target.closest('[aria-expanded=true]') || emit()"
"""Key handler: Escape first closes an open list, and the card only if no list is open."""


@dataclass(frozen=True)
class ParticipationMode:
    """One way to take part."""

    name: str
    title: str
    draw: Draw


@dataclass
class SidePanel:
    """A card on the right side of the town page; the town stays usable beside it."""

    ways: tuple[ParticipationMode, ...]
    _dialog: ui.dialog | None = field(default=None, init=False)
    _scene: CardContext | None = field(default=None, init=False)

    def open(self, scene: CardContext, way: str) -> None:
        """Show the card with one of the tabs selected."""
        self.close()
        self._scene = scene
        names = [each.name for each in self.ways]
        chosen = way if way in names else names[0]
        self._dialog = ui.dialog(value=True).props("seamless position=right")
        self._dialog.props('aria-label="Take part"').on("hide", self._dialog.delete)
        with self._dialog, ui.element("div").classes("side-card") as card:
            # A seamless dialog has no key of its own that closes it.
            card.on("keydown.escape", self.close, js_handler=UNLESS_A_LIST_IS_OPEN)
            with ui.element("div").classes("side-head"):
                with ui.element("h2").props('tabindex="-1"') as head:
                    ui.label("Take part")
                # The field of an object that was clicked takes the focus itself.
                if not (scene.thing and chosen == "change"):
                    head.props("autofocus")
                button("Close", self.close)
            with ui.tabs().props("dense no-caps inline-label align=left") as tabs:
                for each in self.ways:
                    ui.tab(each.name, label=each.title)
            ui.timer(LOOKS, self._look_again)
            tabs.set_value(chosen)
            with ui.tab_panels(tabs, value=chosen, animated=False).props("keep-alive"):
                for each in self.ways:
                    with ui.tab_panel(each.name):
                        each.draw(scene)

    async def _look_again(self) -> None:
        """Update the card to the present state of the run and to the moment that the map shows."""
        scene = self._scene
        if scene is None:
            return
        await scene.look_again()
        # The page may be gone, or too busy to answer; the next look asks again.
        with suppress(TimeoutError):
            at = await ui.run_javascript(SHOWN_AT, timeout=LOOKS)
            scene.show(int(at) if isinstance(at, int | float) else None)

    def close(self) -> None:
        """Close the card and run the callbacks for its end; the page gets the focus back."""
        self.leave()
        if self._dialog is not None:
            self._dialog.close()
            self._dialog = None
            note_request("")

    def leave(self) -> None:
        """Run the callbacks for the card's end, because the card or its page is being closed."""
        if self._scene is not None:
            self._scene.end()
            self._scene = None
