"""`smolville town path`: the shortest way between two places, and what it crosses."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import AsJson

if TYPE_CHECKING:
    from rich.console import RenderableType

    from world.way import Way

_PLACE = (
    'A place: "sector", "sector: arena", "sector: arena: object", a tile "12,34" or "<random>".'
)
Start = Annotated[str, typer.Argument(metavar="FROM", help=_PLACE)]
End = Annotated[str, typer.Argument(metavar="TO", help="Another place, given in the same way.")]
TownFolder = Annotated[
    Path | None, typer.Option("--town", metavar="DIR", help="The town; default: the shipped one.")
]
Svg = Annotated[
    Path | None, typer.Option("--svg", metavar="FILE", help="Draw the way on the map to this file.")
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed", metavar="N", help="The random seed that chooses the place for <random>."
    ),
]


@dataclass(frozen=True)
class WayView:
    """A way for the terminal: one sentence, then a line per place that it goes through."""

    way: "Way"

    def plain(self) -> object:
        """Return the way with all its tiles."""
        return {
            "from": self.way.start,
            "to": self.way.end,
            "tiles": [list(tile) for tile in self.way.tiles],
            "steps": len(self.way.tiles) - 1,
            "seconds": self.way.seconds,
            "doors": self.way.doors,
            "passages": [
                {
                    "place": each.place,
                    "tile": list(each.tile),
                    "steps": each.steps,
                    "door": each.is_door,
                }
                for each in self.way.passages
            ],
        }

    def render(self) -> "RenderableType":
        """Return the sentence and the places on the way, as printed."""
        from rich.box import SIMPLE_HEAD
        from rich.console import Group
        from rich.table import Table

        from lab.styled import Text
        from world.way import format_way

        table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for heading in ("tile", "tiles"):
            table.add_column(heading, justify="right", no_wrap=True)
        table.add_column("goes through")
        for each in self.way.passages:
            place = Text(each.place)
            if each.is_door:
                place.append("  by a door", "dim")
            table.add_row(Text(f"{each.tile[0]},{each.tile[1]}"), Text(str(each.steps)), place)
        return Group(Text(format_way(self.way), style="bold"), table)


def town_path(
    start: Start,
    end: End,
    town: TownFolder = None,
    svg: Svg = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Show the shortest way between two places of a town.

    It prints the tiles, the time on foot, and the places and doors that the way
    goes through; --svg draws it on the map.
    """
    from cli.screen import say, show_view
    from lab.safe_files import written_whole
    from world.town.drawing import draw_map
    from world.town.town import Town, shipped_town
    from world.way import find_way

    found = Town.load(town or shipped_town())
    way = find_way(start, end, found.map, found.paths, seed)
    show_view(WayView(way), as_json=as_json)
    if svg is None:
        return
    with written_whole(svg) as draft:
        draft.write_text(draw_map(found.map, way=way.tiles), encoding="utf-8")
    say(f"The way is drawn in {svg}.", on_stderr=as_json)
