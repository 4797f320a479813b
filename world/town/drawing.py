"""Draws a town as an SVG floor plan, and finds ways in it; the same town gives the same bytes.

Colours go by the name of a tile, a room or an object; the page draws with the same ones.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

import numpy as np

from smolville.agents.chance import pick
from smolville.agents.errors import RunError
from smolville.agents.times import SECONDS_PER_TILE
from smolville.agents.wording import format_count
from smolville.history.records import Tile
from smolville.world.meaning import find_place
from smolville.world.town.paths import Paths
from smolville.world.town.tiled import Rect
from smolville.world.town.townmap import TownMap

INK = "#3d3a4b"
PAPER = "#fffdf7"
GRASS = "#cde2b3"

GROUND: Mapping[str, str] = {
    "grass": GRASS,
    "tall grass": "#bfd9a1",
    "flowers": "#d6e0b0",
    "meadow": "#bfd9a1",
    "path": "#eadcbd",
    "road": "#d8d3ca",
    "street": "#d8d3ca",
    "pavement": "#e1dcd2",
    "cobbles": "#dcd3c6",
    "floor": "#efe0c6",
    "wood floor": "#efdcbb",
    "tile floor": "#e7eef0",
    "stone floor": "#e2ded7",
    "carpet": "#ecd3cb",
    "sand": "#f2e6c2",
    "bridge": "#d9b98b",
    "deck": "#d9b98b",
    "door": "#d2a676",
    "gate": "#d2a676",
    "water": "#a8d4ea",
    "soil": "#cfb189",
}

BARRIERS: Mapping[str, str] = {
    "wall": INK,
    "window": "#9fd3ea",
    "water": GROUND["water"],
    "hedge": "#7fae6b",
    "fence": "#b58d5e",
    "tree": "#6fa763",
    "pine": "#4f8a63",
    "blossom": "#eba9c0",
    "rock": "#aeb0b3",
}
"""Colours of obstacles, by a word of the tile's type; all other obstacles are drawn as walls."""

THINGS: Mapping[str, str] = {
    "bed": "#b9cdf0",
    "sofa": "#d9b8d4",
    "chair": "#e6cfa8",
    "seat": "#e6cfa8",
    "bench": "#e0c08f",
    "table": "#e5c596",
    "desk": "#e5c596",
    "counter": "#e5c596",
    "shelf": "#d3b08a",
    "shelves": "#d3b08a",
    "wardrobe": "#d3b08a",
    "stove": "#c9ccd3",
    "oven": "#d8b4a0",
    "fridge": "#dfe7ec",
    "sink": "#bfe0ec",
    "shower": "#bfe0ec",
    "bath": "#bfe0ec",
    "toilet": "#dfe7ec",
    "plants": "#a9d08f",
    "garden": "#a9d08f",
    "tree": "#8fc27d",
    "piano": "#8d8a9b",
    "machine": "#c9ccd3",
}
OTHER_THING = "#f3e7cf"

ROOMS: Mapping[str, str] = {
    "bedroom": "#9db8e8",
    "bathroom": "#8fd0dc",
    "kitchen": "#f0c36d",
    "garden": "#8fc27d",
    "lawn": "#8fc27d",
}
_TINTS = ("#e8a598", "#c3a6dd", "#e8cf7f", "#93c9b6", "#dfaecb", "#a5bfe0")


def by_words(name: str, colours: Mapping[str, str]) -> str:
    """Return the colour of the longest entry whose words all occur in `name`; empty if none."""
    words = set(name.casefold().replace("-", " ").split())
    fitting = [key for key in colours if words.issuperset(key.split())]
    return colours[max(fitting, key=lambda key: (len(key), key))] if fitting else ""


def thing_colour(name: str) -> str:
    """Return the colour of an object with this name."""
    return by_words(name, THINGS) or OTHER_THING


def room_tint(name: str) -> str:
    """Return the tint of an arena with this name."""
    return by_words(name, ROOMS) or pick(_TINTS, "room", name)


def ground_colours(town_map: TownMap) -> list[list[str]]:
    """Return the colour of the ground by row and column.

    It depends on the tile's type; below furniture, or without a type, it is the colour of the floor
    around, or of grass.
    """
    gids = np.unique(town_map.ground).tolist()
    known = {gid: by_words(town_map.sheet.kinds.get(gid, ""), GROUND) for gid in gids}
    rows = [[known[gid] for gid in row] for row in town_map.ground.tolist()]
    floors = {address: _floor(town_map, address, rows) for address in town_map.arenas}
    for y, row in enumerate(rows):
        for x, colour in enumerate(row):
            row[x] = colour or floors.get(town_map.arena_at((x, y))) or GRASS
    return rows


def barrier(town_map: TownMap, tile: Tile) -> str:
    """Return the kind of barrier that blocks a tile, a key of BARRIERS; empty for an open tile."""
    gid = int(town_map.walls[tile[1], tile[0]])
    if not gid:
        return ""
    words = town_map.sheet.kinds.get(gid, "").casefold().split()
    order = ("window", "water", "hedge", "fence", "pine", "blossom", "tree", "rock")
    return next((kind for kind in order if kind in words), "wall")


def _floor(town_map: TownMap, address: str, rows: list[list[str]]) -> str:
    """Return the most frequent known colour of the ground in an arena."""
    tiles = town_map.arenas[address].rect.tiles()
    seen = Counter(rows[y][x] for x, y in tiles if rows[y][x])
    return max(sorted(seen), key=lambda colour: seen[colour], default="")


CELL = 12
"""Width of a tile in units of the picture: a map of 100 tiles is 1200 units wide."""
WAY = "#c2255c"
"""Colour of a drawn way."""


def draw_map(town_map: TownMap, way: Sequence[Tile] = ()) -> str:
    """Return an SVG floor plan of the town; the way is a line from a ring to a disc."""
    width, height = town_map.width * CELL, town_map.height * CELL
    names = (
        f'fill="{INK}" font-size="9" font-weight="700" text-anchor="middle" stroke="{PAPER}" '
        'stroke-width="2.6" stroke-linejoin="round" paint-order="stroke"'
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="Map of the town" '
        'font-family="Avenir Next, Segoe UI, Helvetica, Arial, sans-serif">',
        *_group("ground", _ground(town_map), 'shape-rendering="crispEdges"'),
        *_group("arenas", _arenas(town_map)),
        *_group("walls", _barriers(town_map), 'shape-rendering="crispEdges"'),
        *_group("objects", _objects(town_map), f'stroke="{INK}" stroke-width=".5"'),
        *_group("sector-names", _sector_names(town_map), names),
        *_group("way", _draw_way(way)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _plain(text: str) -> str:
    """Return a text fit for XML: escaped, without control characters."""
    return escape("".join(letter for letter in text if letter.isprintable()), quote=True)


def _group(name: str, items: Iterable[str], attributes: str = "") -> Iterator[str]:
    yield f'<g class="{name}" {attributes}>'.replace(" >", ">")
    yield from items
    yield "</g>"


def _sector_names(town_map: TownMap) -> Iterator[str]:
    for sector in town_map.sectors.values():
        x, y = (sector.rect.x + sector.rect.width / 2) * CELL, max(sector.rect.y * CELL, 6) + 3
        yield f'<text x="{x:.1f}" y="{y:.1f}">{_plain(sector.name)}</text>'


def _ground(town_map: TownMap) -> Iterator[str]:
    """Yield one path for each colour of the ground, made of the longest runs in each row."""
    runs: defaultdict[str, list[str]] = defaultdict(list)
    for y, row in enumerate(ground_colours(town_map)):
        start = 0
        for x in range(1, len(row) + 1):
            if x == len(row) or row[x] != row[start]:
                runs[row[start]].append(_cells(Rect(start, y, x - start, 1)))
                start = x
    yield from (f'<path fill="{colour}" d="{"".join(runs[colour])}"/>' for colour in sorted(runs))


def _barriers(town_map: TownMap) -> Iterator[str]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for x, y in town_map.frame.tiles():
        kind = barrier(town_map, (x, y))
        if kind:
            found[kind].append(_cells(Rect(x, y, 1, 1)))
    for kind in sorted(found):
        yield f'<path fill="{BARRIERS[kind]}" d="{"".join(found[kind])}"/>'


def _cells(rect: Rect) -> str:
    x, y, width, height = (value * CELL for value in (rect.x, rect.y, rect.width, rect.height))
    return f"M{x} {y}h{width}v{height}h-{width}z"


def _arenas(town_map: TownMap) -> Iterator[str]:
    for address, arena in town_map.arenas.items():
        colour = f'fill="{room_tint(arena.name)}" fill-opacity=".22"'
        yield _titled(arena.rect, 0, f'rx="2" {colour}', address)


def _objects(town_map: TownMap) -> Iterator[str]:
    """Yield each object as a small rounded shape, with its address and capacity as its title."""
    for address, item in town_map.objects.items():
        places = "1 place" if item.capacity == 1 else f"{item.capacity} places"
        colour = f'fill="{thing_colour(item.name)}" stroke-opacity=".45"'
        told = f"{address} ({item.idle_state}, {places})"
        yield _titled(item.rect, 1.25, f'rx="2.5" {colour}', told)


def _titled(rect: Rect, inset: float, attributes: str, title: str) -> str:
    """Return a rectangle of tiles, made smaller by `inset` on each side."""
    x, y = rect.x * CELL + inset, rect.y * CELL + inset
    width, height = rect.width * CELL - 2 * inset, rect.height * CELL - 2 * inset
    frame = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return f"<rect {frame} {attributes}><title>{_plain(title)}</title></rect>"


def _draw_way(way: Sequence[Tile]) -> Iterator[str]:
    if not way:
        return
    points = [((x + 0.5) * CELL, (y + 0.5) * CELL) for x, y in way]
    line = " ".join(f"{x:g},{y:g}" for x, y in points)
    shape = f'points="{line}" fill="none" stroke-linejoin="round" stroke-linecap="round"'
    yield f'<polyline {shape} stroke="{PAPER}" stroke-width="{CELL * 0.6:g}"/>'
    yield f'<polyline {shape} stroke="{WAY}" stroke-width="{CELL * 0.3:g}"/>'
    for (x, y), inside in ((points[0], PAPER), (points[-1], WAY)):
        yield (
            f'<circle cx="{x:g}" cy="{y:g}" r="{CELL * 0.5:g}" fill="{inside}" stroke="{WAY}" '
            f'stroke-width="{CELL * 0.2:g}"/>'
        )


_TILE = re.compile(r"(\d{1,5})\s*,\s*(\d{1,5})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A part of a way that lies within one place."""

    place: str
    """The place: `sector: arena`, a sector alone if between its arenas, or `outdoors`."""
    tile: Tile
    """The first tile of the part."""
    steps: int
    """Number of tiles walked before this part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """The shortest way from one place to another."""

    start: str
    """Address of the first place, or its tile as text."""
    end: str
    tiles: tuple[Tile, ...]
    """All tiles from the first to the last."""
    passages: tuple[Passage, ...]


def find_way(start: str, end: str, town_map: TownMap, paths: Paths) -> Way:
    """Return the shortest way between two places, which an operator has described.

    A place is a sector, `sector: arena`, `sector: arena: object`, or a tile `12,34`. The way begins
    in the middle of the first place and ends on the nearest tile of the second. Raises RunError
    with the nearest names if a place is unknown, and if there is no way.
    """
    first, tiles = _find_end(start, town_map)
    goal, goals = _find_end(end, town_map)
    x, y = sum(x for x, _ in tiles) // len(tiles), sum(y for _, y in tiles) // len(tiles)
    middle = min(tiles, key=lambda tile: abs(tile[0] - x) + abs(tile[1] - y))
    way = paths.path(middle, goals)
    if not way:
        raise RunError(f"No way leads from {first} to {goal}: walls are all around one of them.")
    passages, steps = list[Passage](), 0
    for place, part in groupby(way, town_map.arena_at):
        inside = list(part)
        passages.append(Passage(place=place, tile=inside[0], steps=steps))
        steps += len(inside)
    return Way(start=first, end=goal, tiles=way, passages=tuple(passages))


def _find_end(wanted: str, town_map: TownMap) -> tuple[str, tuple[Tile, ...]]:
    """Return the address of a place (or a tile as text), and its tiles where people can stand."""
    if found := _TILE.fullmatch(wanted.strip()):
        tile = int(found[1]), int(found[2])
        if not town_map.is_walkable(tile):
            raise RunError(
                f"Nobody can stand on the tile {tile[0]},{tile[1]}: it is a wall, or not on the "
                f"map of {town_map.width}x{town_map.height} tiles."
            )
        return f"{tile[0]},{tile[1]}", (tile,)
    address = find_place(wanted, town_map)
    if not town_map.tiles_of(address):
        raise RunError(f"{address} has no tile that one can stand on.")
    return address, town_map.tiles_of(address)


def format_way(way: Way) -> str:
    """Return a way as a sentence: its length and its duration."""
    steps = len(way.tiles) - 1
    minutes = steps * SECONDS_PER_TILE / 60
    told = f"{format_count(steps, 'tile')}, {minutes:.1f} minutes on foot."
    return f"From {way.start} to {way.end}: {told}"
