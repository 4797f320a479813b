"""A group of radio buttons drawn as cards, of which one is chosen."""

from collections.abc import Callable
from functools import partial

from nicegui import ui

from smolville.viewer.elements import box, set_attributes

Choose = Callable[[str], None]


class Cards:
    """Cards to choose from by mouse or keyboard; the browser's own radio buttons are inside."""

    def __init__(self, name: str, label: str, on_choose: Choose) -> None:
        """Draw an empty group; `name` is unique on the page."""
        self._name = name
        self._on_choose = on_choose
        self.value = ""
        """The chosen card's value; empty for none."""
        self.root = box("div", "choices", role="radiogroup", aria_label=label)

    def clear(self) -> None:
        """Remove all cards."""
        self.value = ""
        self.root.clear()

    def add(self, value: str, *, chosen: bool = False) -> ui.element:
        """Add a card, and return the element for its content."""
        with self.root, box("label", "choice"):
            button = box("input", type="radio", name=self._name, value=value)
            if chosen:
                self.value = value
                set_attributes(button, checked=True)
            button.on("change", partial(self._choose, value))
            return box("span", "choice-body")

    def choose_none(self) -> None:
        """Deselect the chosen card."""
        self.value = ""
        ui.run_javascript(
            f"for (const each of document.getElementsByName({self._name!r})) each.checked = false"
        )

    def _choose(self, value: str, _event: object) -> None:
        self.value = value
        self._on_choose(value)
