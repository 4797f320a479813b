"""What people and programs read: plain sentences, calm tables, and JSON.

All printing goes through here. Text from models, personas and operators is never markup, and none
of it steers the terminal: control characters are written out (`agents.wording.visible`).
"""

import json
import sys
from typing import TYPE_CHECKING, Protocol, TextIO

from agents.wording import visible, visible_line

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

    from models.errors import TransportError

WIDTH = 100
"""Columns where no terminal says how wide it is."""
UNBOUND = 10_000
"""Columns of a screen on which everything is as wide as it likes."""


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
    from cli.console import PlainTextConsole

    width = None if _stream(on_stderr).isatty() else WIDTH
    return PlainTextConsole(on_stderr=on_stderr, width=width)


def least_width(table: "Table") -> int:
    """Return how many columns of a screen a table needs at least."""
    from cli.console import PlainTextConsole

    return PlainTextConsole(width=UNBOUND).measure(table).minimum


def say(text: str, style: str = "", *, on_stderr: bool = False) -> None:
    """Print a sentence; the terminal breaks its lines, nothing else does."""
    console(on_stderr=on_stderr).print(text, style=style or None, soft_wrap=True)


def complain(text: str) -> None:
    """Tell the operator what is wrong, in one sentence on standard error."""
    say(visible_line(text), "red", on_stderr=True)


def write(text: str, *, on_stderr: bool = False) -> None:
    """Write a text line by line as it is; no line is broken or coloured."""
    stream = _stream(on_stderr)
    stream.write(visible(text if text.endswith("\n") else text + "\n"))
    stream.flush()


def write_json(data: object) -> None:
    """Write plain data as JSON; what steers a terminal is escaped as JSON escapes it."""
    written = json.dumps(data, ensure_ascii=False, indent=2)
    write(visible(written, lambda letters: json.dumps(letters)[1:-1]))


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


def waiting_told(error: "TransportError", seconds: float) -> str:
    """Return what a server did, and when it is asked again, on one line."""
    told = str(error).rstrip()
    ended = told if told.endswith((".", "?", "!")) else f"{told}."
    return visible_line(f"{ended} {again_in(seconds)}")


def say_waiting(error: "TransportError", seconds: float) -> None:
    """Say that a server does not answer, and when it is asked again."""
    say(waiting_told(error, seconds), "yellow", on_stderr=True)


def confirmed(question: str, *, on_stderr: bool = False) -> bool:
    """Ask the operator, and return whether the answer is yes."""
    import typer

    return typer.confirm(visible(question), err=on_stderr)


def _stream(on_stderr: bool) -> TextIO:
    return sys.stderr if on_stderr else sys.stdout
