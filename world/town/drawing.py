"""Draws a town as an SVG floor plan; the same town gives the same bytes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from smolville.history.records import Tile
from smolville.world.town.palette import (
    BARRIERS,
    INK,
    PAPER,
    barrier,
    ground_colours,
    room_tint,
    thing_colour,
)
from smolville.world.town.tiled import Rect
from smolville.world.town.townmap import TownMap

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
