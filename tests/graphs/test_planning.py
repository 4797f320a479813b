"""The steps that plan a day: strokes, hours, another day's identity."""

from dataclasses import replace

import pytest

from agents.plan import Block, block_at, covers_day, is_sleep
from graphs import plan_day, plan_hours, revise_identity
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import ADA, context_for, day_plan, memory, mind_of, take, tick_at
from tests.graphs.replies import bad, good

PROMISE = memory(0, "Ada Brook promised Ben Hollis a cake for Tuesday 7 May.", at=40_000)


def _inputs(model, call=0):
    return model.asked[call].told["inputs"]


async def test_a_new_day_gets_its_broad_strokes():
    model = Scripted(otherwise=good)
    context = context_for(model, Around(why=("new_day",)), memories=[PROMISE])
    done = await take(plan_day.STEP, context, mind_of(refused=("a: b: c",)))
    mind = done.mind
    assert (mind.plan.day, mind.plan.wake, mind.plan.hours) == (1, 390, ())
    assert mind.plan.strokes[0] == (390, "waking up") and len(mind.plan.strokes) == 4
    assert covers_day(mind.plan.blocks)
    assert block_at(mind.plan.blocks, 389).activity == "sleeping"
    assert block_at(mind.plan.blocks, 390).activity == "waking up"
    assert mind.refused == (), "what was taken yesterday may be free today"
    assert done.draft.memories == ()


async def test_a_plan_is_made_from_what_is_remembered():
    model = Scripted(otherwise=good)
    context = context_for(model, Around(tick=tick_at(0, day=2)), memories=[PROMISE])
    done = await take(plan_day.STEP, context, mind_of())
    inputs = _inputs(model)
    assert inputs["date"] == "Tuesday 7 May" and inputs["requirement"] == ADA.daily_requirement
    assert [each["text"] for each in inputs["memories"]] == [PROMISE.text]
    assert inputs["memories"][0]["when"] == "yesterday 11:06"
    assert [change.kind for change in done.draft.changes] == ["access"]


async def test_the_day_begins_at_the_waking_even_when_the_first_stroke_is_later():
    reply = good("plan_day", {}) | {"wake": "06:00"}
    model = Scripted(replies={"plan_day": [reply]})
    mind = (await take(plan_day.STEP, context_for(model), mind_of())).mind
    assert (mind.plan.wake, block_at(mind.plan.blocks, 360).activity) == (360, "waking up")


async def test_a_plan_nobody_made_is_marked():
    context = context_for(Scripted(otherwise=bad))
    mind = (await take(plan_day.STEP, context, mind_of())).mind
    assert covers_day(mind.plan.blocks) and mind.plan.wake == 360
    assert all(block.fallback for block in mind.plan.blocks)


async def test_the_hours_cover_the_day_and_are_remembered_as_a_thought():
    model = Scripted(otherwise=good)
    context = context_for(model)
    plan = replace(day_plan(), hours=())
    done = await take(plan_hours.STEP, context, mind_of(plan))
    mind = done.mind
    assert covers_day(mind.plan.hours) and mind.plan.hours == mind.plan.blocks
    assert not any(block.fallback for block in mind.plan.blocks)
    (made,) = done.draft.memories
    assert (made.kind, made.subject, made.predicate) == ("thought", "Ada Brook", "plan")
    assert made.text.startswith("This is Ada Brook's plan for Monday 6 May: waking up at 06:00,")
    assert "sleeping" not in made.text
    assert mind.unrated == (made.id,)
    assert _inputs(model)["wake"] == "06:00"
    assert [each["time"] for each in _inputs(model)["strokes"]] == [
        "06:00", "08:00", "18:30", "22:00",
    ]  # fmt: skip


async def test_hours_nobody_made_are_marked_and_remember_nothing():
    context = context_for(Scripted(otherwise=bad))
    plan = replace(day_plan(), hours=())
    done = await take(plan_hours.STEP, context, mind_of(plan))
    mind = done.mind
    assert covers_day(mind.plan.hours) and mind.plan.hours == mind.plan.blocks
    assert all(block.fallback for block in mind.plan.hours)
    assert done.draft.memories == () and mind.unrated == ()


@pytest.mark.parametrize("words", ["sleeping", "bedtime", "getting ready for bed", "slumber"])
async def test_the_night_is_sleep_in_whatever_words_it_was_planned(words):
    reply = good("plan_hours", {"wake": "06:00"})
    reply["activities"][-1]["activity"] = words
    context = context_for(Scripted(replies={"plan_hours": [reply]}))
    plan = replace(day_plan(), hours=())
    mind = (await take(plan_hours.STEP, context, mind_of(plan))).mind
    assert is_sleep(mind.plan.hours[-1].activity)


async def test_another_day_begins_with_another_mind():
    model = Scripted(otherwise=good)
    late = memory(1, "Ada Brook talked with Cora Vance.", at=60_000)
    context = context_for(model, Around(tick=tick_at(0, day=2)), memories=[late, PROMISE])
    before = mind_of(day_plan(), requirement="Bake forty rolls for the fair today.")
    mind = (await take(revise_identity.STEP, context, before)).mind
    answer = good("revise_identity", {})
    assert (mind.currently, mind.requirement) == (answer["currently"], answer["requirement"])
    inputs = _inputs(model)
    assert inputs["usual"] == ADA.daily_requirement and inputs["requirement"] == before.requirement
    assert [each["text"] for each in inputs["memories"]] == [PROMISE.text, late.text]
    assert mind == replace(before, currently=mind.currently, requirement=mind.requirement)


@pytest.mark.parametrize("currently", ["Ada misses the sea.", "Ada misses the sea. " * 40])
async def test_a_fallback_begins_a_usual_day(currently):
    before = mind_of(day_plan(), currently=currently, requirement="Bake forty rolls.")
    mind = (await take(revise_identity.STEP, context_for(Scripted(otherwise=bad)), before)).mind
    assert (mind.currently, mind.requirement) == (before.currently, ADA.daily_requirement)


def test_the_days_plan_of_these_tests_is_whole():
    assert covers_day(day_plan().hours)
    assert day_plan().hours[0] == Block(start=0, minutes=360, activity="sleeping")
