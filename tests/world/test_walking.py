"""Walking: a tenth of a tile a second, whatever a tick is; a new wish ends a walk where it is."""

import pytest

from smolville.history.records import Move
from tests.world.stage import ADA, BEN, LAWN, Stage, doing

TICKS = (1, 7, 10, 60, 600)


@pytest.mark.parametrize("seconds", TICKS)
def test_a_walk_takes_ten_seconds_a_tile_rounded_up_to_whole_ticks(seconds: int) -> None:
    stage = Stage({ADA: (1, 1)}, tick=seconds)
    (move,) = stage.do(3, ada=doing("going out", LAWN)).moves
    tiles = len(move.path) - 1
    assert (move.tick, move.path[0]) == (3, (1, 1))
    assert move.end_tick == 3 + -(-tiles * 10 // seconds)
    assert stage.state.tiles(move.end_tick)[ADA] == move.path[-1]
    assert stage.state.tiles(move.end_tick - 1)[ADA] != move.path[-1]


def test_whoever_stops_on_the_way_is_told_to_stand_there() -> None:
    stage = Stage({ADA: (1, 1)})
    (first,) = stage.do(0, ada=doing("going out", LAWN)).moves
    waiting = doing("waiting", "outdoors", kind="wait")
    assert stage.do(4, ada=waiting).moves == [
        Move(agent=ADA, tick=4, end_tick=4, path=(first.path[4],))
    ]
    assert stage.state.tiles(20)[ADA] == first.path[4]


def test_tiles_where_others_stand_are_left_to_them() -> None:
    stage = Stage({ADA: (26, 10), BEN: (27, 10)})
    bench = "Willow Park: lawn: bench"
    (move,) = stage.do(0, ada=doing("sitting", bench)).moves
    assert move.path[-1] == (28, 10)


@pytest.mark.parametrize(
    "place", ["Nowhere: at all", "Nowhere: at: all", "Copper Kettle: attic", ""]
)
def test_a_place_that_is_not_there_is_refused(place: str) -> None:
    stage = Stage({ADA: (25, 9)})
    before = stage.figures[ADA].action
    (deed,) = stage.do(0, ada=doing("dreaming", place)).deeds
    assert (deed.outcome, deed.reason) == ("refused", f"there is no way to {place!r}")
    body = stage.surroundings(ADA, 1, ()).body
    assert (body.refused_place, body.action) == (place, before)
    assert stage.kinds(1)[ADA] == ["refused"]
