"""`smolville town`: check a town, draw its map, show the way between two places."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from smolville.world.town.drawing import Way
    from smolville.world.town.town import Town


Folder = Annotated[
    Path | None, typer.Argument(metavar="DIR", help="A town's folder; the shipped one by default.")
]
Svg = Annotated[
    Path | None, typer.Option("--svg", metavar="FILE", help="Draw the map to this file.")
]
MOST = 20
"""Maximum number of faults printed; if there are more, most of them usually have one cause."""

Way_ = Annotated[
    tuple[str, str] | None,
    typer.Option(
        "--path",
        metavar="FROM TO",
        help='The shortest way between two places, each as "sector", "sector: arena", "sector: '
        'arena: object", a tile "12,34" or "<random>".',
    ),
]


def town(folder: Folder = None, svg: Svg = None, path: Way_ = None) -> None:
    """Check a town, draw it, or show a way in it.

    --path prints the tiles, the time on foot, and the places that the way goes through; --svg then
    draws it on the map.
    """
    from smolville.agents.errors import TownError
    from smolville.cli.screen import print_problem, say
    from smolville.graphs.frame import notes_on_habits
    from smolville.world.town.drawing import draw_map
    from smolville.world.town.town import Town, check_town, shipped_town

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
    if path is not None:
        from smolville.world.town.drawing import find_way

        way = find_way(*path, places, found.paths)
        _show_way(way)
        _draw(svg, draw_map(places, way=way.tiles), "way")
        return
    say(
        f"{found.name} is in order: {len(found.personas)} people, {len(places.sectors)} sectors, "
        f"{len(places.arenas)} arenas and {len(places.objects)} objects on "
        f"{places.width} x {places.height} tiles."
    )
    _say_rules(found)
    for each in found.personas.values():
        for note in notes_on_habits(each):
            say(note, "yellow")
    _draw(svg, draw_map(places), "map")


def _draw(file: Path | None, drawing: str, what: str) -> None:
    from smolville.cli.screen import say
    from smolville.lab.safe_files import written_whole

    if file is not None:
        with written_whole(file) as draft:
            draft.write_text(drawing, encoding="utf-8")
        say(f"The {what} is drawn in {file}.")


def _say_rules(town: "Town") -> None:
    from smolville.agents.wording import format_count
    from smolville.cli.screen import say

    for rule in town.norms:
        say(f"Rule: {rule.text}")
    if town.plot is not None:
        say(f"Plot: {town.plot.title} ({format_count(len(town.plot.acts), 'act')})")


def _show_way(way: "Way") -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from smolville.cli.screen import console, say
    from smolville.lab.styled import Text
    from smolville.world.town.drawing import format_way

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for heading in ("tile", "tiles"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("goes through")
    for each in way.passages:
        tile = Text(f"{each.tile[0]},{each.tile[1]}")
        table.add_row(tile, Text(str(each.steps)), Text(each.place))
    say(format_way(way), "bold")
    console().print(table, crop=False)
