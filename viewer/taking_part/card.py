"""The card of the town page for taking part, with one tab for each way to do it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nicegui import background_tasks, ui

from smolville.viewer.elements import button
from smolville.viewer.taking_part.acts import Lived, RunActions

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
    endings: list[Ending] = field(default_factory=list)
    """What is done when the card is closed or the page is left."""

    @property
    def whom(self) -> str:
        """The selected person, otherwise the first one in town."""
        return self.who or self.names[0]


class SideCard:
    """A card on the right side of the town page; the town stays usable beside it.

    `ways` has each way to take part: its title, and what draws it.
    """

    def __init__(self, ways: Mapping[str, tuple[str, Callable[[CardContext], object]]]) -> None:
        self._ways = ways
        self._dialog: ui.dialog | None = None
        self._scene: CardContext | None = None

    def open(self, scene: CardContext, way: str) -> None:
        """Show the card with one of the tabs selected."""
        self.close()
        self._scene = scene
        chosen = way if way in self._ways else next(iter(self._ways))
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
                for name, (title, _) in self._ways.items():
                    ui.tab(name, label=title)
            tabs.set_value(chosen)
            with ui.tab_panels(tabs, value=chosen, animated=False).props("keep-alive"):
                for name, (_, draw) in self._ways.items():
                    with ui.tab_panel(name), ui.element("div").classes("form"):
                        draw(scene)

    def close(self) -> None:
        """Close the card and run the callbacks for its end; the page gets the focus back."""
        self.leave()
        if self._dialog is not None:
            self._dialog.close()
            self._dialog = None

    def leave(self) -> None:
        """Run the callbacks for the card's end, because the card or its page is being closed."""
        while self._scene is not None and self._scene.endings:
            background_tasks.create(self._scene.endings.pop()(), name="the end of a card")
