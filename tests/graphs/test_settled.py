"""What a talk settles of the plan: it is not done once more, and what is beside it has its time."""

from dataclasses import replace

import pytest

from smolville.agents.plan import Block, block_at, splice
from smolville.graphs import replan
from smolville.graphs.appointments import agreed_soon, agreed_with
from smolville.graphs.frame import DUTY, FREE, HABIT, OPEN, PROMISE
from smolville.graphs.state import MindState
from tests.agents.days import covers_day
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import body, context_for, day_plan, doing, mind_of, tick_at
from tests.graphs.replies import good
from tests.graphs.test_appointments import (
    ME,
    OTHER,
    TEN,
    agreed,
    concluded,
    held,
    looked,
    me_at,
    meeting,
)

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


async def test_a_wish_that_a_talk_settles_leaves_the_plan_and_frees_its_hour():
    done, model = await concluded(TALK, mind=mind_with(), settled=["15:00"])
    blocks = done.mind.plan.blocks
    assert covers_day(blocks) and not any("Theo" in each.activity for each in blocks)
    assert (block_at(blocks, 900).activity, block_at(blocks, 900).source) == (FREE, OPEN)
    assert done.disturbed == ""
    asked = model.asked[0].told
    assert asked["inputs"]["open"] == ["15:00", "16:00", "17:00", "19:30"]
    offered = asked["schema"]["properties"]["settled"]["items"]["enum"]
    assert offered == asked["inputs"]["open"]


async def test_what_is_beside_something_short_that_is_settled_has_its_time():
    short = replace(ASKING, minutes=30)
    after = replace(HOURS[2], start=930, minutes=90)
    done, _ = await concluded(TALK, mind=mind_with(short, after), settled=["15:00"])
    blocks = done.mind.plan.blocks
    assert block_at(blocks, 900) == block_at(blocks, 1019)
    assert block_at(blocks, 900).activity == "reading the letters"


async def test_only_the_next_lines_can_be_settled_and_no_meeting_that_goes_on():
    going_on = replace(HOURS[3], start=TEN, activity="celebrating")
    late = tuple(
        Block(start=1140 + 10 * n, minutes=10, activity=f"sorting box {n}") for n in range(9)
    )
    party = meeting(start=TEN, what="celebrating")
    mind = mind_with(going_on, *late, appointments=(party,))
    _, model = await concluded(TALK, mind=mind)
    asked = model.asked[0].told["inputs"]
    assert asked["open"] == ["15:00", "16:00", "17:00", "19:00", "19:10"]
    assert [each[:5] for each in asked["plan"]] == asked["open"]


async def test_what_is_settled_of_this_hour_asks_for_a_new_plan():
    asking = replace(ASKING, start=TEN)
    done, _ = await concluded(TALK, mind=mind_with(asking), settled=["10:00"])
    assert "Settled by it: asking Theo for his guitar." in done.disturbed
    assert block_at(done.mind.plan.blocks, TEN).source == OPEN
    around = Around(tick=tick_at(TEN), own=body(doing()))
    context = context_for(Scripted(otherwise=good), around)
    state = MindState(agent=ME, mind=done.mind, disturbed=done.disturbed)
    asked = (await replan.gather(state, context)).inputs
    assert not any("Theo" in each.activity for each in asked.tasks)


@pytest.mark.parametrize(("who", "stays"), [((ME, OTHER), False), ((ME, "Theo Lind"), True)])
async def test_an_agreement_is_settled_only_by_those_who_made_it(who, stays):
    mind = mind_with(appointments=(lanterns(*who),))
    done, model = await concluded(TALK, mind=mind, settled=["17:00"])
    assert bool(done.mind.appointments) == stays
    assert ("17:00" in model.asked[0].told["inputs"]["open"]) != stays
    blocks = done.mind.plan.blocks
    assert (block_at(blocks, 1020).activity == "hanging lanterns") == stays


async def test_what_one_has_done_is_not_done_again_and_can_be_told():
    asking = meeting(start=None, partners=(), what=ASKING.activity, who=(ME,))
    mind = mind_with(replace(ASKING, source=PROMISE), appointments=(asking,))
    body_now = doing("asking Theo about his guitar")
    mind, _ = await looked(TEN + 5, mind=mind, action=body_now)
    assert not any("Theo" in each.activity for each in mind.plan.blocks)
    assert agreed_soon(me_at(TEN + 20), mind) == ()
    assert agreed_with(me_at(TEN + 20), mind, [OTHER])[0].endswith("You have done it.")


async def test_what_has_an_hour_comes_before_what_has_none():
    asking = meeting(start=None, partners=(), what=ASKING.activity, who=(ME,))
    mind = mind_with(replace(ASKING, source=PROMISE), appointments=(asking,))
    new = agreed(who=[ME, OTHER], what="looking at the stars", day="today", time="15:00")
    done, _ = await concluded(held("At three?", "At three."), new, mind=mind)
    blocks = done.mind.plan.blocks
    assert block_at(blocks, 900).activity == "looking at the stars"
    (moved,) = [each for each in blocks if each.activity == ASKING.activity]
    assert moved.source == PROMISE and moved.start != 900 and covers_day(blocks)
