"""`smolville whisper`, `set` and `history`: requests that a run carries out at its next tick."""

from pathlib import Path
from typing import Annotated

import typer

from cli.options import AgentName, RunName, runs_dir

Text = Annotated[str, typer.Argument(metavar="TEXT", help="What the inner voice says.")]
Object = Annotated[
    str,
    typer.Argument(
        metavar="OBJECT", help='Its name or address: "stove", "Oak Cottage: kitchen: stove".'
    ),
]
State = Annotated[
    str | None,
    typer.Argument(
        metavar="[STATE]",
        help='In plain words: "on fire"; not needed if OBJECT says it: "the stove is on fire".',
    ),
]
Near = Annotated[
    str | None,
    typer.Option(
        "--near", metavar="AGENT", help="If there are several, the object nearest to this person."
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
    from agents.wording import worded
    from cli.wished import put
    from reports.opening import opened_run

    with opened_run(runs_dir(context), run) as opened:
        name = opened.person(agent)
        put(opened, "whisper", name, worded(text, "a whisper"), f"{name} hears it")


def set_state(
    context: typer.Context, run: RunName, thing: Object, state: State = None, near: Near = None
) -> None:
    """Set the state of an object, in plain words."""
    from cli.wished import object_meant, put
    from reports.opening import opened_run

    with opened_run(runs_dir(context), run) as opened:
        address, text = object_meant(opened, thing, state, near)
        put(opened, "object_state", address, text, f"{address} is {text!r}")


def history(context: typer.Context, run: RunName, file: HistoryFile) -> None:
    """Tell people about their past, from a file."""
    from cli.screen import say
    from cli.wished import put_all
    from reports.opening import opened_run
    from world.town.whispers import load_history

    with opened_run(runs_dir(context), run) as opened:
        whispers, notes = load_history(file, opened.reader.agents())
        for note in notes:
            say(note, "yellow", on_stderr=True)
        put_all(opened, whispers)
