"""Elements of a why page: whatever stands in them is text, and never markup."""

from shlex import join
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from lab.evaluation.differences import shown_text

LONG_LETTERS = 1_500
"""A text of more letters, or of more lines, gets a height of its own to scroll in."""
LONG_LINES = 18

_TOGGLE = """(event) => {
  const button = event.currentTarget;
  const isOpen = button.previousElementSibling.classList.toggle("is-open");
  button.setAttribute("aria-expanded", String(isOpen));
  button.textContent = isOpen ? "Show less" : button.dataset.more;
}"""


class Words(TextElement):
    """An element of any tag that holds one text."""

    def __init__(self, tag: str, text: str) -> None:
        super().__init__(tag=tag, text=sound(text))


def sound(text: str) -> str:
    """Return a text that can be sent: half a letter, as a model may write one, becomes U+FFFD."""
    return text.encode("utf-8", "replace").decode() if _is_broken(text) else text


def _is_broken(text: str) -> bool:
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def words(tag: str, text: object, classes: str = "") -> Words:
    """Return an element that holds one text."""
    made = Words(tag, str(text))
    return made.classes(classes) if classes else made


def short(tag: str, text: str, classes: str = "", *, longest: int = 400) -> Words:
    """Return an element with the beginning of a text; marks that turn its direction are shown."""
    told = shown_text(text, longest)
    return words(tag, told.text + ("…" if told.more else ""), classes)


def box(tag: str, classes: str = "") -> ui.element:
    """Return an element that holds others."""
    made = ui.element(tag)
    return made.classes(classes) if classes else made


def named(element: ui.element, **attributes: Any) -> ui.element:
    """Give an element attributes by name (`aria_label`, `id`), as they are, and return it."""
    for name, value in attributes.items():
        element.props[name.rstrip("_").replace("_", "-")] = (
            sound(value) if isinstance(value, str) else value
        )
    return element


def link(text: str, address: str, classes: str = "") -> Words:
    """Return a link of this app."""
    made = words("a", text, classes)
    named(made, href=address)
    return made


def raw(text: str, label: str) -> ui.element:
    """Return a text to the byte, in letters of one width; a long one scrolls and can be opened."""
    lines = text.count("\n") + 1
    is_long = len(text) > LONG_LETTERS or lines > LONG_LINES
    with box("div", "raw") as whole:
        shown = words("pre", text, "raw-text is-long" if is_long else "raw-text")
        if is_long:
            named(shown, tabindex="0", role="group", aria_label=label)
            more = f"Show all {lines:,} lines" if lines > 1 else f"Show all {len(text):,} letters"
            _toggle(more, label)
    return whole


def _toggle(more: str, label: str) -> None:
    button = words("button", more, "raw-more")
    named(button, type="button", aria_expanded="false", aria_label=f"{more}: {label}")
    named(button, data_more=more)
    button.on("click", js_handler=_TOGGLE)


def folded(title: str, classes: str = "") -> ui.element:
    """Return a part that is closed at first; a search in the page opens it."""
    whole = box("details", f"folded {classes}".strip())
    with whole:
        words("summary", title)
    return whole


def command(*said: str) -> Words:
    """Return a command line to copy."""
    return short("code", join(["smolville", *said]), "command")


def facts(told: dict[str, str]) -> ui.element:
    """Return names and values as a list, without those that are empty."""
    with box("dl", "facts") as whole:
        for name, value in told.items():
            if value:
                with box("div"):
                    words("dt", name)
                    short("dd", value)
    return whole
