"""What a talk settles of the plan: it is not done once more, and what is beside it has its time."""

from dataclasses import replace

import pytest

from agents.plan import Block, block_at, covers_day, splice
from graphs.appointments import agreed_soon
from graphs.frame.day import DUTY, HABIT, PROMISE
from tests.graphs.minds import day_plan, mind_of
from tests.graphs.test_appointments import ME, OTHER, TEN, concluded, held, me_at, meeting

TALK = held("I asked Theo already, he plays.", "Then I need not ask him.")
ASKING = Block(start=900, minutes=60, activity="asking Theo for his guitar")
HOURS = (
    Block(start=TEN, minutes=300, activity="serving guests", source=DUTY),
    ASKING,
    Block(start=960, minutes=60, activity="reading the letters"),
    Block(start=1020, minutes=60, activity="hanging lanterns", source=PROMISE),
    Block(start=1080, minutes=60, activity="having dinner", source=HABIT),
)


def mind_with(*more: Block, **fields):
    plan = day_plan(blocks=splice(day_plan().blocks, TEN, 1140, HOURS))
    blocks = plan.blocks
    for each in more:
        blocks = splice(blocks, each.start, each.end, [each])
    return mind_of(replace(plan, blocks=blocks), **fields)


def lanterns(*who):
    return meeting(start=1020, partners=who[1:], what="hanging lanterns", who=who, heard=who)


async def test_a_wish_that_a_talk_settles_leaves_the_plan_and_what_is_beside_it_has_its_time():
    done, model = await concluded(TALK, mind=mind_with(), settled=["15:00"])
    blocks = done.mind.plan.blocks
    assert covers_day(blocks) and not any("Theo" in each.activity for each in blocks)
    assert block_at(blocks, 900) == block_at(blocks, 1019)
    assert block_at(blocks, 900).activity == "reading the letters"
    assert done.disturbed == ""
    asked = model.asked[0].told
    assert asked["inputs"]["open"] == ["15:00", "16:00", "17:00", "19:30"]
    offered = asked["schema"]["properties"]["settled"]["items"]["enum"]
    assert offered == asked["inputs"]["open"]


async def test_what_work_and_habits_hold_is_never_settled():
    done, _ = await concluded(TALK, mind=mind_with(), settled=["10:00", "18:00"])
    assert done.mind.plan == mind_with().plan


async def test_what_is_settled_of_this_hour_asks_for_a_new_plan():
    asking = replace(ASKING, start=TEN)
    done, _ = await concluded(TALK, mind=mind_with(asking), settled=["10:00"])
    assert "Settled by it: asking Theo for his guitar." in done.disturbed


@pytest.mark.parametrize(("who", "stays"), [((ME, OTHER), False), ((ME, "Theo Lind"), True)])
async def test_an_agreement_is_settled_only_by_those_who_made_it(who, stays):
    mind = mind_with(appointments=(lanterns(*who),))
    done, model = await concluded(TALK, mind=mind, settled=["17:00"])
    assert bool(done.mind.appointments) == stays
    assert ("17:00" in model.asked[0].told["inputs"]["open"]) != stays
    blocks = done.mind.plan.blocks
    assert (block_at(blocks, 1020).activity == "hanging lanterns") == stays


async def test_a_time_span_is_read_by_its_start_and_other_times_are_left_out():
    settled = ["15:00-16:00", "03:00", "15:00"]
    done, model = await concluded(TALK, mind=mind_with(), settled=settled)
    assert len(model.asked) == 1
    assert not any("Theo" in each.activity for each in done.mind.plan.blocks)


async def test_an_answer_without_it_settles_nothing():
    done, _ = await concluded(TALK, mind=mind_with())
    assert done.mind.plan == mind_with().plan


def test_what_has_no_hour_is_over_when_its_time_in_the_plan_is():
    asking = meeting(start=None, partners=(), what=ASKING.activity, who=(ME,))
    mind = mind_with(replace(ASKING, source=PROMISE), appointments=(asking,))
    assert [len(agreed_soon(me_at(minute), mind)) for minute in (899, 959, 960)] == [1, 1, 0]
    elsewhere = mind_with(appointments=(asking,))
    assert len(agreed_soon(me_at(1000), elsewhere)) == 1
