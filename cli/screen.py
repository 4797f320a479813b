"""Output of the command line: plain sentences, tables, and JSON.

All printing goes through here. Text from models, personas and operators is never treated as markup,
and cannot control the terminal: control characters are escaped (`agents.wording.visible`).
"""

import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TextIO

from smolville.agents.wording import visible, visible_line

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from smolville.models.errors import TransportError

WIDTH = 100
"""Width of the output in characters if there is no terminal, and no COLUMNS."""
NARROWEST = 40
"""Minimum width in characters that COLUMNS can set; narrower tables could not be read."""


class View(Protocol):
    """Something that can be shown to a program or to a person."""

    def plain(self) -> object:
        """Return plain data with stable keys."""
        ...

    def render(self) -> "RenderableType":
        """Return what is printed for a person."""
        ...


def console(*, on_stderr: bool = False) -> "Console":
    """Return a console on standard output, or on standard error."""
    from smolville.cli.console import PlainTextConsole

    columns = os.environ.get("COLUMNS", "")
    # Five digits or more are no width, and rich would fill as many blanks.
    is_width = columns.isdecimal() and len(columns) < 5
    width = max(int(columns), NARROWEST) if is_width else WIDTH
    is_measured = _stream(on_stderr).isatty() and not columns
    return PlainTextConsole(on_stderr=on_stderr, width=None if is_measured else width)


def say(text: str, style: str = "", *, on_stderr: bool = False) -> None:
    """Print a sentence without line breaks; wrapping is left to the terminal."""
    console(on_stderr=on_stderr).print(text, style=style or None, soft_wrap=True)


def print_problem(text: str) -> None:
    """Print what is wrong, in one line on standard error."""
    say(visible_line(text), "red", on_stderr=True)


def write(text: str, *, on_stderr: bool = False) -> None:
    """Write a text without wrapping and colours; only its control characters are escaped."""
    stream = _stream(on_stderr)
    stream.write(visible(text if text.endswith("\n") else text + "\n"))
    stream.flush()


def write_json(data: object) -> None:
    """Write plain data as JSON.

    Control characters are escaped as JSON requires, and so is what the output's encoding lacks.
    """
    is_unicode = "utf" in (sys.stdout.encoding or "utf").lower()
    written = json.dumps(data, ensure_ascii=not is_unicode, indent=2)
    write(visible(written, lambda letters: json.dumps(letters)[1:-1]))


def show_view(view: View, *, as_json: bool) -> None:
    """Show a view to a person or to a program.

    Lines too long for the screen, if rich must not wrap them, are never cropped: the terminal
    wraps them.
    """
    if as_json:
        write_json(view.plain())
    else:
        console().print(view.render(), crop=False)


def is_at_terminal() -> bool:
    """Return whether input and output are a terminal, so that somebody can read and answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def again_in(seconds: float) -> str:
    """Return a sentence on when a server is asked again."""
    return f"Asking again in {seconds:.0f} s." if seconds >= 1 else "Asking again."


def waiting_told(error: "TransportError", seconds: float) -> str:
    """Return one line with a server's error and the time of the next retry."""
    message = str(error).rstrip()
    ended = message if message.endswith((".", "?", "!")) else f"{message}."
    return visible_line(f"{ended} {again_in(seconds)}")


def say_waiting(error: "TransportError", seconds: float) -> None:
    """Print that a server does not answer, and when it is asked again."""
    say(waiting_told(error, seconds), "yellow", on_stderr=True)


def confirmed(question: str) -> bool:
    """Ask the operator, and return whether the answer is yes."""
    import typer

    return typer.confirm(visible(question))  # noqa: TID251 - the one place


def _stream(on_stderr: bool) -> TextIO:
    return sys.stderr if on_stderr else sys.stdout


MINUTE = 60.0


@contextmanager
def every_minute(told: Callable[[], str], *, seconds: float = MINUTE) -> Iterator[None]:
    """Print a line on standard error every minute while the block runs.

    `told` returns the line, empty for none; it is called in another thread.
    """
    ended = threading.Event()

    def tell() -> None:
        while not ended.wait(seconds):
            if line := told():
                say(line, "dim", on_stderr=True)

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
