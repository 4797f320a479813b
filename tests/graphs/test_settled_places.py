"""Places without a question: of habits."""

from dataclasses import replace

from smolville.agents.mind import KnownPlace
from smolville.agents.norms import TownRule
from smolville.agents.places import sector_of
from smolville.agents.plan import block_at, lay_out, splice
from smolville.graphs.settled_places import spot_in, with_certain_places
from tests.fixtures.scripted import Around
from tests.graphs.minds import HOURS, PLACES, body, day_plan, mind_of, thinker, tick_at

AT = 480
COUNTER = "Copper Kettle: counter room"


def _placed(tasks, part_of="", source="", **mind):
    """The spots that rules give to these tasks, which begin now."""
    end = AT + sum(minutes for _, minutes in tasks)
    parts = [replace(each, source=source) for each in lay_out(AT, tasks, part_of)]
    known = mind_of(day_plan(blocks=splice(HOURS, AT, end, parts)), **mind)
    me = thinker(Around(tick=tick_at(AT), own=body()))
    blocks = with_certain_places(me, known).plan.blocks
    return [block_at(blocks, each.start).spot for each in parts]


def test_all_parts_of_a_habit_are_done_in_its_one_building_each_at_its_thing():
    parts = [("looking for something", 20), ("frying eggs on the stove", 20), ("eating", 20)]
    spots = _placed(parts, "having breakfast", source="habit")
    assert {sector_of(each.place) for each in spots} == {"Fern Cottage"}
    assert spots[1].place == "Fern Cottage: kitchen: stove"


def test_a_habit_at_the_shop_is_in_ones_own():
    places = PLACES | {"Corner Shop: shop": KnownPlace(), "Corner Kettle: hall": KnownPlace()}
    (spot,) = _placed([("having lunch at the kettle", 30)], source="habit", places=places)
    assert sector_of(spot.place) == "Copper Kettle"


def test_who_only_goes_somewhere_uses_nothing_there_and_nobody_what_a_rule_forbids():
    (block,) = lay_out(AT, [("going to the Copper Kettle counter", 30)], "")
    me, mind = thinker(Around(tick=tick_at(AT), own=body())), mind_of()
    assert spot_in(me, mind, block, COUNTER).place == COUNTER
    block = replace(block, activity="wiping the counter")
    assert spot_in(me, mind, block, COUNTER).place == f"{COUNTER}: counter"
    rule = TownRule(text="Nobody wipes it.", where=(f"{COUNTER}: counter",))
    assert spot_in(replace(me, norms=(rule,)), mind, block, COUNTER).place == COUNTER
