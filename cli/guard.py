"""Every command's last word: a sentence and an exit code instead of a traceback.

Whatever is printed past the console (usage errors and help, warnings, tracebacks, what libraries
say) goes through streams that no text can steer a terminal through. A console writes to the stream
beneath them, since its own codes must arrive.
"""

import contextlib
import os
import re
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TextIO, cast

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from agents.errors import SmolvilleError
from agents.wording import visible
from cli.screen import complain
from models.errors import ModelError
from prompts.errors import PromptError


class CleanStream:
    """A text stream that writes control characters out; all else is as in the stream beneath."""

    def __init__(self, beneath: TextIO) -> None:
        """Stand before a stream."""
        self.beneath = beneath

    @property
    def rich_proxied_file(self) -> TextIO:
        """The stream to which rich's consoles write: rich looks for this name."""
        return cast("TextIO", getattr(self.beneath, "rich_proxied_file", self.beneath))

    def write(self, text: str) -> int:
        """Write a text; return how many of its letters were written, which is all."""
        self.beneath.write(visible(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        """Return what the stream beneath has under this name."""
        return getattr(self.beneath, name)


def clean(stream: TextIO) -> TextIO:
    """Return a stream behind which nothing steers a terminal."""
    is_clean = stream is None or isinstance(stream, CleanStream)
    return stream if is_clean else cast("TextIO", CleanStream(stream))


def clean_for_good() -> None:
    """Clean standard output and error until the process ends: its last traceback too."""
    sys.stdout, sys.stderr = clean(sys.stdout), clean(sys.stderr)


@contextlib.contextmanager
def clean_streams() -> Iterator[None]:
    """Clean standard output and standard error while the block runs.

    A stream that was put in place meanwhile stays: typer puts one where a pipe was closed.
    """
    before = sys.stdout, sys.stderr
    clean_for_good()
    ours = sys.stdout, sys.stderr
    try:
        yield
    finally:
        if sys.stdout is ours[0]:
            sys.stdout = before[0]
        if sys.stderr is ours[1]:
            sys.stderr = before[1]


EVERYWHERE = ("--runs", "--settings", "--prompts")
"""Options of all commands alike, each with a value."""
SMALL = ("the ", "there ", "run '", "no ")
"""So begin sentences that may stand behind a name elsewhere; alone they begin with a capital."""
INTERRUPTED = 130
"""The exit code after Ctrl-C, and after SIGTERM."""


class Guard(TyperGroup):
    """The group of all commands; whatever they raise for an operator ends here.

    Errors made for an operator are shown as their sentence; anything else is a fault of the
    program and keeps its traceback.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Let `--runs DIR`, `--settings FILE` and `--prompts DIR` stand anywhere on the line."""
        return super().parse_args(ctx, with_runs_first(args))

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line; what is not printed by us steers no terminal either."""
        with clean_streams():
            return super().main(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            with _terminated_as_interrupted():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            complain("Interrupted.")
            raise typer.Exit(INTERRUPTED) from None
        except (SmolvilleError, ModelError, PromptError, TyperException) as error:
            if os.environ.get("SMOLVILLE_TRACEBACK"):
                raise
            complain(_sentence(error))
            raise typer.Exit(error.exit_code) from None


@contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """Let SIGTERM do what Ctrl-C does while the block runs, so that a command can save its work."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(_: int, frame: FrameType | None) -> None:
    """Do what SIGINT would do now, also where a shell lets its background jobs ignore that one."""
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler):
        raise KeyboardInterrupt
    handler(signal.SIGINT, frame)


def with_runs_first(args: list[str]) -> list[str]:
    """Return arguments with what holds for all commands first, where the group reads it."""
    first: list[str] = []
    rest: list[str] = []
    left = list(args)
    while left:
        word = left.pop(0)
        if word == "--":
            return [*first, *rest, word, *left]
        if word.startswith(tuple(f"{option}=" for option in EVERYWHERE)):
            first.append(word)
        elif word in EVERYWHERE and left:
            first += [word, left.pop(0)]
        else:
            rest.append(word)
    return [*first, *rest]


def _sentence(error: Exception) -> str:
    """Return what an error says, with where its command is explained for a wrong use of it."""
    if not isinstance(error, TyperException):
        said = str(error) or type(error).__name__
        is_begun_small = said.startswith(SMALL)
        return said[0].upper() + said[1:] if is_begun_small else said
    asked = getattr(error, "ctx", None)
    words = asked.command_path.split()[1:] if asked is not None else []
    command = " ".join(["smolville", *words])
    said = error.format_message().replace("Value error, ", "")
    said = re.sub(r"Input should be (?=greater|less)", "it must be ", said).rstrip(".")
    end = "" if said.endswith("?") else "."
    return f"{said}{end} ({command} --help says more.)"
