"""Maps of new towns: whatever is built and drawn, everybody has a way to everything."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smolville.prompts.making import shipped_parts
from smolville.world.making.building import HEIGHT, Building, Room, place, width_of
from smolville.world.making.map_drawing import draw_town_map
from smolville.world.making.parts import read_parts
from smolville.world.town.check import label_regions, unreachable
from smolville.world.town.townmap import TownMap, read_map

PARTS = read_parts(shipped_parts())
ROOMS = st.builds(
    Room,
    name=st.sampled_from(["hall", "kitchen", "shop", "attic", "cellar"]),
    floor=st.sampled_from(["wood floor", "tile floor", "stone floor", "carpet"]),
    objects=st.lists(
        st.sampled_from(["bed", "sofa", "stove", "council table", "a box nobody drew", "piano"]),
        max_size=6,
        unique=True,
    ).map(tuple),
)
BUILDINGS = st.lists(
    st.builds(
        Building,
        name=st.text("ABCDEFGH", min_size=2, max_size=5),
        rooms=st.lists(ROOMS, min_size=1, max_size=5, unique_by=lambda room: room.name).map(tuple),
        is_home=st.booleans(),
        is_open=st.booleans(),
    ),
    min_size=1,
    max_size=30,
    unique_by=lambda building: building.name,
)


def drawn(folder: Path, buildings: list[Building], seed: int) -> tuple[TownMap, list[str]]:
    """The map of these buildings as a town reads it, and what the reader finds wrong with it."""
    path = folder / "map.tmj"
    path.write_text(draw_town_map(buildings, seed), encoding="utf-8")
    return read_map(path)


@given(buildings=BUILDINGS, seed=st.integers(0, 2**31))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_place_of_any_town_can_be_reached(
    tmp_path: Path, buildings: list[Building], seed: int
) -> None:
    town_map, faults = drawn(tmp_path, buildings, seed)
    assert faults == []
    assert list(unreachable(town_map, [])) == []
    assert len(set(label_regions(town_map).values())) == 1
    assert set(town_map.sectors) == {building.name for building in buildings}
    assert len(town_map.arenas) == sum(len(building.rooms) for building in buildings)
    for item in town_map.objects.values():
        assert all(town_map.is_walkable(tile) for tile in item.rect.tiles())


@given(buildings=BUILDINGS, seed=st.integers(0, 99))
@settings(max_examples=10)
def test_the_same_buildings_and_seed_give_the_same_map(
    buildings: list[Building], seed: int
) -> None:
    assert draw_town_map(buildings, seed) == draw_town_map(buildings, seed)


@pytest.mark.parametrize("kind", PARTS.kinds, ids=lambda kind: kind.name)
def test_a_shipped_place_has_all_its_furniture_apart_and_inside(kind) -> None:
    building = Building(name=kind.name, rooms=tuple(room.room() for room in kind.rooms))
    for is_turned in (False, True):
        placed = place(building, 10, 20, is_turned=is_turned)
        assert (placed.rect.width, placed.rect.height) == (width_of(building), HEIGHT)
        front = placed.doors[0]
        assert front[1] == (placed.rect.y if is_turned else placed.rect.bottom - 1)
        for room, asked in zip(placed.rooms, building.rooms, strict=True):
            assert [each.name for each in room.pieces] != []
            assert {each.name for each in room.pieces} == set(asked.objects)
            tiles = [tile for each in room.pieces for tile in each.rect.tiles()]
            assert len(tiles) == len(set(tiles))
            assert all(room.rect.holds(each.rect) for each in room.pieces)
            middle = room.rect.y + room.rect.height // 2
            assert all(y != middle for _, y in tiles)
