"""The side card of the town page for taking part, with one tab for each way to do it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from nicegui import background_tasks, ui

from smolville.viewer.controls import TROUBLE, button
from smolville.viewer.taking_part.acts import Lived, RunActions
from smolville.viewer.taking_part.fate import note_request

LOOKS = 2.0
"""Seconds between two checks of how far the run has got, while the card is open."""
SHOWN_AT = "window.stage && !stage.clock.live ? stage.clock.at : null"
"""The town second that the map shows, in the browser; null at the live edge."""
UNLESS_A_LIST_IS_OPEN = "(key) => key.target.closest('[aria-expanded=true]') || emit()"
"""Key handler: Escape first closes an open list, and the card only if no list is open."""
Ending = Callable[[], Awaitable[Any]]


@dataclass(kw_only=True)
class CardContext:
    """The selection on the page when the card was opened."""

    acts: RunActions
    go_on: Callable[[dict[str, Any]], Awaitable[None]]
    """Lets the run continue."""
    names: tuple[str, ...]
    """Names of everybody in the town."""
    lived: Lived
    """How far the run has got."""
    who: str = ""
    """The selected person; empty for nobody."""
    thing: str = ""
    """Address of the selected object."""
    place: str = ""
    """Address of the selected place, or else of one where a visitor meets somebody."""
    visitor: str = ""
    """Name under which the user has entered the town as a visitor; empty if they have not."""
    came: int = 0
    """The town second at which the visitor came."""
    at: int | None = None
    """The town second shown; None at the run's live edge, or if the page did not say."""
    example: str = ""
    """A possible change of an object in this town, near the selected person."""
    _endings: list[Ending] = field(default_factory=list)
    _heeding: list[Callable[[], object]] = field(default_factory=list)

    @property
    def whom(self) -> str:
        """The selected person, otherwise the first one in town."""
        return self.who or self.names[0]

    def on_moved(self, heed: Callable[[], object]) -> None:
        """Register a callback for when the run has advanced or the map shows another moment."""
        self._heeding.append(heed)

    async def renew(self) -> None:
        """Update the card to how far the run has got and what the map shows."""
        before = (self.lived, self.at)
        with suppress(*TROUBLE):
            self.lived = await asyncio.to_thread(self.acts.lived)
        # The page may be gone, or too busy to answer; the next look asks again.
        with suppress(TimeoutError):
            at = await ui.run_javascript(SHOWN_AT, timeout=LOOKS)
            self.at = int(at) if isinstance(at, int | float) else None
        if before != (self.lived, self.at):
            for heed in self._heeding:
                heed()

    def at_the_end(self, ending: Ending) -> None:
        """Register a callback for when the card is closed or the page is left."""
        self._endings.append(ending)

    def end(self) -> None:
        """Run the registered callbacks, once each."""
        while self._endings:
            background_tasks.create(self._endings.pop()(), name="the end of a scene")


@dataclass
class SidePanel:
    """A card on the right side of the town page; the town stays usable beside it.

    `ways` has each way to take part: its title, and what draws it.
    """

    ways: Mapping[str, tuple[str, Callable[[CardContext], object]]]
    _dialog: ui.dialog | None = field(default=None, init=False)
    _scene: CardContext | None = field(default=None, init=False)

    def open(self, scene: CardContext, way: str) -> None:
        """Show the card with one of the tabs selected."""
        self.close()
        self._scene = scene
        chosen = way if way in self.ways else next(iter(self.ways))
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
                for name, (title, _) in self.ways.items():
                    ui.tab(name, label=title)
            ui.timer(LOOKS, scene.renew)
            tabs.set_value(chosen)
            with ui.tab_panels(tabs, value=chosen, animated=False).props("keep-alive"):
                for name, (_, draw) in self.ways.items():
                    with ui.tab_panel(name), ui.element("div").classes("form"):
                        draw(scene)

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
