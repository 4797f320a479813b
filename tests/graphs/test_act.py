"""What the plan says now becomes what the agent wants to do."""

from dataclasses import replace

import pytest

from smolville.agents.plan import Block, splice
from smolville.agents.times import at_of
from smolville.graphs.act import act, wants_to_act
from smolville.graphs.surroundings import Intent
from tests.fixtures.scripted import Around
from tests.graphs.minds import (
    ADA,
    HOURS,
    body,
    context_for,
    day_plan,
    doing,
    mind_of,
    run,
    seen,
    spot,
    thinker,
    tick_at,
)

COUNTER = "Copper Kettle: counter room: counter"


def _mind(block, **more):
    return mind_of(day_plan(blocks=splice(HOURS, block.start, block.end, [block])), **more)


async def _acted(mind, minute, memories=()):
    context = context_for(around=Around(tick=tick_at(minute)), memories=memories)
    return await run(act, context, mind)


BAKING = Block(
    start=480,
    minutes=60,
    activity="baking bread",
    part_of="working",
    spot=spot(object_state="floury", object_emoji="🍞"),
)


async def test_the_block_of_this_moment_is_done_to_its_end():
    done = await _acted(_mind(BAKING), 490)
    action = done["intent"].action
    assert (action.kind, action.activity, action.place) == ("do", "baking bread", COUNTER)
    assert (action.start, action.end) == (at_of(1, 490), at_of(1, 540))
    assert (action.predicate, action.object, action.object_state) == ("serves", "it", "floury")
    assert not action.fallback
    (made,) = done["draft"].memories
    assert made.text == "Ada Brook is on the way to Copper Kettle for baking bread"
    assert (made.subject, made.predicate, made.object) == ("Ada Brook", "serves", "it")
    assert (made.importance, done["mind"].gathered) == (3, 3.0)
    assert done["mind"].unrated == (), "an everyday doing wants no rating"


@pytest.mark.parametrize(
    "block", [replace(BAKING, fallback=True), replace(BAKING, spot=spot(fallback="ground_block"))]
)
async def test_what_a_fallback_planned_or_placed_is_marked(block):
    done = await _acted(_mind(block), 490)
    assert done["intent"].action.fallback is True


async def test_what_fits_nowhere_is_marked_as_that_and_not_as_a_fallback():
    done = await _acted(_mind(replace(BAKING, spot=spot(nowhere=True))), 490)
    action = done["intent"].action
    assert (action.nowhere, action.fallback) == (True, False)


async def test_what_is_taken_is_done_in_the_room_without_it():
    done = await _acted(_mind(BAKING, refused=(COUNTER,)), 490)
    action = done["intent"].action
    assert action.place == "Copper Kettle: counter room"
    assert (action.object_state, action.object_emoji) == ("", "")


async def test_at_night_one_sleeps_and_remembers_nothing_of_it():
    done = await _acted(mind_of(day_plan()), 1320)
    action = done["intent"].action
    assert (action.kind, action.place) == ("sleep", f"{ADA.home}: bed")
    assert action.end == at_of(2, 0)
    assert done["draft"].memories == ()


def _wants(action, minute=600, own=None, **state):
    around = Around(tick=tick_at(minute), own=own or body(action))
    return wants_to_act(seen(**state), thinker(around))


def test_when_a_mind_wants_to_act():
    at = at_of(1, 600)
    assert _wants(None)
    assert _wants(doing(end=at)) and not _wants(doing(end=at + 1))
    assert _wants(doing(), changed=True)
    assert _wants(doing(), own=body(doing(), refused="the stove is in use"))
    assert not _wants(None, intent=Intent(start_talk="Ben Hollis"))
