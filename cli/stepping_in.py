"""`smolville tell`, `set` and `visit`: requests that a run carries out at its next tick."""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import RunError
from smolville.agents.wording import check_text, format_count
from smolville.cli.options import EVERYBODY, RunName, runs_dir
from smolville.cli.screen import console, say

if TYPE_CHECKING:
    from smolville.history.inbox import Inbox, OperatorRequest, VisitorTurn
    from smolville.history.reader import RunReader
    from smolville.history.records import Tile
    from smolville.reports.runs import OpenRun

Whom = Annotated[
    str | None,
    typer.Argument(
        metavar="AGENT|everybody",
        help="Whom: their inner voice says it; everybody hears it as an announcement.",
    ),
]
Words = Annotated[str | None, typer.Argument(metavar="TEXT", help="What they are told.")]
HistoryFile = Annotated[
    Path | None,
    typer.Option(
        "--file",
        metavar="FILE.csv",
        help="Tell people their past: a file with a header Name,Whisper and a row per person.",
    ),
]
Sentence = Annotated[
    str,
    typer.Argument(metavar="SENTENCE", help='An object and its new state: "the stove is on fire".'),
]
Near = Annotated[
    str | None,
    typer.Option(
        "--near", metavar="AGENT", help="If several objects match, use the one nearest to AGENT."
    ),
]
Name = Annotated[str, typer.Argument(metavar="NAME", help='The visitor\'s name: "Rosa Lind".')]
About = Annotated[
    str,
    typer.Option(
        "--about", metavar="WORDS", help='Who the visitor is: "a reporter from the Post".'
    ),
]
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
Phone = Annotated[
    str | None,
    typer.Option("--phone", metavar="AGENT", help="Telephone somebody from outside the town."),
]
Leave = Annotated[bool, typer.Option("--leave", help="Leave the town.")]


def tell(
    context: typer.Context,
    run: RunName,
    whom: Whom = None,
    text: Words = None,
    file: HistoryFile = None,
) -> None:
    """Speak to somebody as an inner voice, or to everybody."""
    from smolville.history.inbox import OperatorRequest
    from smolville.reports.runs import opened_run
    from smolville.world.wishes import announcement

    if (file is None) == (text is None):
        raise RunError("Give a person, or everybody, and a text in quotes; or only a --file.")
    with opened_run(runs_dir(context), run) as opened:
        if file is not None:
            _tell_pasts(opened, file)
        elif str(whom).casefold() == EVERYBODY:
            _put(opened, [announcement(str(text))], "Everybody hears it")
        else:
            name, said = opened.person(str(whom)), check_text(str(text), "a whisper")
            request = OperatorRequest(kind="whisper", target=name, text=said)
            _put(opened, [request], f"{name} hears it")


def _tell_pasts(run: "OpenRun", file: Path) -> None:
    from smolville.agents.errors import TownError
    from smolville.history.inbox import OperatorRequest
    from smolville.world.town.townfiles import read_history

    pasts, faults = read_history(file, run.reader.agents())
    if faults:
        raise TownError(faults[0])
    requests = [
        OperatorRequest(kind="history", target=name, text=text)
        for name, texts in pasts.items()
        for text in texts
    ]
    people = f"{len(pasts)} people" if len(pasts) != 1 else next(iter(pasts))
    _put(run, requests, f"{format_count(len(requests), 'whisper')} for {people}, heard")


def set_state(context: typer.Context, run: RunName, sentence: Sentence, near: Near = None) -> None:
    """Set the state of an object, in plain words."""
    from smolville.reports.runs import opened_run
    from smolville.world.wishes import object_state

    with opened_run(runs_dir(context), run) as opened:
        beside = None if near is None else _tile_of(opened, opened.person(near))
        request = object_state(sentence, town_map=opened.town.map, near=beside)
        _put(opened, [request], f"{request.target} is {request.text!r}")


def _tile_of(run: "OpenRun", name: str) -> "Tile | None":
    """Return the tile an agent stands on; None before the run's first commit."""
    from smolville.reports.present import presences

    people = presences(run.reader, run.town.map, run.tick)
    return next((each.tile for each in people if each.name == name), None)


def _put(run: "OpenRun", requests: "Sequence[OperatorRequest]", effect: str) -> list[str]:
    """Put requests into the inbox, print their effect and when it begins, and return their ids."""
    from smolville.history.inbox import Inbox

    with Inbox(run.folder) as inbox:
        ids = [inbox.put(each) for each in requests]
    say(f"{effect} {run.from_when()}.")
    return ids


def visit(
    context: typer.Context,
    run: RunName,
    name: Name,
    about: About = "",
    at: At = None,
    to: To = None,
    do: Do = None,
    talk: TalkTo = None,
    phone: Phone = None,
    leave: Leave = False,
) -> None:
    """Walk in as a visitor, or telephone somebody.

    Without an option, asks you for the visitor's next lines in a talk that waits for them.
    """
    from smolville.reports.runs import known_name, opened_run
    from smolville.world.wishes import call

    if phone and (at or to or do or talk or leave):
        raise RunError("Who telephones is not in town: --phone goes with --about only.")
    with opened_run(runs_dir(context), run) as opened:
        name = known_name(opened, name)
        left: list[str] = []
        if phone:
            wish = call(name, about, opened.person(phone), town=opened.town)
            name = wish.target
            left = _put(opened, [wish], f"{name} rings {opened.person(phone)}")
        elif requests := _visit_wishes(
            opened, name, about=about, at=at, to=to, do=do, talk=talk, leave=leave
        ):
            left = _put(opened, requests, f"{name} does so")
        if talk or not left or phone:
            _speak(opened, name, left)


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
    from smolville.reports.runs import refuse_second_visit
    from smolville.world import wishes

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
    for each in reader.interventions():
        if each.id not in left or each.kind not in TALKS:
            continue
        for deed in reader.deeds(each.target, each.tick, each.tick):
            if deed.outcome == "refused":
                raise RunError(f"That cannot be: {deed.reason}.")
