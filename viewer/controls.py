"""Controls shared by pages: buttons, a status line, and error sentences."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from nicegui import ui

from smolville.agents.errors import SmolvilleError
from smolville.agents.wording import as_sentence
from smolville.models.errors import ModelError
from smolville.prompts.errors import PromptError

TROUBLE = (SmolvilleError, ModelError, PromptError)
"""Errors that are shown to the user as a sentence."""
NO_ANSWER = " (no answer of the model: fallback)"
"""What follows the name of whoever says a line that a fallback chose."""


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
