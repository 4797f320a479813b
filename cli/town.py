"""`smolville town` and `town path`: check a town, draw its map, show the way between places."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.cli.options import AsJson

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.world.town.town import Town
    from smolville.world.way import Way


Folder = Annotated[
    Path | None, typer.Argument(metavar="DIR", help="A town's folder; the shipped one by default.")
]
Svg = Annotated[
    Path | None, typer.Option("--svg", metavar="FILE", help="Draw the map to this file.")
]
Habits = Annotated[
    bool,
    typer.Option(
        "--habits", help="Show everybody's fixed hours, each with its source (a field or a text)."
    ),
]
MOST = 20
"""Maximum number of faults printed; if there are more, most of them usually have one cause."""

_PLACE = (
    'A place: "sector", "sector: arena", "sector: arena: object", a tile "12,34" or "<random>".'
)
Start = Annotated[str, typer.Argument(metavar="FROM", help=_PLACE)]
End = Annotated[
    str, typer.Argument(metavar="TO", help="The place to go to, in the same form as FROM.")
]
TownFolder = Annotated[
    Path | None, typer.Option("--town", metavar="DIR", help="The town; default: the shipped one.")
]
WaySvg = Annotated[
    Path | None, typer.Option("--svg", metavar="FILE", help="Draw the way on the map to this file.")
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed", metavar="N", help="The random seed that chooses the place for <random>."
    ),
]


def town(folder: Folder = None, svg: Svg = None, habits: Habits = False) -> None:
    """Check a town, list its rules and its plot; --svg draws it."""
    from smolville.agents.errors import TownError
    from smolville.cli.screen import print_problem, say, show_view
    from smolville.graphs.frame.life import fixed_points_of_week, notes_on_habits
    from smolville.lab.safe_files import written_whole
    from smolville.world.town.check import check_town
    from smolville.world.town.drawing import draw_map
    from smolville.world.town.town import Town, shipped_town

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
    doubts = (note for each in people.values() for note in notes_on_habits(each))
    for note in (*found.notes, *doubts):
        say(note, "yellow")
    if habits:
        from smolville.cli.show.person import habits_view

        week = {name: fixed_points_of_week(each, found.start_date) for name, each in people.items()}
        show_view(habits_view(week), as_json=False)
    if svg is None:
        return
    with written_whole(svg) as draft:
        draft.write_text(draw_map(places), encoding="utf-8")
    say(f"The map is drawn in {svg}.")


def _say_rules(town: "Town") -> None:
    """Print a town's rules and its plot."""
    from smolville.cli.screen import say
    from smolville.world.town.norms import describe_rule
    from smolville.world.town.plot import describe_plot

    for rule in town.norms:
        say(f"Rule: {rule.text} ({describe_rule(rule)})")
    if town.plot is not None:
        say(f"Plot: {describe_plot(town.plot)}")


@dataclass(frozen=True)
class WayView:
    """A view of a way: one sentence, then a line per place on the way."""

    way: "Way"

    def plain(self) -> object:
        """Return the way with all its tiles."""
        return {
            "from": self.way.start,
            "to": self.way.end,
            "tiles": [list(tile) for tile in self.way.tiles],
            "steps": len(self.way.tiles) - 1,
            "seconds": self.way.seconds,
            "passages": [
                {"place": each.place, "tile": list(each.tile), "steps": each.steps}
                for each in self.way.passages
            ],
        }

    def render(self) -> "RenderableType":
        """Return the sentence and the places on the way, as printed."""
        from rich.box import SIMPLE_HEAD
        from rich.console import Group
        from rich.table import Table

        from smolville.lab.styled import Text
        from smolville.world.way import format_way

        table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for heading in ("tile", "tiles"):
            table.add_column(heading, justify="right", no_wrap=True)
        table.add_column("goes through")
        for each in self.way.passages:
            tile = Text(f"{each.tile[0]},{each.tile[1]}")
            table.add_row(tile, Text(str(each.steps)), Text(each.place))
        return Group(Text(format_way(self.way), style="bold"), table)


def town_path(
    start: Start,
    end: End,
    town: TownFolder = None,
    svg: WaySvg = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Show the shortest way between two places of a town.

    It prints the tiles, the time on foot, and the places that the way
    goes through; --svg draws it on the map.
    """
    from smolville.cli.screen import say, show_view
    from smolville.lab.safe_files import written_whole
    from smolville.world.town.drawing import draw_map
    from smolville.world.town.town import Town, shipped_town
    from smolville.world.way import find_way

    found = Town.load(town or shipped_town())
    way = find_way(start, end, found.map, found.paths, seed)
    show_view(WayView(way), as_json=as_json)
    if svg is None:
        return
    with written_whole(svg) as draft:
        draft.write_text(draw_map(found.map, way=way.tiles), encoding="utf-8")
    say(f"The way is drawn in {svg}.", on_stderr=as_json)
