"""Find who may see something new at a tick: people who moved, or are near a change."""

from collections.abc import Iterable, Mapping

from history.records import Tile


def near(one: Tile, other: Tile) -> int:
    """Return the distance of two tiles for vision: Chebyshev, in tiles."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def watchers(
    tiles: Mapping[str, Tile], vision: Mapping[str, int], stirred: Iterable[Tile]
) -> list[str]:
    """Return the people with one of the `stirred` tiles in their box, in the order of `tiles`."""
    spots = list(stirred)
    if not spots:
        return []
    found = []
    for name, (x, y) in tiles.items():
        reach = vision[name]
        if any(abs(x - sx) <= reach and abs(y - sy) <= reach for sx, sy in spots):
            found.append(name)
    return found


def components(tiles: Mapping[str, Tile], reach: int) -> list[tuple[str, ...]]:
    """Return the groups in which everybody is linked by distances of at most `reach`."""
    left = dict(tiles)
    groups: list[tuple[str, ...]] = []
    while left:
        first = next(iter(left))
        edge, group = [left.pop(first)], [first]
        while edge:
            here = edge.pop()
            for name in [name for name, tile in left.items() if near(here, tile) <= reach]:
                edge.append(left.pop(name))
                group.append(name)
        groups.append(tuple(sorted(group)))
    return groups
