"""`smolville whisper`, `set` and `history`: requests that a run carries out at its next tick."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from smolville.agents.wording import check_text
from smolville.cli.options import AgentName, RunName, runs_dir
from smolville.cli.screen import say

if TYPE_CHECKING:
    from smolville.history.records import Tile
    from smolville.reports.runs import OpenRun

Text = Annotated[str, typer.Argument(metavar="TEXT", help="What the inner voice says.")]
Object = Annotated[
    str,
    typer.Argument(metavar="OBJECT", help='The object: "stove", "Oak Cottage: kitchen: stove".'),
]
State = Annotated[
    str | None,
    typer.Argument(
        metavar="[STATE]",
        help='Its new state, such as "on fire"; omit it if OBJECT says it: "the stove is on fire".',
    ),
]
Near = Annotated[
    str | None,
    typer.Option(
        "--near", metavar="AGENT", help="If several objects match, use the one nearest to AGENT."
    ),
]
HistoryFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE.csv", help="A file with a header Name,Whisper and a row per person."
    ),
]


def whisper(context: typer.Context, run: RunName, agent: AgentName, text: Text) -> None:
    """Speak to somebody as their inner voice."""
    from smolville.reports.runs import opened_run

    with opened_run(runs_dir(context), run) as opened:
        name = opened.person(agent)
        _put_request(opened, "whisper", name, check_text(text, "a whisper"), f"{name} hears it")


def set_state(
    context: typer.Context, run: RunName, thing: Object, state: State = None, near: Near = None
) -> None:
    """Set the state of an object, in plain words."""
    from smolville.reports.runs import opened_run

    with opened_run(runs_dir(context), run) as opened:
        address, text = _object_meant(opened, thing, state, near)
        _put_request(opened, "object_state", address, text, f"{address} is {text!r}")


def history(context: typer.Context, run: RunName, file: HistoryFile) -> None:
    """Tell people about their past, from a file."""
    from smolville.reports.runs import opened_run
    from smolville.world.town.whispers import load_history

    with opened_run(runs_dir(context), run) as opened:
        whispers, notes = load_history(file, opened.reader.agents())
        for note in notes:
            say(note, "yellow", on_stderr=True)
        _put_all(opened, whispers)


def _put_request(
    run: "OpenRun", kind: Literal["whisper", "object_state"], target: str, text: str, effect: str
) -> None:
    """Put one request into the inbox, and print its effect and when the effect begins."""
    from smolville.history.inbox import Inbox, OperatorRequest

    with Inbox(run.folder) as inbox:
        inbox.put(OperatorRequest(kind=kind, target=target, text=text))
    say(f"{effect} {run.from_when()}.")


def _object_meant(
    run: "OpenRun", thing: str, state: str | None, near: str | None
) -> tuple[str, str]:
    """Return the address of the object that is meant, and its new state.

    Without a state, `thing` is a sentence that names the object and its state.
    """
    from smolville.world.meaning import find_thing, read_object_wish

    beside = None if near is None else _tile_of(run, run.person(near))
    if state is not None:
        return find_thing(thing, run.town.map, beside), check_text(state, "a state")
    meant = read_object_wish(thing, run.town.map, beside)
    return meant.address, meant.state


def _tile_of(run: "OpenRun", name: str) -> "Tile | None":
    """Return the tile an agent stands on; None before the run's first commit."""
    from smolville.reports.present import presences

    people = presences(run.reader, run.town.map, run.tick)
    return next((each.tile for each in people if each.name == name), None)


def _put_all(run: "OpenRun", whispers: Mapping[str, Sequence[str]]) -> None:
    """Put the whispers of a history file into the inbox, and print how many."""
    from smolville.history.inbox import Inbox, OperatorRequest

    with Inbox(run.folder) as inbox:
        for name, texts in whispers.items():
            for text in texts:
                inbox.put(OperatorRequest(kind="history", target=name, text=text))
    count = sum(len(texts) for texts in whispers.values())
    people = f"{len(whispers)} people" if len(whispers) != 1 else next(iter(whispers))
    say(f"{count} whispers for {people}, heard {run.from_when()}.")
