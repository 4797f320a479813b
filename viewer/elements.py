"""Elements and controls of pages; their content is always plain text, never markup."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from shlex import join
from typing import Any, TypeVar

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from smolville.agents.errors import SmolvilleError
from smolville.agents.wording import as_sentence, shown_text
from smolville.models.errors import ModelError
from smolville.prompts.errors import PromptError

TROUBLE = (SmolvilleError, ModelError, PromptError)
"""Errors that are shown to the user as a sentence."""
NO_ANSWER = " (no answer of the model: fallback)"
"""What follows the name of whoever says a line that a fallback chose."""
LONG_LETTERS = 1_500
"""Text length in characters (LONG_LINES: in lines) above which a text gets a scrollable box."""
LONG_LINES = 18
Made = TypeVar("Made", bound=ui.element)

_TOGGLE = """(event) => {
  const button = event.currentTarget;
  const isOpen = button.previousElementSibling.classList.toggle("is-open");
  button.setAttribute("aria-expanded", String(isOpen));
  button.textContent = isOpen ? "Show less" : button.dataset.more;
}"""


class PlainTextElement(TextElement):
    """An element with any tag that contains one text."""

    def __init__(self, tag: str, text: str) -> None:
        super().__init__(tag=tag, text=sound(text))


def sound(text: str) -> str:
    """Return a text that can be sent: lone surrogates, which models may write, become U+FFFD."""
    is_broken = any("\ud800" <= letter <= "\udfff" for letter in text)
    return text.encode("utf-8", "replace").decode() if is_broken else text


def words(tag: str, text: object, classes: str = "", **attributes: Any) -> PlainTextElement:
    """Return an element that contains one text."""
    return set_attributes(PlainTextElement(tag, str(text)).classes(classes), **attributes)


def short(
    tag: str, text: str, classes: str = "", *, longest: int = 400, **attributes: Any
) -> PlainTextElement:
    """Return an element with the beginning of a text; direction marks are made visible."""
    told = shown_text(text, longest)
    return words(tag, told.text + ("…" if told.more else ""), classes, **attributes)


def say_trouble(text: str) -> None:
    """Draw an error sentence."""
    short("p", text, "trouble", longest=2_000, role="status")


def box(tag: str, classes: str = "", **attributes: Any) -> ui.element:
    """Return an element that contains other elements."""
    return set_attributes(ui.element(tag).classes(classes), **attributes)


def set_attributes(element: Made, **attributes: Any) -> Made:
    """Set attributes of an element (`aria_label`, `id`) unchanged, and return the element."""
    for name, value in attributes.items():
        element.props[name.rstrip("_").replace("_", "-")] = (
            sound(value) if isinstance(value, str) else value
        )
    return element


def link(text: str, address: str, classes: str = "", **attributes: Any) -> PlainTextElement:
    """Return a link within this app."""
    return words("a", text, classes, href=address, **attributes)


def show_raw_text(text: str, label: str) -> ui.element:
    """Add a text unchanged, in a monospaced font; a long text scrolls and can be expanded."""
    lines = text.count("\n") + 1
    is_long = len(text) > LONG_LETTERS or lines > LONG_LINES
    with box("div", "raw") as whole:
        shown = words("pre", text, "raw-text is-long" if is_long else "raw-text")
        if is_long:
            set_attributes(shown, tabindex="0", role="group", aria_label=label)
            more = f"Show all {lines:,} lines" if lines > 1 else f"Show all {len(text):,} letters"
            button = words("button", more, "raw-more", type="button", aria_expanded="false")
            set_attributes(button, aria_label=f"{more}: {label}", data_more=more)
            button.on("click", js_handler=_TOGGLE)
    return whole


def make_folded_section(title: str, classes: str = "") -> ui.element:
    """Return a section that is closed at first; a search in the page opens it."""
    whole = box("details", f"folded {classes}".strip())
    with whole:
        words("summary", title)
    return whole


def command(*said: str) -> PlainTextElement:
    """Return a command line for copying."""
    return short("code", join(["smolville", *said]), "command")


def facts(told: dict[str, str]) -> ui.element:
    """Return names and values as a list, without empty values."""
    with box("dl", "facts") as whole:
        for name, value in told.items():
            if value:
                with box("div"):
                    words("dt", name)
                    short("dd", value)
    return whole


def nothing(text: str) -> None:
    """Add the message that there is nothing to show, with the reason."""
    with box("section", "card"):
        words("p", text, "soft")


def form(action: str, label: str) -> ui.element:
    """Return a form that opens the address `action`, with the user's choices as its query.

    So a filtered page can be linked, and the form also works from the keyboard.
    """
    return box("form", "asking", action=action, method="get", aria_label=label)


def choice(name: str, label: str, options: Mapping[str, str], chosen: str) -> None:
    """Add a selection field; `options` maps values to labels."""
    with box("label", "asking-field"):
        words("span", label)
        with box("select", name=name):
            for value, text in options.items():
                option = words("option", text)
                set_attributes(option, value=value)
                if value == chosen:
                    set_attributes(option, selected=True)


def add_text_field(name: str, label: str, value: str, hint: str = "") -> None:
    """Add a text field."""
    with box("label", "asking-field is-wide"):
        words("span", label)
        field = box("input", name=name, type="search", placeholder=hint)
        # Set once (`^`): what is typed would get lost whenever NiceGUI draws the page again.
        set_attributes(field, **{"^value": value})


def send(text: str) -> None:
    """Add the button that submits the form."""
    words("button", text, "button is-main", type="submit")


def outline_fields() -> None:
    """Outline every field that is added to the page after this; another call changes nothing."""
    for field in (ui.input, ui.textarea, ui.select, ui.number):
        field.default_props("outlined dense")


def button(
    text: str, do: Callable[[], Awaitable[Any] | Any], *, is_main: bool = False
) -> ui.element:
    """Return a button; `is_main` highlights the main button of a form."""
    made = ui.element("button").classes("button is-main" if is_main else "button")
    made.props('type="button"')
    with made:
        ui.label(text)
    made.on("click", lambda _: do())
    return made


def chat_lines() -> ui.element:
    """Return an empty list of what is said, for `add_chat_line`."""
    lines = ui.element("div").classes("chat").props('role="log" tabindex="0"')
    return lines.props('aria-label="What was said"')


def add_chat_line(lines: ui.element, who: str, text: str, *, is_mine: bool = False) -> None:
    """Add a line to a chat, and scroll to it."""
    with lines, ui.element("p").classes("chat-line" + " is-mine" * is_mine):
        ui.label(who).classes("chat-who")
        ui.label(text)
    place = f"document.getElementById({lines.html_id!r})"
    ui.run_javascript(f"setTimeout(() => {{ {place}?.scrollTo(0, 1e9) }}, 100)")


class StatusLine:
    """A line that reports the result of an action; screen readers announce its changes."""

    def __init__(self) -> None:
        self.line = ui.label("").classes("told").props('role="status" aria-live="polite"')

    def say(self, text: str) -> None:
        """Report a success."""
        self.line.set_text(text)
        self.line.classes(remove="is-trouble")

    def show(self) -> None:
        """Scroll the line into view, as on a low screen."""
        line = f"document.getElementById({self.line.html_id!r})"
        ui.run_javascript(f"setTimeout(() => {line}?.scrollIntoView({{block: 'nearest'}}), 100)")

    def complain(self, text: str) -> None:
        """Report a problem."""
        self.line.set_text(text)
        self.line.classes(add="is-trouble")

    def forgive(self) -> None:
        """Clear the reported problem, because the user is correcting it."""
        if "is-trouble" in self.line.classes:
            self.say("")

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Report errors raised in the block as sentences."""
        try:
            yield
        except TROUBLE as error:
            self.complain(sentence(error))


def sentence(error: Exception) -> str:
    """Return an error message as a sentence with a capital letter and a full stop."""
    return as_sentence(" ".join(str(error).split()) or type(error).__name__)
