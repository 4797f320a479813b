"""The command `smolville show`: views of a run, of a person, or of a tile."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import RunError
from smolville.cli.options import AsJson, MaybeAgent, RunName, runs_dir
from smolville.cli.screen import View, show_view

if TYPE_CHECKING:
    from smolville.reports.runs import OpenRun

Plan = Annotated[
    bool,
    typer.Option("--plan", help="Today's plan, by the hour; everybody's if AGENT is left out."),
]
PersonaFlag = Annotated[
    bool,
    typer.Option(
        "--persona",
        help="The persona, and today's fixed hours, each with its source (a field or a text).",
    ),
]
Memories = Annotated[bool, typer.Option("--memories", help="All that the agent remembers.")]
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
Knowledge = Annotated[
    bool,
    typer.Option(
        "--knowledge", help="The people and things that the agent knows, and their relations."
    ),
]
TreeFlag = Annotated[
    bool, typer.Option("--tree", help="All places, the state of each object, and who is there.")
]
Goals = Annotated[
    bool, typer.Option("--goals", help="The agent's goals, and how they were revised.")
]
NeedsFlag = Annotated[
    bool, typer.Option("--needs", help="How hungry, tired or lonely somebody was, by the hour.")
]
Interviews = Annotated[
    bool,
    typer.Option(
        "--interviews",
        help="Questions and answers of interviews; everybody's if AGENT is left out.",
    ),
]
Routines = Annotated[
    bool,
    typer.Option(
        "--routines",
        help="What is done again without asking a model; everybody's if AGENT is left out.",
    ),
]
Entities = Annotated[
    bool,
    typer.Option(
        "--entities", help="Happenings caused by the world and the plot, and how their steps ended."
    ),
]
TileAt = Annotated[
    str | None, typer.Option("--tile", metavar="X,Y", help="What is on a tile of the map.")
]


def show(
    context: typer.Context,
    run: RunName,
    agent: MaybeAgent = None,
    plan: Plan = False,
    persona: PersonaFlag = False,
    memories: Memories = False,
    kind: Kind = None,
    talks: Talks = False,
    thoughts: Thoughts = False,
    place: Place = False,
    social: Social = False,
    knowledge: Knowledge = False,
    goals: Goals = False,
    needs: NeedsFlag = False,
    interviews: Interviews = False,
    routines: Routines = False,
    entities: Entities = False,
    tile: TileAt = None,
    tree: TreeFlag = False,
    as_json: AsJson = False,
) -> None:
    """Show where people are and what they do; or a person; or a tile."""
    from smolville.reports.runs import opened_run

    asked = {
        "--plan": plan,
        "--persona": persona,
        "--memories": memories,
        "--talks": talks,
        "--thoughts": thoughts,
        "--place": place,
        "--social": social,
        "--knowledge": knowledge,
        "--goals": goals,
        "--needs": needs,
        "--interviews": interviews,
        "--routines": routines,
        "--tree": tree,
        "--entities": entities,
    }
    with opened_run(runs_dir(context), run) as opened:
        view = _view(opened, agent, [flag for flag, wanted in asked.items() if wanted], tile, kind)
        show_view(view, as_json=as_json)


def _view(
    run: "OpenRun", agent: str | None, flags: Sequence[str], tile: str | None, kind: str | None
) -> View:
    """Return the view that the options ask for.

    Raises RunError for options that ask for several views, or that do not fit together.
    """
    from smolville.cli.show import mind, person, thoughts, town

    of_all: dict[str, Callable[[OpenRun], View]] = {
        "": town.town_view,
        "--plan": person.plans_view,
        "--interviews": thoughts.interviews_view,
        "--routines": mind.routines_view,
        "--tree": town.tree_view,
        "--entities": town.entities_view,
    }
    of_one: dict[str, Callable[[OpenRun, str], View]] = {
        "": person.card_view,
        "--plan": person.plan_view,
        "--persona": person.persona_view,
        "--memories": lambda run, name: mind.memories_view(run, name, kind),
        "--talks": thoughts.talks_view,
        "--thoughts": thoughts.thoughts_view,
        "--place": mind.places_view,
        "--social": mind.social_view,
        "--knowledge": mind.knowledge_view,
        "--goals": mind.goals_view,
        "--needs": mind.needs_view,
        "--interviews": thoughts.interviews_view,
        "--routines": mind.routines_view,
    }
    wanted = [*flags, *(["--tile"] if tile is not None else [])]
    if len(wanted) > 1:
        raise RunError(f"Ask for one thing at a time: {' or '.join(wanted)}.")
    if kind is not None and "--memories" not in flags:
        raise RunError("--kind goes with --memories.")
    if kind is not None and kind not in mind.KINDS:
        raise RunError(f"There is no kind of memory {kind!r}; there are: {', '.join(mind.KINDS)}.")
    if tile is not None:
        return town.tile_view(run, tile)
    flag = next(iter(flags), "")
    if agent is None:
        if flag not in of_all:
            raise RunError(f"Name a person: smolville show {run.folder.name} NAME {flag}")
        return of_all[flag](run)
    name = run.person(agent)
    if flag not in of_one:
        raise RunError(f"{flag} is not about one person; leave {agent!r} out.")
    return of_one[flag](run, name)
