"""What people and programs read: plain sentences, calm tables, and JSON.

Text from models, personas and operators is never markup: the consoles do not know any.
"""

import json
import sys
from typing import TYPE_CHECKING, Protocol

from agents.wording import one_line

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from models.errors import TransportError

WIDTH = 100
"""Columns where no terminal says how wide it is."""


class View(Protocol):
    """Something to be shown, either way."""

    def plain(self) -> object:
        """Return plain data with stable keys."""
        ...

    def render(self) -> "RenderableType":
        """Return what a person reads."""
        ...


def console(*, on_stderr: bool = False) -> "Console":
    """Return a console on standard output, or on standard error."""
    from rich.console import Console

    stream = sys.stderr if on_stderr else sys.stdout
    width = None if stream.isatty() else WIDTH
    return Console(stderr=on_stderr, markup=False, emoji=False, highlight=False, width=width)


def say(text: str, style: str = "", *, on_stderr: bool = False) -> None:
    """Print a sentence; the terminal breaks its lines, nothing else does."""
    console(on_stderr=on_stderr).print(text, style=style or None, soft_wrap=True)


def complain(text: str) -> None:
    """Tell the operator what is wrong, in one sentence on standard error."""
    say(one_line(text), "red", on_stderr=True)


def write(text: str) -> None:
    """Write a text as it is."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def write_json(data: object) -> None:
    """Write plain data as JSON."""
    write(json.dumps(data, ensure_ascii=False, indent=2))


def present(view: View, *, as_json: bool) -> None:
    """Show a view to a person or to a program.

    What must not be folded is rather broken by the terminal than cropped.
    """
    if as_json:
        write_json(view.plain())
    else:
        console().print(view.render(), crop=False)


def is_at_terminal() -> bool:
    """True when somebody sits there who reads what is said and can answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def again_in(seconds: float) -> str:
    """Return when a server is asked again, as a sentence."""
    return f"Asking again in {seconds:.0f} s." if seconds >= 1 else "Asking again."


def say_waiting(error: "TransportError", seconds: float) -> None:
    """Say that a server does not answer, and when it is asked again."""
    say(one_line(f"{error} {again_in(seconds)}"), "yellow", on_stderr=True)


def visible(text: str) -> str:
    """Return a text whose control characters are written out; its lines stay lines."""
    return "".join(
        letter
        if letter.isprintable() or letter == "\n"
        else letter.encode("unicode_escape", "replace").decode()
        for letter in text
    )
