"""Draws a town as an SVG floor plan; the same town gives the same bytes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from types import MappingProxyType

from smolville.history.records import Tile
from smolville.world.town.palette import (
    BARRIERS,
    INK,
    PAPER,
    barrier,
    coat,
    ground_colours,
    room_tint,
    thing_colour,
)
from smolville.world.town.tiled import Rect
from smolville.world.town.townmap import TownMap

CELL = 12
"""Width of a tile in units of the picture: a map of 100 tiles is 1200 units wide."""
NOBODY: Mapping[str, Tile] = MappingProxyType({})
WAY = "#c2255c"
"""Colour of a drawn way."""
_LETTER = 0.54
"""Mean width of a letter, as a fraction of the font size."""


def draw_map(
    town_map: TownMap, people: Mapping[str, Tile] = NOBODY, way: Sequence[Tile] = ()
) -> str:
    """Return an SVG floor plan of the town, with people (full name to tile) at their tiles.

    The way is drawn as a line, with a ring at its beginning and a disc at its end.
    """
    width, height = town_map.width * CELL, town_map.height * CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="Map of the town" '
        'font-family="Avenir Next, Segoe UI, Helvetica, Arial, sans-serif">',
        *_group("ground", _ground(town_map), 'shape-rendering="crispEdges"'),
        *_group("arenas", _arenas(town_map)),
        *_group("walls", _barriers(town_map), 'shape-rendering="crispEdges"'),
        *_group("objects", _objects(town_map), f'stroke="{INK}" stroke-width=".5"'),
        *_group("arena-names", _arena_names(town_map), _lettering("#5d5568", 600, 1.2)),
        *_group("sector-names", _sector_names(town_map), _lettering(INK, 700, 2.6)),
        *_group("way", _draw_way(way)),
        *_group("people", _people(people), f'stroke="{PAPER}" stroke-width="1"'),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def plain(text: str) -> str:
    """Return a text fit for XML: escaped, without control characters."""
    return escape("".join(letter for letter in text if letter.isprintable()), quote=True)


def _group(name: str, items: Iterable[str], attributes: str = "") -> Iterator[str]:
    yield f'<g class="{name}" {attributes}>'.replace(" >", ">")
    yield from items
    yield "</g>"


def _lettering(colour: str, weight: int, halo: float) -> str:
    """Return the attributes for names of one kind: dark letters with a light halo."""
    return (
        f'fill="{colour}" font-weight="{weight}" text-anchor="middle" '
        f'stroke="{PAPER}" stroke-width="{halo}" stroke-linejoin="round" paint-order="stroke"'
    )


def _name(text: str, x: float, y: float, size: float) -> str:
    """Return a name around a point; SVG wants the base line, a third of the size lower."""
    place = f'x="{x:.1f}" y="{y + size * 0.35:.1f}" font-size="{size:g}"'
    return f"<text {place}>{plain(text)}</text>"


def _sector_names(town_map: TownMap) -> Iterator[str]:
    """Yield the sectors' names, over their top edges."""
    for sector in town_map.sectors.values():
        rect = sector.rect
        yield _name(sector.name, (rect.x + rect.width / 2) * CELL, max(rect.y * CELL, 6), 9)


def _arena_names(town_map: TownMap) -> Iterator[str]:
    """Yield the arenas' names in their middles, as large as fits; those too long are left out."""
    for arena in town_map.arenas.values():
        rect = arena.rect
        size = min(6.5, rect.width * CELL / (len(arena.name) * _LETTER))
        if arena.name != arena.sector and size >= 4:
            x, y = (rect.x + rect.width / 2) * CELL, (rect.y + rect.height / 2) * CELL
            yield _name(arena.name, x, y, size)


def _ground(town_map: TownMap) -> Iterator[str]:
    """Yield one path for each colour of the ground, made of the longest runs in each row."""
    runs: defaultdict[str, list[str]] = defaultdict(list)
    for y, row in enumerate(ground_colours(town_map)):
        start = 0
        for x in range(1, len(row) + 1):
            if x == len(row) or row[x] != row[start]:
                runs[row[start]].append(_cells(Rect(start, y, x - start, 1)))
                start = x
    for colour in sorted(runs):
        yield f'<path fill="{plain(colour)}" d="{"".join(runs[colour])}"/>'


def _barriers(town_map: TownMap) -> Iterator[str]:
    """Yield one path for each kind of obstacle."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for x, y in town_map.frame.tiles():
        kind = barrier(town_map, (x, y))
        if kind:
            found[kind].append(_cells(Rect(x, y, 1, 1)))
    for kind in sorted(found):
        yield f'<path fill="{BARRIERS[kind]}" d="{"".join(found[kind])}"/>'


def _cells(rect: Rect) -> str:
    """Return SVG path commands for a rectangle of tiles."""
    x, y, width, height = (value * CELL for value in (rect.x, rect.y, rect.width, rect.height))
    return f"M{x} {y}h{width}v{height}h-{width}z"


def _arenas(town_map: TownMap) -> Iterator[str]:
    """Yield each arena as a faintly coloured area, with its address as its title."""
    for address, arena in town_map.arenas.items():
        colour = f'fill="{room_tint(arena.name)}" fill-opacity=".22"'
        yield f'<rect {_frame(arena.rect, 0)} rx="2" {colour}>{_title(address)}</rect>'


def _objects(town_map: TownMap) -> Iterator[str]:
    """Yield each object as a small rounded shape, with its address and capacity as its title."""
    for address, item in town_map.objects.items():
        places = "1 place" if item.capacity == 1 else f"{item.capacity} places"
        title = _title(f"{address} ({item.idle_state}, {places})")
        colour = f'fill="{thing_colour(item.name)}" stroke-opacity=".45"'
        yield f'<rect {_frame(item.rect, 1.25)} rx="2.5" {colour}>{title}</rect>'


def _title(text: str) -> str:
    return f"<title>{plain(text)}</title>"


def _frame(rect: Rect, inset: float) -> str:
    """Return the attributes of a rectangle of tiles, made smaller by `inset` on each side."""
    x, y = rect.x * CELL + inset, rect.y * CELL + inset
    width, height = rect.width * CELL - 2 * inset, rect.height * CELL - 2 * inset
    return f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'


def _people(people: Mapping[str, Tile]) -> Iterator[str]:
    """Yield people as discs with their initials; people on the same tile stand slightly apart."""
    standing: defaultdict[Tile, list[str]] = defaultdict(list)
    for name in sorted(people):
        standing[people[name]].append(name)
    for tile in sorted(standing, key=lambda tile: (tile[1], tile[0])):
        names = standing[tile]
        for index, name in enumerate(names):
            x = (tile[0] + 0.5) * CELL + (index - (len(names) - 1) / 2) * CELL / 3
            y = (tile[1] + 0.5) * CELL
            initials = "".join(part[0] for part in name.split()[:2])
            yield (
                f'<g>{_title(name)}<circle cx="{x:.1f}" cy="{y:.1f}" '
                f'r="{CELL * 0.6:.1f}" fill="{coat(name)}"/><text x="{x:.1f}" y="{y + 2:.1f}" '
                f'font-size="6" font-weight="700" text-anchor="middle" fill="{PAPER}" '
                f'stroke="none">{plain(initials)}</text></g>'
            )


def _draw_way(way: Sequence[Tile]) -> Iterator[str]:
    """Yield the line of a way, with its beginning and its end."""
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
