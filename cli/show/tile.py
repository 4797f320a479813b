"""What is on a tile of the map: the place, its objects and their states, and who stands there."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.errors import RunError
from cli.show.town import doing, plain_presence
from history.records import Tile
from reports.opening import OpenRun
from reports.present import Presence, objects_on, presences, standing_on

if TYPE_CHECKING:
    from rich.console import RenderableType

_TILE = re.compile(r"\s*\(?\s*(\d{1,5})\s*[,x ]\s*(\d{1,5})\s*\)?\s*")


@dataclass(frozen=True)
class TileView:
    """One tile at the watermark."""

    tile: Tile
    is_walkable: bool
    place: str
    objects: dict[str, str]
    """State of each object on the tile, by address."""
    people: list[Presence]

    def plain(self) -> object:
        """Return the tile."""
        return {
            "tile": list(self.tile),
            "walkable": self.is_walkable,
            "place": self.place,
            "objects": [{"address": a, "state": state} for a, state in self.objects.items()],
            "agents": [plain_presence(each) for each in self.people],
        }

    def render(self) -> "RenderableType":
        """Return the tile in a few lines."""
        from rich.table import Table

        from lab.styled import Text

        table = Table.grid(padding=(0, 2))
        table.add_column(style="dim", no_wrap=True)
        table.add_column()
        walkable = "one can walk here" if self.is_walkable else "blocked"
        table.add_row("tile", Text(f"{self.tile[0]},{self.tile[1]} · {walkable}", style="bold"))
        table.add_row("place", self.place)
        for address, state in self.objects.items():
            table.add_row("object", f"{address}: {state}")
        for each in self.people:
            table.add_row("here", f"{each.name}: {doing(each)}")
        return table


def tile_view(run: OpenRun, text: str) -> TileView:
    """Return what is on the tile written as `X,Y`; raise RunError if it is not on the map."""
    tile = read_tile(text)
    town_map = run.town.map
    if tile not in town_map.frame:
        raise RunError(
            f"--tile {text!r} is not on the map; columns go from 0 to {town_map.width - 1}, "
            f"rows from 0 to {town_map.height - 1}."
        )
    with run.reader.snapshot():
        states = run.reader.object_states(run.tick)
        people = presences(run.reader, town_map, run.tick)
    return TileView(
        tile=tile,
        is_walkable=town_map.is_walkable(tile),
        place=town_map.arena_at(tile),
        objects=objects_on(town_map, tile, states),
        people=standing_on(people, tile),
    )


def read_tile(text: str) -> Tile:
    """Parse a tile written as `X,Y`; RunError says how to write it."""
    found = _TILE.fullmatch(text)
    if found is None:
        raise RunError(f"--tile cannot be {text!r}: write column and row, as 34,12.")
    return int(found[1]), int(found[2])
