"""Controls that pages share: buttons, a line that says what came of it, sentences of trouble."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from nicegui import ui

from agents.errors import SmolvilleError
from models.errors import ModelError
from prompts.errors import PromptError

TROUBLE = (SmolvilleError, ModelError, PromptError)
"""What is told as a sentence, wherever it comes up."""


def outline_fields() -> None:
    """Give every field that is drawn from now on an outline; doing it twice changes nothing."""
    for field in (ui.input, ui.textarea, ui.select, ui.number):
        field.default_props("outlined dense")


def button(
    text: str, do: Callable[[], Awaitable[Any] | Any], *, is_main: bool = False
) -> ui.element:
    """Return a button; the main one of its form stands out."""
    made = ui.element("button").classes("button is-main" if is_main else "button")
    made.props('type="button"')
    with made:
        ui.label(text)
    made.on("click", lambda _: do())
    return made


def show_last(lines: ui.element) -> None:
    """Scroll what was said so that the last line of it is seen."""
    place = f"document.getElementById({lines.html_id!r})"
    ui.run_javascript(f"setTimeout(() => {{ {place}?.scrollTo(0, 1e9) }}, 100)")


class Told:
    """A line that says what came of something; read aloud when it changes."""

    def __init__(self) -> None:
        self.line = ui.label("").classes("told").props('role="status" aria-live="polite"')

    def say(self, text: str) -> None:
        """Say that something is done."""
        self.line.set_text(text)
        self.line.classes(remove="is-trouble")

    def complain(self, text: str) -> None:
        """Say what is wrong."""
        self.line.set_text(text)
        self.line.classes(add="is-trouble")

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Say what goes wrong in the block, in its sentence."""
        try:
            yield
        except TROUBLE as error:
            self.complain(sentence(error))


def sentence(error: Exception) -> str:
    """Return what is wrong as a sentence with a capital and a full stop."""
    said = " ".join(str(error).split()) or type(error).__name__
    return said[0].upper() + said[1:] + ("" if said[-1] in ".?!" else ".")
