"""The command `smolville show`: views of a run, of a person, or of a tile."""

from typing import Annotated

import typer

from cli.options import AsJson, MaybeAgent, RunName, runs_dir

Plan = Annotated[bool, typer.Option("--plan", help="Today's plan, by the hour.")]
Memories = Annotated[bool, typer.Option("--memories", help="Everything remembered.")]
Kind = Annotated[
    str | None,
    typer.Option(
        metavar="event|thought|talk|dream",
        help="With --memories: only those of this kind.",
    ),
]
Talks = Annotated[bool, typer.Option("--talks", help="Talks, in full.")]
Thoughts = Annotated[
    bool,
    typer.Option("--thoughts", help="Why each thought began, and how its steps ended."),
]
Place = Annotated[
    bool,
    typer.Option("--place", help="Where the agent is, and the places they know."),
]
Social = Annotated[bool, typer.Option("--social", help="What the agent thinks of others.")]
TileAt = Annotated[
    str | None, typer.Option("--tile", metavar="X,Y", help="What is on a tile of the map.")
]


def show(
    context: typer.Context,
    run: RunName,
    agent: MaybeAgent = None,
    plan: Plan = False,
    memories: Memories = False,
    kind: Kind = None,
    talks: Talks = False,
    thoughts: Thoughts = False,
    place: Place = False,
    social: Social = False,
    tile: TileAt = None,
    as_json: AsJson = False,
) -> None:
    """Show who is where and does what; or one person; or a tile."""
    from cli.screen import present
    from cli.show.choosing import choose
    from reports.opening import opened_run

    asked = {
        "--plan": plan,
        "--memories": memories,
        "--talks": talks,
        "--thoughts": thoughts,
        "--place": place,
        "--social": social,
    }
    with opened_run(runs_dir(context), run) as opened:
        view = choose(opened, agent, [flag for flag, wanted in asked.items() if wanted], tile, kind)
        present(view, as_json=as_json)
