"""Places, look-ups and boxes of sight."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smolville.history.records import Tile
from smolville.world.town.townmap import TownMap
from tests.fixtures.small_town import edit_map, layer

BEDROOM = "Fern Cottage: bedroom"


def test_a_tile_knows_its_arena_its_sector_or_the_outdoors(town_map: TownMap) -> None:
    assert town_map.arena_at((1, 1)) == BEDROOM
    assert town_map.arena_at((4, 3)) == "Fern Cottage"
    assert town_map.arena_at((10, 7)) == "outdoors"
    assert town_map.arena_at((30, 9)) == "Willow Park: lawn"
    assert town_map.arena_at((-1, 0)) == town_map.arena_at((34, 15)) == "outdoors"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.tuples(st.integers(0, 33), st.integers(0, 14)), st.integers(0, 12))
def test_sights_are_what_a_look_at_every_tile_of_the_box_finds(
    town_map: TownMap, tile: Tile, radius: int
) -> None:
    def is_seen(address: str) -> bool:
        tiles = town_map.tiles_of(address)
        return any(max(abs(x - tile[0]), abs(y - tile[1])) <= radius for x, y in tiles)

    sight = town_map.sights(tile, radius)
    assert sight.arenas == tuple(filter(is_seen, town_map.arenas))
    assert sight.objects == tuple(filter(is_seen, town_map.objects))


def test_flipped_tiles_block_like_any_other(small_town: Path) -> None:
    edit_map(small_town, lambda data: _flip(data))
    town_map = TownMap.load(small_town / "map.tmj")
    assert town_map.walls[0, 0] == 3
    assert not town_map.is_walkable((0, 0))
    assert town_map.is_walkable((1, 1))


def _flip(data: dict[str, list[dict[str, object]]]) -> None:
    cells = layer(data, "walls")["data"]
    cells[0] |= 0xA0000000
    cells[35] |= 0x80000000
