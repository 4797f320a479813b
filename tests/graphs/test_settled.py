"""What a talk settles of the plan: it is not done once more, and what is beside it has its time."""

from dataclasses import replace

import pytest

from smolville.agents.mind import are_alike, with_appointment
from smolville.agents.plan import Block, block_at, covers_day, splice
from smolville.graphs import replan
from smolville.graphs.appointments import agreed_soon, agreed_with
from smolville.graphs.frame import DUTY, FREE, HABIT, OPEN, PROMISE, DatedEvent
from smolville.graphs.state import MindState
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import body, context_for, day_plan, doing, mind_of, tick_at
from tests.graphs.replies import good
from tests.graphs.test_appointments import (
    ME,
    OTHER,
    ROOM,
    TEN,
    agreed,
    concluded,
    held,
    looked,
    me_at,
    meeting,
    promise,
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


async def test_what_work_and_habits_hold_is_never_settled():
    done, _ = await concluded(TALK, mind=mind_with(), settled=["10:00", "18:00"])
    assert done.mind.plan == mind_with().plan


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


async def test_what_is_told_in_a_talk_leaves_what_it_is_joined_to():
    words = "being back for chess and telling Ben about the maps and fetching the post"
    alone = {"who": (ME,), "partners": (), "start": TEN}
    agreements = tuple(
        meeting(**alone, what=what) for what in ("telling Ben about the maps", "fetching the post")
    )
    block = replace(HOURS[3], start=TEN, minutes=120, activity=words)
    mind = mind_with(block, appointments=agreements)
    done, model = await concluded(TALK, mind=mind, settled=["10:00"])
    lines = model.asked[0].told["inputs"]["plan"]
    assert lines[0] == "10:00-12:00 telling Ben about the maps"
    assert "10:00b fetching the post" in lines
    now = block_at(done.mind.plan.blocks, TEN)
    assert now.activity == "being back for chess and fetching the post"
    assert done.mind.appointments == agreements[1:] and covers_day(done.mind.plan.blocks)
    assert "Settled by it: telling Ben about the maps." in done.disturbed
    done, _ = await concluded(TALK, mind=mind, settled=["10:00b - fetching the post"])
    assert done.mind.appointments == agreements[:1]


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


async def test_a_time_span_is_read_by_its_start_and_other_times_are_left_out():
    settled = ["15:00-16:00", "03:00", "15:00"]
    done, model = await concluded(TALK, mind=mind_with(), settled=settled)
    assert len(model.asked) == 1
    assert not any("Theo" in each.activity for each in done.mind.plan.blocks)


async def test_an_answer_without_it_settles_nothing():
    done, _ = await concluded(TALK, mind=mind_with())
    assert done.mind.plan == mind_with().plan


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


async def test_three_things_are_never_one_and_nothing_is_said_twice():
    meet = meeting(start=1020, what="meeting at the bookshop")
    crates = meeting(start=None, partners=(), who=(ME,), what="going through the crates")
    mind = mind_with(
        promise(1020, 1080, "meeting at the bookshop and going through the crates"),
        appointments=(meet, crates),
    )
    third = agreed(what="asking Theo to play", day="today", time=None, place=ROOM)
    done, _ = await concluded(held("Ask Theo.", "I will."), third, mind=mind)
    found = [each.activity for each in done.mind.plan.blocks if each.source == PROMISE]
    assert "asking Theo to play" in found and len(found) == 2
    again = agreed(what="going through all the crates", day="today", time=None, place=ROOM)
    done, _ = await concluded(held("The crates!", "I will."), again, mind=mind)
    found = [each.activity for each in done.mind.plan.blocks if each.source == PROMISE]
    assert found == ["meeting at the bookshop and going through the crates"]


def test_two_promises_of_one_line_are_two():
    tell = meeting(what="telling Idris about the party", who=(ME,), partners=())
    look = meeting(start=None, what="looking for lanterns in the cupboard", who=(ME,), partners=())
    both = with_appointment(with_appointment((), look, 1), replace(tell, by=OTHER), 1)
    assert {(each.start, each.what) for each in both} == {
        (900, tell.what),
        (None, look.what),
    }


def test_what_has_no_hour_is_over_when_its_time_in_the_plan_is():
    asking = meeting(start=None, partners=(), what=ASKING.activity, who=(ME,))
    mind = mind_with(replace(ASKING, source=PROMISE), appointments=(asking,))
    assert [len(agreed_soon(me_at(minute), mind)) for minute in (899, 959, 960)] == [1, 1, 0]
    elsewhere = mind_with(appointments=(asking,))
    assert len(agreed_soon(me_at(1000), elsewhere)) == 1


async def test_what_has_no_hour_is_done_during_work_in_its_building_not_in_the_evening():
    look = agreed(what="searching the shelves", day="today", time=None, place=ROOM)
    work = Block(start=TEN, minutes=300, activity="working at the Copper Kettle", source=DUTY)
    done, _ = await concluded(held("Look there.", "I will."), look, mind=mind_with(work))
    (block,) = [each for each in done.mind.plan.blocks if each.activity == "searching the shelves"]
    assert TEN < block.start < 900 and block.source == PROMISE


async def test_what_has_no_hour_and_no_place_belongs_to_the_party_that_goes_on():
    party = promise(TEN, TEN + 120, "celebrating at the party")
    asking = agreed(what="asking the guests about the key", day="today", time=None)
    done, _ = await concluded(held("Ask them.", "I will."), asking, mind=mind_with(party))
    assert not any("asking the guests" in each.activity for each in done.mind.plan.blocks)
    assert len(done.mind.appointments) == 1


def test_of_two_texts_that_say_the_same_the_longer_one_stays():
    long = "celebrating the lantern party at the cafe and bringing the river map, if it is found"
    short = "meeting at the lantern party with the river map, if it is found"
    event = DatedEvent(start=1020, end=1050, activity=short)
    own = DatedEvent(start=1020, end=1140, activity=long)
    assert are_alike(event.activity, long)
    assert event.joined(own).activity == own.joined(event).activity == long
