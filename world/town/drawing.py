"""Draws a town as an SVG floor plan; the same town gives the same bytes."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from types import MappingProxyType

from smolville.history.records import Tile
from smolville.world.town.labels import Box, Labels, MapLabel, lines_within
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
THICKNESS = 0.34
"""Thickness of a wall, in tiles."""


def draw_map(
    town_map: TownMap, people: Mapping[str, Tile] = NOBODY, way: Sequence[Tile] = ()
) -> str:
    """Return an SVG floor plan of the town, with people (full name to tile) at their tiles.

    The way is drawn as a line, with a ring at its beginning and a disc at its end.
    """
    width, height = town_map.width * CELL, town_map.height * CELL
    labels = Labels(width, height)
    sectors = list(_sector_labels(town_map, labels))
    rooms = list(_arena_labels(town_map, labels))
    things = list(_object_labels(town_map, labels))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="Map of the town" '
        'font-family="Avenir Next, Segoe UI, Helvetica, Arial, sans-serif">',
        *_group("ground", _ground(town_map), 'shape-rendering="crispEdges"'),
        *_group("arenas", _arenas(town_map)),
        *_group("walls", draw_barriers(town_map, CELL)),
        *_group("objects", _objects(town_map), f'stroke="{INK}" stroke-width=".5"'),
        *_group("object-names", map(_text, things), _lettering("#5d5568", 400, 0.9)),
        *_group("arena-names", map(_text, rooms), _lettering("#5d5568", 600, 1.2)),
        *_group("sector-names", map(_text, sectors), _lettering(INK, 700, 2.6)),
        *_group("way", _draw_way(way)),
        *_group("people", _people(people), f'stroke="{PAPER}" stroke-width="1"'),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def plain(text: str) -> str:
    """Return a text fit for XML: escaped, without control characters."""
    return escape("".join(letter for letter in text if letter.isprintable()), quote=True)


def _group(name: str, items: Iterable[str], attributes: str = "") -> Iterator[str]:
    """Yield the lines of an SVG group of shapes."""
    yield f'<g class="{name}" {attributes}>'.replace(" >", ">")
    yield from items
    yield "</g>"


def _lettering(colour: str, weight: int, halo: float) -> str:
    """Return the attributes for names of one kind: dark letters with a light halo."""
    return (
        f'fill="{colour}" font-weight="{weight}" text-anchor="middle" '
        f'stroke="{PAPER}" stroke-width="{halo}" stroke-linejoin="round" paint-order="stroke"'
    )


def _text(label: MapLabel) -> str:
    """Return a label as SVG text.

    SVG wants the base line of a text. It lies below the label's middle, by a third of the size.
    """
    base = label.y + label.size * 0.35
    place = f'x="{label.x:.1f}" y="{base:.1f}" font-size="{label.size:g}"'
    return f"<text {place}>{plain(label.text)}</text>"


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


def _cells(rect: Rect) -> str:
    """Return SVG path commands for a rectangle of tiles."""
    x, y, width, height = (value * CELL for value in (rect.x, rect.y, rect.width, rect.height))
    return f"M{x} {y}h{width}v{height}h-{width}z"


def _arenas(town_map: TownMap) -> Iterator[str]:
    """Yield each arena as a faintly coloured area, with its address as its title."""
    for address, arena in town_map.arenas.items():
        yield (
            f'<rect {_frame(arena.rect, 0)} rx="2" fill="{room_tint(arena.name)}" '
            f'fill-opacity=".22"><title>{plain(address)}</title></rect>'
        )


def _objects(town_map: TownMap) -> Iterator[str]:
    """Yield each object as a small rounded shape, with its address and capacity as its title."""
    for address, item in town_map.objects.items():
        places = "1 place" if item.capacity == 1 else f"{item.capacity} places"
        title = f"{address} ({item.idle_state}, {places})"
        yield (
            f'<rect {_frame(item.rect, 1.25)} rx="2.5" fill="{thing_colour(item.name)}" '
            f'stroke-opacity=".45"><title>{plain(title)}</title></rect>'
        )


def _frame(rect: Rect, inset: float) -> str:
    """Return the attributes of a rectangle of tiles, made smaller by `inset` on each side."""
    x, y = rect.x * CELL + inset, rect.y * CELL + inset
    width, height = rect.width * CELL - 2 * inset, rect.height * CELL - 2 * inset
    return f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'


def _box(rect: Rect) -> Box:
    """Return the left, top, right and bottom of a rectangle of tiles."""
    return rect.x * CELL, rect.y * CELL, rect.right * CELL, rect.bottom * CELL


def _sector_labels(town_map: TownMap, labels: Labels) -> Iterator[MapLabel]:
    """Yield the sectors' names: over the top edge, or else over the bottom edge, or else inside."""
    for sector in town_map.sectors.values():
        left, top, right, bottom = _box(sector.rect)
        middle = (left + right) / 2
        edges = [
            MapLabel(sector.name, middle, y, size)
            for size in (10.0, 9.0, 8.0)
            for y in (max(top, size * 0.6), min(bottom, labels.height - size * 0.6))
        ]
        within = lines_within(sector.name, (left, top, right, bottom), 9, 6)
        label = labels.place([*edges, *within])
        if label is not None:
            yield label


def _arena_labels(town_map: TownMap, labels: Labels) -> Iterator[MapLabel]:
    """Yield the arenas' names if there is room for them, preferably beside the objects."""
    for arena in town_map.arenas.values():
        if arena.name == arena.sector:
            continue
        things = [_box(item.rect) for item in town_map.objects_in(arena.address)]
        candidates = lines_within(arena.name, _box(arena.rect), 6.5, 4)
        label = labels.place(sorted(candidates, key=lambda label: label.covers(things)))
        if label is not None:
            yield label


def _object_labels(town_map: TownMap, labels: Labels) -> Iterator[MapLabel]:
    """Yield the objects' names if there is room for them."""
    for item in town_map.objects.values():
        left, top, right, bottom = _box(item.rect)
        wide = left - CELL / 3, top, right + CELL / 3, bottom
        label = labels.place(lines_within(item.name, wide, 4.5, 3))
        if label is not None:
            yield label


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
                f'<g><title>{plain(name)}</title><circle cx="{x:.1f}" cy="{y:.1f}" '
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


def draw_barriers(town_map: TownMap, cell: int) -> Iterator[str]:
    """Yield SVG shapes for everything that blocks; a tile is `cell` units wide."""
    found: defaultdict[str, list[Tile]] = defaultdict(list)
    for tile in town_map.frame.tiles():
        kind = barrier(town_map, tile)
        if kind:
            found[kind].append(tile)
    for kind in ("water", "hedge"):
        yield from _draw_squares(found[kind], BARRIERS[kind], cell)
    for kind, radius in {"rock": 0.34, "pine": 0.46, "tree": 0.52, "blossom": 0.5}.items():
        yield from _draw_discs(found[kind], BARRIERS[kind], radius, cell)
    yield from _lines(found["fence"], found["fence"], BARRIERS["fence"], THICKNESS / 2, cell)
    walls = [*found["wall"], *found["window"]]
    yield from _lines(walls, walls, BARRIERS["wall"], THICKNESS, cell)
    yield from _lines(found["window"], walls, BARRIERS["window"], THICKNESS / 2, cell)


def _draw_squares(tiles: Collection[Tile], colour: str, cell: int) -> Iterator[str]:
    """Yield tiles as whole squares in one path."""
    if tiles:
        squares = "".join(f"M{x * cell} {y * cell}h{cell}v{cell}h-{cell}z" for x, y in tiles)
        yield f'<path fill="{colour}" d="{squares}"/>'


def _draw_discs(tiles: Collection[Tile], colour: str, radius: float, cell: int) -> Iterator[str]:
    """Yield tiles as discs with a soft rim."""
    for x, y in tiles:
        yield (
            f'<circle cx="{(x + 0.5) * cell:g}" cy="{(y + 0.5) * cell:g}" r="{radius * cell:g}" '
            f'fill="{colour}" stroke="#2f4a37" stroke-opacity=".25"/>'
        )


def _lines(
    tiles: Collection[Tile], others: Collection[Tile], colour: str, thickness: float, cell: int
) -> Iterator[str]:
    """Yield one path with lines from the middle of each tile half-way to its neighbours.

    Neighbours are the tiles in `others`; a tile without neighbours is a dot.
    """
    if not tiles:
        return
    known = frozenset(others)
    half = cell / 2
    strokes: list[str] = []
    for x, y in tiles:
        middle = f"M{(x + 0.5) * cell:g} {(y + 0.5) * cell:g}"
        ways = {(x - 1, y): f"h-{half:g}", (x + 1, y): f"h{half:g}"}
        ways |= {(x, y - 1): f"v-{half:g}", (x, y + 1): f"v{half:g}"}
        arms = [middle + stroke for near, stroke in ways.items() if near in known]
        strokes += arms or [middle + "h0"]
    yield (
        f'<path fill="none" stroke="{colour}" stroke-width="{thickness * cell:g}" '
        f'stroke-linecap="round" stroke-linejoin="round" d="{"".join(strokes)}"/>'
    )
