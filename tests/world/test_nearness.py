"""Steps to a room, measured nearby, against the shortest paths over the whole map."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smolville.history.records import Tile
from smolville.world.town.paths import FARTHEST, Approaches, Paths
from smolville.world.town.town import Town, shipped_town
from smolville.world.town.townmap import TownMap


@pytest.fixture(scope="module")
def town_map() -> TownMap:
    """The shipped town's map."""
    return Town.load(shipped_town()).map


def nearest(town_map: TownMap, room: int, tile: Tile) -> int:
    """The steps to a room's nearest tile, by another way of measuring."""
    rows, columns = np.nonzero((town_map.room_at == room) & ~town_map.blocked)
    goals = list(zip(columns.tolist(), rows.tolist(), strict=True))
    steps = Paths(town_map).distance_to(tile, goals)
    return FARTHEST + 1 if steps is None else min(steps, FARTHEST + 1)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_steps_are_those_of_the_shortest_path(data: st.DataObject, town_map: TownMap) -> None:
    rooms = [number for number in range(len(town_map.rooms)) if (town_map.room_at == number).any()]
    room = data.draw(st.sampled_from(rooms))
    rows, columns = np.nonzero(~town_map.blocked)
    place = data.draw(st.integers(0, len(rows) - 1))
    tile = (int(columns[place]), int(rows[place]))
    approaches = Approaches(town_map)
    expected = nearest(town_map, room, tile)
    assert approaches.steps(room, np.array([tile]))[0] == expected
    assert approaches.steps_from(tile, [room, room]) == [expected, expected]
