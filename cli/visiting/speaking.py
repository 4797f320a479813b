"""A visitor's side of a talk in the terminal: show what is said, and ask for lines."""

import sys
import time
from collections.abc import Sequence

from agents.errors import RunError
from cli.screen import console, say
from history.folder import owner_of
from history.inbox import Inbox, VisitorTurn
from history.reader import RunReader
from reports.opening import OpenRun

TALKS = ("visitor_talks", "visitor_calls")
LOOK_SECONDS = 0.2
"""Seconds between two checks of whose turn it is."""


def speak(run: OpenRun, name: str, left: Sequence[str]) -> None:
    """Show what is said to a visitor and ask for the visitor's lines, until the talk is over.

    Raises RunError when no process is carrying out the run, or when the talk was refused.
    """
    shown: set[tuple[str, int]] = set()
    told = {talk.id for talk in run.reader.talks(name)}
    with Inbox(run.folder) as inbox:
        while True:
            turn = next((each for each in inbox.turns() if each.visitor == name), None)
            if turn is not None:
                _show(turn.talk, turn.lines, shown, name)
                _answer(inbox, turn)
                continue
            ended = [each for each in run.reader.talks(name) if each.id not in told]
            if ended:
                lines = tuple((line.speaker, line.text) for line in ended[-1].lines)
                _show(ended[-1].id, lines, shown, name)
                return
            _check(run, inbox, left)
            time.sleep(LOOK_SECONDS)


def _answer(inbox: Inbox, turn: VisitorTurn) -> None:
    """Read a line from the terminal and say it; an empty line ends the talk."""
    if sys.stdin.isatty():
        say("Your line (nothing to end):", "dim", on_stderr=True)
    line = sys.stdin.readline().strip()
    if not inbox.say(turn.talk, turn.n, line, ends=not line):
        say("That came too late: the turn is over.", "yellow", on_stderr=True)


def _show(
    talk: str, lines: Sequence[tuple[str, str]], shown: set[tuple[str, int]], name: str
) -> None:
    """Show lines of others that have not been shown yet."""
    from lab.styled import Text

    for n, (speaker, text) in enumerate(lines):
        if (talk, n) not in shown and speaker != name:
            console().print(Text.assemble((f"{speaker}: ", "bold"), text))
        shown.add((talk, n))


def _check(run: OpenRun, inbox: Inbox, left: Sequence[str]) -> None:
    """Raise RunError when there is nothing to wait for."""
    for wish in left:
        fate = inbox.fate(wish)
        if fate.state == "refused":
            raise RunError(f"That cannot be: {fate.why}")
    if owner_of(run.folder) is None:
        raise RunError(
            f"Nobody lives the run {run.folder.name!r} now: let it go on with "
            f"`smolville run {run.folder.name} --resume`, and speak while it does."
        )
    _check_granted(run.reader, left)


def _check_granted(reader: RunReader, left: Sequence[str]) -> None:
    """Raise RunError when the town refused the talk."""
    for each in reader.interventions():
        if each.id not in left or each.kind not in TALKS:
            continue
        for deed in reader.deeds(each.target, each.tick, each.tick):
            if deed.outcome == "refused":
                raise RunError(f"That cannot be: {deed.reason}.")
