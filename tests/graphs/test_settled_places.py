"""Places chosen by rule: where only one building is in question, and where no place was found."""

from dataclasses import replace

import pytest

from agents.places import sector_of
from agents.plan import block_at, lay_out, splice
from graphs.settled_places import with_named_places
from tests.fixtures.scripted import Around
from tests.graphs.minds import HOURS, body, day_plan, mind_of, spot, thinker, tick_at

AT = 480


def _placed(tasks, part_of="", first=None):
    """The spots that rules give to these tasks, which begin now; the first may have one already."""
    end = AT + sum(minutes for _, minutes in tasks)
    parts = list(lay_out(AT, tasks, part_of))
    parts[0] = replace(parts[0], spot=first)
    mind = mind_of(day_plan(blocks=splice(HOURS, AT, end, parts)))
    me = thinker(Around(tick=tick_at(AT), own=body()))
    blocks = with_named_places(me, mind).plan.blocks
    return [block_at(blocks, each.start).spot for each in parts]


@pytest.mark.parametrize(
    ("activity", "sector"),
    [("sitting at Willow Park", "Willow Park"), ("having tea at home", "Fern Cottage")],
)
def test_what_can_only_be_done_in_one_building_is_placed_by_rule(activity, sector):
    (placed,) = _placed([(activity, 50)])
    assert (sector_of(placed.place), placed.by_rule) == (sector, True)


def test_what_may_be_done_in_several_buildings_is_left_to_the_model():
    assert _placed([("zorbing down a hill", 50)]) == [None]


def test_a_whole_hour_behind_parts_is_placed_with_them():
    parts = [("sitting at Willow Park", 50), ("eating at Willow Park", 60)]
    assert [sector_of(each.place) for each in _placed(parts)] == ["Willow Park"] * 2


def test_parts_of_what_fits_no_place_stay_where_the_first_one_is():
    first = spot(nowhere=True)
    parts = [("zorbing down a hill", 30), ("zorbing again", 30), ("resting from it", 60)]
    _, second, third = _placed(parts, "zorbing", first)
    for each in (second, third):
        assert (each.place, each.nowhere, each.by_rule) == (first.place, True, True)
    assert (second.predicate, second.object) == ("is zorbing", "again")
