"""Draw obstacles: walls as in a floor plan, trees, hedges, rocks and water."""

from collections import defaultdict
from collections.abc import Collection, Iterator

from history.records import Tile
from world.town.palette import BARRIERS, barrier
from world.town.townmap import TownMap

THICKNESS = 0.34
"""Thickness of a wall, in tiles."""


def draw_barriers(town_map: TownMap, cell: int) -> Iterator[str]:
    """Yield SVG shapes for everything that blocks, a tile being `cell` units wide."""
    found: defaultdict[str, list[Tile]] = defaultdict(list)
    for tile in town_map.frame.tiles():
        kind = barrier(town_map, tile)
        if kind:
            found[kind].append(tile)
    for kind in ("water", "hedge"):
        yield from _filled(found[kind], BARRIERS[kind], cell)
    for kind, radius in {"rock": 0.34, "pine": 0.46, "tree": 0.52, "blossom": 0.5}.items():
        yield from _round(found[kind], BARRIERS[kind], radius, cell)
    yield from _lines(found["fence"], found["fence"], BARRIERS["fence"], THICKNESS / 2, cell)
    walls = [*found["wall"], *found["window"]]
    yield from _lines(walls, walls, BARRIERS["wall"], THICKNESS, cell)
    yield from _lines(found["window"], walls, BARRIERS["window"], THICKNESS / 2, cell)


def _filled(tiles: Collection[Tile], colour: str, cell: int) -> Iterator[str]:
    """Yield tiles as whole squares in one path."""
    if tiles:
        squares = "".join(f"M{x * cell} {y * cell}h{cell}v{cell}h-{cell}z" for x, y in tiles)
        yield f'<path fill="{colour}" d="{squares}"/>'


def _round(tiles: Collection[Tile], colour: str, radius: float, cell: int) -> Iterator[str]:
    """Yield tiles as discs with a soft rim."""
    for x, y in tiles:
        yield (
            f'<circle cx="{(x + 0.5) * cell:g}" cy="{(y + 0.5) * cell:g}" r="{radius * cell:g}" '
            f'fill="{colour}" stroke="#2f4a37" stroke-opacity=".25"/>'
        )


def _lines(
    tiles: Collection[Tile], others: Collection[Tile], colour: str, thickness: float, cell: int
) -> Iterator[str]:
    """Yield one path through the middle of `tiles`: from each, half-way to its neighbours.

    Neighbours are those of `others`; a tile without any is a dot.
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
