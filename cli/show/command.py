"""The command `smolville show`: views of a run, of a person, or of a tile."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import RunError
from smolville.cli.options import AsJson, RunName, runs_dir
from smolville.cli.screen import View, show_view

if TYPE_CHECKING:
    from smolville.reports.runs import OpenRun

OF_ALL = ("plan", "interviews", "routines", "tree", "entities")
OF_ONE = (
    *("plan", "persona", "memories", "talks", "thoughts", "place", "social", "knowledge"),
    *("goals", "needs", "interviews", "routines"),
)
Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[AGENT] [WHAT]",
        help="A full name in quotes, or a first name that is unique; and one of the words above.",
    ),
]
Kind = Annotated[
    str | None,
    typer.Option(metavar="event|thought|talk|dream", help="Of memories: only those of this kind."),
]
TileAt = Annotated[
    str | None, typer.Option("--tile", metavar="X,Y", help="What is on a tile of the map.")
]


def show(
    context: typer.Context,
    run: RunName,
    words: Words = None,
    kind: Kind = None,
    tile: TileAt = None,
    as_json: AsJson = False,
) -> None:
    r"""Show where people are and what they do; or a person; or a tile.

    Of everybody, WHAT is one of:

    \b
    plan        today's plans, by the hour
    interviews  questions and answers of interviews
    routines    what is done again without asking a model
    tree        all places, the state of each object, and who is there
    entities    what the world and the plot let happen

    Of one person also:

    \b
    persona     the persona, as its file gives it
    memories    all that is remembered
    talks       talks, in full
    thoughts    why each thought began, and how its steps ended
    place       where they are, and the places they know
    social      what they think of others
    knowledge   the people and things they know, and their relations
    goals       goals, and how they were revised
    needs       how hungry, tired or lonely they were, by the hour
    """
    from smolville.reports.runs import opened_run

    given = list(words or [])
    what = given.pop() if given and given[-1] in (*OF_ALL, *OF_ONE) else ""
    if len(given) > 1:
        raise RunError(
            f"There is no {given[-1]!r} to show: write {', '.join(dict.fromkeys(OF_ALL + OF_ONE))} "
            "after a name, and a full name in quotes."
        )
    with opened_run(runs_dir(context), run) as opened:
        show_view(_view(opened, given[0] if given else None, what, tile, kind), as_json=as_json)


def _view(run: "OpenRun", agent: str | None, what: str, tile: str | None, kind: str | None) -> View:
    """Return the view that was asked for; raise RunError for words that do not fit together."""
    from smolville.cli.show import mind, person, thoughts, town

    of_all: dict[str, Callable[[OpenRun], View]] = {
        "": town.town_view,
        "plan": person.plans_view,
        "interviews": thoughts.interviews_view,
        "routines": mind.routines_view,
        "tree": town.tree_view,
        "entities": town.entities_view,
    }
    of_one: dict[str, Callable[[OpenRun, str], View]] = {
        "": person.card_view,
        "plan": person.plan_view,
        "persona": person.persona_view,
        "memories": lambda run, name: mind.memories_view(run, name, kind),
        "talks": thoughts.talks_view,
        "thoughts": thoughts.thoughts_view,
        "place": mind.places_view,
        "social": mind.social_view,
        "knowledge": mind.knowledge_view,
        "goals": mind.goals_view,
        "needs": mind.needs_view,
        "interviews": thoughts.interviews_view,
        "routines": mind.routines_view,
    }
    if kind is not None and what != "memories":
        raise RunError("--kind is for memories.")
    if kind is not None and kind not in mind.KINDS:
        raise RunError(f"There is no kind of memory {kind!r}; there are: {', '.join(mind.KINDS)}.")
    if tile is not None:
        if agent or what:
            raise RunError("--tile is of the map: leave all other words out.")
        return town.tile_view(run, tile)
    if agent is None:
        if what not in of_all:
            raise RunError(f"Name a person: smolville show {run.folder.name} NAME {what}")
        return of_all[what](run)
    name = run.person(agent)
    if what not in of_one:
        raise RunError(f"{what} is not about one person; leave {agent!r} out.")
    return of_one[what](run, name)
