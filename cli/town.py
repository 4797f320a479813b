"""`smolville town`: check a town's folder, show the fixed hours of its people, draw its map."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from world.town.town import Town

Folder = Annotated[
    Path | None, typer.Argument(metavar="DIR", help="A town's folder; the shipped one by default.")
]
Svg = Annotated[
    Path | None, typer.Option("--svg", metavar="FILE", help="Draw the map to this file.")
]
Habits = Annotated[
    bool,
    typer.Option(
        "--habits", help="Show everybody's fixed hours, each with its source: a field or words."
    ),
]
MOST = 20
"""Maximum number of faults printed; where there are more, most usually have one cause."""


def town(folder: Folder = None, svg: Svg = None, habits: Habits = False) -> None:
    """Check a town, list its rules and its plot; --svg draws it."""
    from agents.errors import TownError
    from cli.screen import print_problem, say, show_view
    from lab.safe_files import written_whole
    from world.town.check import check_town
    from world.town.drawing import draw_map
    from world.town.habits import habits_in_town, notes_on_habits
    from world.town.town import Town, shipped_town

    folder = folder or shipped_town()
    faults = check_town(folder)
    if faults:
        for fault in faults[:MOST]:
            print_problem(fault)
        if len(faults) > MOST:
            print_problem(f"And {len(faults) - MOST} more; mend these first.")
        raise typer.Exit(TownError.exit_code)
    found = Town.load(folder)
    places = found.map
    say(
        f"{found.name} is in order: {len(found.personas)} people, {len(places.sectors)} sectors, "
        f"{len(places.arenas)} arenas and {len(places.objects)} objects on "
        f"{places.width} x {places.height} tiles."
    )
    _say_rules(found)
    people = found.personas
    read = {name: habits_in_town(each, found.start_date) for name, each in people.items()}
    doubts = (note for name in read for note in notes_on_habits(people[name], read[name]))
    for note in (*found.notes, *doubts):
        say(note, "yellow")
    if habits:
        from cli.habits import HabitsView

        show_view(HabitsView(read), as_json=False)
    if svg is None:
        return
    with written_whole(svg) as draft:
        draft.write_text(draw_map(places), encoding="utf-8")
    say(f"The map is drawn in {svg}.")


def _say_rules(town: "Town") -> None:
    """Print a town's rules and its plot."""
    from cli.screen import say
    from world.town.norms import describe_rule
    from world.town.plot import describe_plot

    for rule in town.norms:
        say(f"Rule: {rule.text} ({describe_rule(rule)})")
    if town.plot is not None:
        say(f"Plot: {describe_plot(town.plot)}")
