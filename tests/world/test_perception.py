"""What people see: a square box, the same arena, the nearest first."""

from dataclasses import replace

import pytest

from smolville.history.records import Intervention, Move
from tests.world.stage import ADA, BEN, CAFE, COUNTER, LAWN, MACHINE, Stage, doing, people

VISION = people()[0].vision
LAWN_WEST = (24, 8)


@pytest.mark.parametrize(("x", "y"), [(-1, -1), (0, 1), (1, 1)])
def test_the_box_is_square_its_corners_included(x: int, y: int) -> None:
    stage = Stage({ADA: (29, 11), BEN: (29 + 2 * x, 11 + 2 * y)}, people(vision=2))
    assert stage.subjects(ADA) == [BEN]


@pytest.mark.parametrize("tile", [(32, 11), (29, 14)])
def test_beyond_the_box_nothing_is_seen(tile: tuple[int, int]) -> None:
    stage = Stage({ADA: (29, 11), BEN: tile}, people(vision=2))
    assert stage.subjects(ADA) == []


def test_the_nearest_come_first_and_attention_ends() -> None:
    cast = people(6, attention=3, vision=8)
    others = [each.name for each in cast[1:]]
    tiles = {ADA: (24, 11)} | {name: (25 + step, 11) for step, name in enumerate(reversed(others))}
    stage = Stage(tiles, cast)
    assert stage.subjects(ADA) == others[::-1][:3]
    assert [percept.distance for percept in stage.seen_by(ADA)] == [1, 2, 3]


def test_whoever_sleeps_perceives_nothing_and_cannot_be_talked_to() -> None:
    stage = Stage({ADA: (25, 9), BEN: (26, 9)})
    stage.put(BEN, action=doing("sleeping"))
    assert stage.subjects(BEN) == []
    assert not stage.seen_by(ADA)[0].can_talk


def test_what_lies_beyond_the_box_cannot_be_asked_about() -> None:
    around = Stage({ADA: (3, 10)}, people(vision=3)).surroundings(ADA, 0, ())
    assert not around.is_taken(COUNTER)
    for address in ("Willow Park: lawn: bench", "Fern Cottage: bedroom: bed", "Nowhere: at: all"):
        with pytest.raises(LookupError, match="beyond"):
            around.is_taken(address)


def test_the_body_tells_where_one_stands_and_whether_one_has_arrived() -> None:
    stage = Stage({ADA: (1, 1), BEN: (5, 7)})
    assert stage.surroundings(ADA, 0, ()).body.place == "Fern Cottage: bedroom"
    assert stage.surroundings(BEN, 0, ()).body.place == "outdoors"
    stage.do(0, ada=doing("making coffee", MACHINE))
    assert not stage.surroundings(ADA, 1, ()).body.arrived
    end = stage.figures[ADA].walk.end_tick
    assert stage.surroundings(ADA, end, ()).body.arrived


def on_fire(tick: int = 0, target: str = MACHINE) -> Intervention:
    return Intervention(id="x", tick=tick, kind="object_state", target=target, text="on fire")


def test_an_unusual_state_that_is_nobodys_doing_is_noticed() -> None:
    stage = Stage({ADA: (3, 10), BEN: (25, 9)})
    assert stage.subjects(ADA) == []
    stage.deliver(on_fire())
    (percept,) = stage.seen_by(ADA)
    assert percept.text == "the coffee machine is on fire"
    assert (percept.subject, percept.is_person, percept.origin) == (MACHINE, False, 0)
    assert stage.shown(ADA) == {"coffee machine": "on fire"}
    assert stage.subjects(BEN) == []


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (CAFE, f"{BEN} is on the way to Copper Kettle"),
        (LAWN, f"{BEN} is looking about"),
        (f"{LAWN}: bench", f"{BEN} is looking about"),
        ("Willow Park", f"{BEN} is looking about"),
    ],
)
def test_only_who_goes_to_another_room_is_on_the_way(place: str, text: str) -> None:
    stage = Stage({ADA: (27, 11), BEN: (24, 11)})
    walk = Move(agent=BEN, tick=10, end_tick=40, path=tuple((x, 11) for x in range(24, 34)))
    action = doing("looking about", place, object="the ducks")
    stage.figures[BEN] = replace(stage.figures[BEN], walk=walk, action=action)
    (seen,) = stage.seen_by(ADA, 11)
    assert seen.text == text
    assert seen.object == ("the ducks" if place != CAFE else "on the way to Copper Kettle")


@pytest.mark.parametrize(("start", "stays"), [((24, 11), True), ((5, 9), False)])
def test_who_begins_something_where_they_are_has_not_come_in(
    start: tuple[int, int], stays: bool
) -> None:
    stage = Stage({ADA: (27, 11), BEN: start})
    action = doing("looking about", LAWN, start=stage.clock.at(10))
    walk = Move(agent=BEN, tick=10, end_tick=12, path=(start, (26, 11), (26, 11)))
    stage.figures[BEN] = replace(stage.figures[BEN], walk=walk, action=action)
    (seen,) = stage.seen_by(ADA, 20)
    assert (seen.subject, seen.stays) == (BEN, stays)
