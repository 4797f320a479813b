"""Walks: connected, shortest, never through walls, always the same."""

import json
from collections import deque
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from smolville.history.records import Tile
from smolville.world.town.paths import Paths
from smolville.world.town.townmap import TownMap, read_map
from tests.fixtures.small_town import tiled_map

WIDTH, HEIGHT = 12, 9

TILES = st.tuples(st.integers(0, WIDTH - 1), st.integers(0, HEIGHT - 1))
WALLS = st.frozensets(TILES, max_size=60)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("maps")


def map_with(folder: Path, walls: frozenset[Tile]) -> TownMap:
    """A map of nothing but these walls."""
    data = tiled_map()
    data["width"], data["height"] = WIDTH, HEIGHT
    for item in data["layers"]:
        if item["type"] == "tilelayer":
            cells = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]
            item["data"] = [int(item["name"] == "walls" and cell in walls) for cell in cells]
            item["width"], item["height"] = WIDTH, HEIGHT
        else:
            item["objects"] = []
    path = folder / "map.tmj"
    path.write_text(json.dumps(data), encoding="utf-8")
    found, faults = read_map(path)
    assert not faults
    return found


def steps_by_plain_search(town_map: TownMap, start: Tile, goals: frozenset[Tile]) -> int | None:
    """The oracle: a breadth-first search as a textbook has it."""
    queue, seen = deque([(start, 0)]), {start}
    while queue:
        (x, y), steps = queue.popleft()
        if (x, y) in goals:
            return steps
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if near not in seen and town_map.is_walkable(near):
                seen.add(near)
                queue.append((near, steps + 1))
    return None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(walls=WALLS, start=TILES, goals=st.frozensets(TILES, min_size=1, max_size=4))
def test_a_path_is_connected_open_and_as_short_as_a_plain_search_finds(
    folder: Path, walls: frozenset[Tile], start: Tile, goals: frozenset[Tile]
) -> None:
    town_map = map_with(folder, walls)
    assume(town_map.is_walkable(start))
    way = Paths(town_map).path(start, goals)
    steps = steps_by_plain_search(town_map, start, goals)
    assert Paths(town_map).distance_to(start, goals) == steps
    if steps is None:
        assert way == ()
        return
    assert len(way) == steps + 1
    assert way[0] == start
    assert way[-1] in goals
    assert all(town_map.is_walkable(tile) for tile in way)
    assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a, b in pairwise(way))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(walls=WALLS, one=TILES, other=TILES, taken=st.frozensets(TILES, max_size=20))
def test_two_people_meet_on_neighbouring_open_tiles_of_the_shortest_way(
    folder: Path, walls: frozenset[Tile], one: Tile, other: Tile, taken: frozenset[Tile]
) -> None:
    town_map = map_with(folder, walls)
    paths = Paths(town_map)
    meeting = paths.meeting(one, other, taken)
    steps = paths.distance(one, other)
    if meeting is None:
        assert steps is None or (one == other and not _open_neighbours(town_map, one))
        return
    first, second = meeting
    assert town_map.is_walkable(first)
    assert town_map.is_walkable(second)
    assert paths.distance(first, second) == 1
    if steps:
        assert (paths.distance(one, first) or 0) + 1 + (paths.distance(second, other) or 0) == steps
    if steps and not taken:
        walks = (paths.distance(one, first) or 0, paths.distance(second, other) or 0)
        assert abs(walks[0] - walks[1]) <= 1


def _open_neighbours(town_map: TownMap, tile: Tile) -> list[Tile]:
    x, y = tile
    around = [(x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)]
    return [near for near in around if town_map.is_walkable(near)]


def test_a_walk_goes_straight_on_where_it_can(paths: Paths) -> None:
    way = paths.path((24, 8), [(29, 12)])
    turns = sum(
        (b[0] - a[0], b[1] - a[1]) != (c[0] - b[0], c[1] - b[1])
        for a, b, c in zip(way, way[1:], way[2:], strict=False)
    )
    assert turns == 1
