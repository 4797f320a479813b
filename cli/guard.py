"""Error handling of every command: a sentence and an exit code instead of a traceback.

Everything that is not printed by our console (usage errors and help, warnings, tracebacks, output
of libraries) goes through streams that escape control characters, so that no text can control the
terminal. A console writes to the stream beneath them, since its own control codes must get through.
"""

import contextlib
import io
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

from smolville.agents.errors import SmolvilleError
from smolville.agents.wording import visible
from smolville.cli.screen import print_problem
from smolville.models.errors import ModelError
from smolville.prompts.errors import PromptError


class CleanStream:
    """A text stream that escapes control characters, and passes everything on to another stream."""

    def __init__(self, beneath: TextIO) -> None:
        """Wrap a stream."""
        self.beneath = beneath

    @property
    def rich_proxied_file(self) -> TextIO:
        """The stream that rich's consoles write to; rich looks for an attribute of this name."""
        return cast("TextIO", getattr(self.beneath, "rich_proxied_file", self.beneath))

    def write(self, text: str) -> int:
        """Write a text, and return its length."""
        self.beneath.write(visible(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        """Return this attribute of the stream beneath."""
        return getattr(self.beneath, name)


def clean(stream: TextIO) -> TextIO:
    """Return the stream wrapped in a `CleanStream`; None and a clean stream stay unchanged."""
    is_clean = stream is None or isinstance(stream, CleanStream)
    return stream if is_clean else cast("TextIO", CleanStream(stream))


def clean_for_good() -> None:
    """Wrap standard output and standard error in clean streams until the process ends.

    So control characters are escaped even in the traceback with which the process may end. What a
    stream's encoding lacks becomes a question mark.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.stdout, sys.stderr = clean(sys.stdout), clean(sys.stderr)


@contextlib.contextmanager
def clean_streams() -> Iterator[None]:
    """Wrap standard output and standard error in clean streams while the block runs.

    A stream that somebody else has replaced meanwhile is left alone: typer replaces a stream whose
    pipe was closed.
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


EVERYWHERE = ("--runs", "--settings", "--prompts", "--set")
"""Options shared by all commands, each taking a value."""
SMALL = ("the ", "there ", "run '", "no ")
"""Beginnings of error texts that usually follow a name; if no name precedes them, they are
capitalised."""


WIDEST = 9
"""Width of the longest command's name, so that the sections of the help are aligned."""
INTERRUPTED = 130
"""The exit code after Ctrl-C, and after SIGTERM."""


class CommandGroup(TyperGroup):
    """The group of all commands; it handles the errors that they raise.

    Errors meant for the operator are shown as one sentence; anything else is a bug in the program
    and keeps its traceback.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Accept the options of `EVERYWHERE` anywhere in the arguments."""
        return super().parse_args(ctx, with_runs_first(args))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands in sections, each in the order in which they were added."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for name, each in self.commands.items():
            told = each.get_short_help_str(formatter.width - 6 - WIDEST)
            panel = str(getattr(each, "rich_help_panel", ""))
            sections.setdefault(panel, []).append((name.ljust(WIDEST), told))
        for title, rows in sections.items():
            with formatter.section(title):
                formatter.write_dl(rows)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line, escaping control characters in the output of libraries too."""
        with clean_streams():
            return super().main(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an error meant for the operator becomes a sentence and an exit code."""
        try:
            with _terminated_as_interrupted():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            print_problem("Interrupted.")
            raise typer.Exit(INTERRUPTED) from None
        except (SmolvilleError, ModelError, PromptError, TyperException) as error:
            # A group called without a command: typer itself prints its help.
            is_help = type(error).__name__ == "NoArgsIsHelpError"
            if is_help or os.environ.get("SMOLVILLE_TRACEBACK"):
                raise
            print_problem(_sentence(error))
            raise typer.Exit(error.exit_code) from None


@contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """Handle SIGTERM like Ctrl-C while the block runs, so that a command can save its work."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(_: int, frame: FrameType | None) -> None:
    """Do what SIGINT does, even if the shell makes its background jobs ignore SIGINT."""
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler):
        raise KeyboardInterrupt
    handler(signal.SIGINT, frame)


def with_runs_first(args: list[str]) -> list[str]:
    """Return the arguments with the options shared by all commands moved to the front."""
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
    """Return an error's message as a sentence; a usage error also names the command's --help."""
    if not isinstance(error, TyperException):
        message = str(error) or type(error).__name__
        is_begun_small = message.startswith(SMALL)
        return message[0].upper() + message[1:] if is_begun_small else message
    asked = getattr(error, "ctx", None)
    words = asked.command_path.split()[1:] if asked is not None else []
    command = " ".join(["smolville", *words])
    if hint := _setting_meant(getattr(error, "option_name", "")):
        return f"`{command}` has no option {hint}"
    message = error.format_message().replace("Value error, ", "")
    message = re.sub(r"Input should be (?=greater|less)", "it must be ", message).rstrip(".")
    end = "" if message.endswith("?") else "."
    return f"{message}{end} ({command} --help says more.)"


def _setting_meant(option: str) -> str:
    """Return an unknown option and how to set the setting that it names; empty if it names none."""
    from smolville.cli.settings.values import SETTINGS

    name = option.removeprefix("--").removeprefix("no-").replace("-", "_")
    if name not in SETTINGS:
        return ""
    value = SETTINGS[name].example or "VALUE"
    return f"{option}: set {name} in smolville.toml, or write --set {name}={value}."
