"""Needs move with what was done, an urgent one asks `react`, and code lays what sees to it."""

from dataclasses import replace

import pytest

from smolville.agents.action import Talk
from smolville.agents.needs import NeedLevels
from smolville.agents.plan import Block, block_at, splice
from smolville.agents.times import at_of
from smolville.graphs.components import NEEDS
from smolville.graphs.mind import build_mind, think
from smolville.graphs.needs import NEED, feel_needs, format_needs, needs_due
from smolville.graphs.surroundings import Intent
from tests.agents.days import covers_day
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    ADA,
    BEN,
    body,
    context_for,
    day_plan,
    doing,
    mind_of,
    run,
    spot,
    thinker,
    tick_at,
)
from tests.graphs.replies import good

NINE = at_of(1, 540)
MET = {"hunger": 20.0, "rest": 20.0, "hygiene": 20.0, "social": 20.0, "fun": 20.0}


def _placed_plan():
    plan = day_plan()
    return replace(plan, blocks=tuple(replace(block, spot=spot()) for block in plan.blocks))


def _mind(at=NINE, **levels):
    return mind_of(_placed_plan(), needs=NeedLevels(at=at, levels={**MET, **levels}))


async def _felt(mind, minute, action, **more):
    around = Around(tick=tick_at(minute), own=body(action, **more.pop("own", {})), **more)
    return await run(feel_needs, context_for(around=around), mind)


async def test_serving_guests_for_an_hour_makes_hungry_and_tired():
    done = await _felt(_mind(), 600, doing("serving guests in the café"))
    levels = done["mind"].needs.levels
    assert (levels["hunger"], levels["rest"], levels["fun"]) == (28, 24.5, 24)
    assert [(row.at, row.tick) for row in done["felt"]] == [(at_of(1, 600), 3600)]


async def test_a_part_of_a_meal_is_a_meal():
    plan = day_plan()
    part = Block(start=420, minutes=60, activity="drinking from a mug", part_of="having breakfast")
    mind = replace(
        _mind(at=at_of(1, 420), hunger=50.0),
        plan=replace(plan, blocks=splice(plan.blocks, 420, 480, [part])),
    )
    done = await _felt(mind, 440, doing("drinking from a mug", start=at_of(1, 420)))
    assert done["mind"].needs.levels["hunger"] == 0


async def test_a_talk_and_what_it_interrupted_count_for_their_own_time():
    talk = Talk(
        id="talk/1",
        participants=(ADA.name, BEN.name),
        place="Copper Kettle: counter room",
        start=NINE + 1800,
        end=NINE + 2400,
        lines=(),
    )
    talking = doing("talking with Ben Hollis", kind="talk", start=talk.start, end=talk.end)
    own = {"ended_talk": talk, "interrupted": doing("having lunch")}
    done = await _felt(_mind(hunger=50.0), 580, talking, own=own)
    levels = done["mind"].needs.levels
    assert levels["social"] == 0 and levels["hunger"] == pytest.approx(8 / 6, abs=0.001)
    assert [row.at - NINE for row in done["felt"]] == [1800, 2400]


async def test_an_urgent_need_wants_a_decision_unless_a_meal_is_near():
    done = await _felt(_mind(hunger=85.0), 600, doing())
    assert done["urgent"] == "hunger" and done["felt"][-1].urgent == "hunger"
    assert done["mind"].needs.asked == {"hunger": at_of(1, 600)}
    again = await _felt(done["mind"], 601, doing())
    assert again["urgent"] == ""
    before_lunch = await _felt(_mind(hunger=85.0), 670, doing())
    assert before_lunch["urgent"] == ""
    assert before_lunch["mind"].needs.asked == {"hunger": at_of(1, 670)}


def _react(choice):
    return {"reason": "I am hungry", "choice": choice}


async def _asked(choice, minute=600):
    around = Around(tick=tick_at(minute), why=("need",), own=body(doing()))
    model = Scripted(replies={"react": [_react(choice)]}, otherwise=good)
    context = context_for(model, around)
    done = await think(build_mind(), context, ADA.name, _mind(hunger=85.0))
    return done, model


async def test_now_begins_a_snack_at_once_in_the_nearest_room_for_it():
    done, model = await _asked("now")
    assert "You are very hungry." in model.asked[0].last
    assert done.path[:3] == ["feel_needs", "perceive", "react"] and done.path[-1] == "act"
    assert done.intent.action.activity == "having a snack"
    assert done.intent.action.place.startswith("Copper Kettle: counter room")
    block = block_at(done.mind.plan.blocks, 600)
    assert (block.source, block.minutes) == (NEED, 20) and covers_day(done.mind.plan.blocks)
    assert block_at(done.mind.plan.blocks, 620).part_of == "serving guests in the café"


async def test_later_lays_the_snack_behind_the_present_block():
    done, _ = await _asked("later")
    assert done.path == ["feel_needs", "perceive", "react"] and done.intent is None
    plan = done.mind.plan
    assert block_at(plan.blocks, 600).activity == "serving guests in the café"
    assert block_at(plan.blocks, 720).activity == "having a snack" and covers_day(plan.blocks)


def test_prompts_tell_high_needs_only_and_two_at_most():
    me = thinker(Around(tick=tick_at(600), own=body(doing())))
    assert format_needs(me, _mind()) == ""
    assert format_needs(me, _mind(hunger=61.0)) == "You are hungry."
    told = format_needs(me, _mind(hunger=61.0, rest=88.0, fun=90.0))
    assert told == "You are tired. You have had little fun lately."
    left_out = replace(me, without=frozenset([NEEDS.name]))
    assert format_needs(left_out, _mind(hunger=61.0)) == ""


def test_the_next_need_is_due_while_awake_and_never_in_sleep():
    me = thinker(Around(tick=tick_at(540), own=body(doing())))
    assert needs_due(me, _mind(hunger=72.0), None) == NINE + 3600
    asleep = Intent(action=doing("sleeping", kind="sleep"))
    assert needs_due(me, _mind(hunger=72.0), asleep) == 0
    assert needs_due(me, mind_of(day_plan()), None) == 0
