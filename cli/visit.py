"""`smolville announce`, `visit` and `talk`: take part in a town from outside."""

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import RunError
from smolville.cli.options import AgentName, RunName, runs_dir
from smolville.cli.screen import console, say

if TYPE_CHECKING:
    from smolville.history.inbox import Inbox, OperatorRequest, VisitorTurn
    from smolville.history.reader import RunReader
    from smolville.reports.runs import OpenRun

Text = Annotated[str, typer.Argument(metavar="TEXT", help="The announcement that everybody hears.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help='The visitor\'s name: "Rosa Lind".')]
About = Annotated[
    str,
    typer.Option(
        "--about", metavar="WORDS", help='Who the visitor is: "a reporter from the Post".'
    ),
]
As = Annotated[str, typer.Option("--as", metavar="NAME", help="Your name in the talk.")]
At = Annotated[
    str | None, typer.Option("--at", metavar="PLACE", help='Walk in at this place: "the park".')
]
To = Annotated[str | None, typer.Option("--to", metavar="PLACE", help="Walk to another place.")]
Do = Annotated[
    str | None, typer.Option("--do", metavar="WORDS", help='Do something: "taking notes".')
]
TalkTo = Annotated[
    str | None, typer.Option("--talk", metavar="AGENT", help="Go to somebody and begin a talk.")
]
Leave = Annotated[bool, typer.Option("--leave", help="Leave the town.")]


def announce(context: typer.Context, run: RunName, text: Text) -> None:
    """Announce something to the whole town."""
    from smolville.reports.runs import opened_run
    from smolville.world.visiting.wishes import announcement

    with opened_run(runs_dir(context), run) as opened:
        _leave_wishes(opened, [announcement(text)], "Everybody hears it")


def visit(
    context: typer.Context,
    run: RunName,
    name: Name,
    about: About = "",
    at: At = None,
    to: To = None,
    do: Do = None,
    talk: TalkTo = None,
    leave: Leave = False,
) -> None:
    """Walk in as a visitor, go about, talk and leave.

    Without an option, asks you for the visitor's next lines in a talk that waits for them.
    """
    from smolville.reports.runs import opened_run
    from smolville.reports.visitors import known_name

    with opened_run(runs_dir(context), run) as opened:
        name = known_name(opened, name)
        requests = _visit_wishes(
            opened, name, about=about, at=at, to=to, do=do, talk=talk, leave=leave
        )
        left = _leave_wishes(opened, requests, f"{name} does so") if requests else []
        if talk or not requests:
            _speak(opened, name, left)


def talk(
    context: typer.Context, run: RunName, agent: AgentName, name: As, about: About = ""
) -> None:
    """Telephone somebody, as a person from outside the town."""
    from smolville.reports.runs import opened_run
    from smolville.reports.visitors import known_name
    from smolville.world.visiting.wishes import call

    with opened_run(runs_dir(context), run) as opened:
        name = known_name(opened, name)
        wish = call(name, about, opened.person(agent), town=opened.town)
        left = _leave_wishes(opened, [wish], f"{wish.target} rings {opened.person(agent)}")
        _speak(opened, wish.target, left)


def _visit_wishes(
    run: "OpenRun",
    name: str,
    *,
    about: str,
    at: str | None,
    to: str | None,
    do: str | None,
    talk: str | None,
    leave: bool,
) -> "list[OperatorRequest]":
    """Return the requests of a visitor in order: come, walk, act, talk, leave."""
    from smolville.reports.visitors import refuse_second_visit
    from smolville.world.visiting import wishes

    if about and not at:
        raise RunError("Say with --at where they walk in; --about says who walks in there.")
    requests: list[OperatorRequest] = []
    if at:
        comes = wishes.entrance(name, about, at, town=run.town, cast=run.reader.agents())
        refuse_second_visit(run, comes.target)
        requests.append(comes)
    if to:
        requests.append(wishes.walk(name, to, town_map=run.town.map))
    if do:
        requests.append(wishes.deed(name, do))
    if talk:
        requests.append(wishes.talk(name, run.person(talk)))
    if leave:
        requests.append(wishes.leave(name))
    return requests


def _leave_wishes(run: "OpenRun", requests: "Sequence[OperatorRequest]", effect: str) -> list[str]:
    """Put requests into the inbox, print their effect and when it begins, and return their ids."""
    from smolville.history.inbox import Inbox

    with Inbox(run.folder) as inbox:
        ids = [inbox.put(wish) for wish in requests]
    say(f"{effect} {run.from_when()}.")
    return ids


TALKS = ("visitor_talks", "visitor_calls")
LOOK_SECONDS = 0.2
"""Seconds between two checks of whose turn it is."""


def _speak(run: "OpenRun", name: str, left: Sequence[str]) -> None:
    """Show what is said to a visitor and ask for the visitor's lines, until the talk is over.

    Raises RunError when no process is carrying out the run, or when the talk was refused.
    """
    from smolville.history.inbox import Inbox

    shown: set[tuple[str, int]] = set()
    earlier = {talk.id for talk in run.reader.talks(name)}
    with Inbox(run.folder) as inbox:
        while True:
            turn = next((each for each in inbox.turns() if each.visitor == name), None)
            if turn is not None:
                _show(turn.talk, turn.lines, shown, name)
                _answer(inbox, turn)
                continue
            ended = [each for each in run.reader.talks(name) if each.id not in earlier]
            if ended:
                lines = tuple((line.speaker, line.text) for line in ended[-1].lines)
                _show(ended[-1].id, lines, shown, name)
                return
            _check(run, inbox, left)
            time.sleep(LOOK_SECONDS)


def _answer(inbox: "Inbox", turn: "VisitorTurn") -> None:
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
    from smolville.lab.styled import Text

    for n, (speaker, text) in enumerate(lines):
        if (talk, n) not in shown and speaker != name:
            console().print(Text.assemble((f"{speaker}: ", "bold"), text))
        shown.add((talk, n))


def _check(run: "OpenRun", inbox: "Inbox", left: Sequence[str]) -> None:
    """Raise RunError when a request was refused, or when no process is carrying out the run."""
    from smolville.history.folder import owner_of

    for wish in left:
        fate = inbox.fate(wish)
        if fate.state == "refused":
            raise RunError(f"That cannot be: {fate.why}")
    if owner_of(run.folder) is None:
        raise RunError(
            f"The run {run.folder.name!r} is not running now: continue it with "
            f"`smolville run {run.folder.name} --resume`, and speak meanwhile."
        )
    _check_admitted(run.reader, left)


def _check_admitted(reader: "RunReader", left: Sequence[str]) -> None:
    """Raise RunError when the town refused the talk."""
    for each in reader.interventions():
        if each.id not in left or each.kind not in TALKS:
            continue
        for deed in reader.deeds(each.target, each.tick, each.tick):
            if deed.outcome == "refused":
                raise RunError(f"That cannot be: {deed.reason}.")
