"""The steps that plan a day: strokes, hours, another day's identity."""

from dataclasses import replace

import pytest

from smolville.agents.plan import Spot, block_at
from smolville.graphs import plan_day, plan_hours, revise_identity
from smolville.graphs.context import who_of
from smolville.graphs.frame import DatedEvent, Duty, Life, frame
from smolville.graphs.plan_day import IMPORTANCE
from tests.agents.days import covers_day
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
    assert (mind.plan.day, mind.plan.wake, mind.plan.hours) == (1, 330, ())
    assert mind.plan.strokes[0] == (330, "waking up, washing and getting dressed")
    assert mind.plan.wishes == (
        ("morning", "baking a cake"),
        ("afternoon", "painting the fence"),
        ("evening", "reading a novel"),
    )
    assert not {what for _, what in mind.plan.wishes} & {what for _, what in mind.plan.strokes}
    assert covers_day(mind.plan.blocks)
    assert block_at(mind.plan.blocks, 329).activity == "sleeping"
    assert block_at(mind.plan.blocks, 330).activity == "waking up, washing and getting dressed"
    assert mind.refused == (), "what was taken yesterday may be free today"
    assert done.draft.memories == ()


def planned_day():
    """Ada's day with its gaps."""
    me = who_of(ADA, ADA.currently)
    rules = plan_day.DayRules(habits=ADA.habits)
    inputs = plan_day.asked_about(me, "Monday 6 May", ADA.daily_requirement, (), rules)
    blocks = plan_day.lay_out_day(inputs, plan_day.fallback(inputs), rules)
    wishes = (("evening", "reading a novel"),)
    return replace(day_plan(), strokes=(), hours=(), blocks=blocks, wishes=wishes)


async def test_the_hours_cover_the_day_and_are_remembered_as_a_thought():
    model = Scripted(otherwise=good)
    context = context_for(model)
    done = await take(plan_hours.STEP, context, mind_of(planned_day()))
    mind = done.mind
    assert covers_day(mind.plan.hours) and mind.plan.hours == mind.plan.blocks
    assert not any(block.fallback for block in mind.plan.blocks)
    (made,) = done.draft.memories
    assert (made.kind, made.subject, made.predicate) == ("thought", "Ada Brook", "plan")
    assert made.text.startswith("This is Ada Brook's plan for Monday 6 May: walking the dog at ")
    assert made.text.endswith(", painting at 17:00, reading a novel at 19:30.")
    assert "sleeping" not in made.text and "having dinner" not in made.text
    assert (made.importance, mind.gathered, mind.unrated) == (IMPORTANCE, IMPORTANCE, ())
    letters = [gap["letter"] for gap in _inputs(model)["gaps"]]
    assert letters and letters == list("ABCDE")[: len(letters)]
    assert [each["activity"] for each in _inputs(model)["wants"]] == ["reading a novel"]


async def test_hours_nobody_made_are_marked_and_remember_nothing():
    context = context_for(Scripted(otherwise=bad))
    done = await take(plan_hours.STEP, context, mind_of(planned_day()))
    mind = done.mind
    assert covers_day(mind.plan.hours) and mind.plan.hours == mind.plan.blocks
    assert all(block.fallback != bool(block.source) for block in mind.plan.hours)
    assert done.draft.memories == () and mind.unrated == ()


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
    goals = {"goals": mind.goals, "goal_changes": mind.goal_changes}
    expected = replace(before, currently=mind.currently, requirement=mind.requirement, **goals)
    assert mind == expected
    assert [each.text for each in mind.goals] == [mind.currently.partition(". ")[0]]


@pytest.mark.parametrize(
    ("meal", "usual", "event", "eaten"),
    [
        ("dinner", (1080, 1140), (1020, 1140), [1140]),
        ("dinner", (1080, 1140), (1110, 1230), [1050]),
        ("dinner", (1170, 1230), (1020, 1140), [1140]),
        ("dinner", (1080, 1140), (1020, 1270), []),
        ("lunch", (750, 795), (720, 840), [675]),
        ("lunch", (750, 795), (770, 800), [725]),
        ("lunch", (750, 795), (680, 890), [890]),
        ("breakfast", (450, 480), (440, 560), [560]),
    ],
)
def test_a_meal_gives_way_to_what_has_a_date_within_its_hours(meal, usual, event, eaten):
    habit = Duty(start=usual[0], end=usual[1], activity=f"having {meal} at home", meal=meal)
    dance = DatedEvent(start=event[0], end=event[1], activity="dancing")
    life = Life(wake=420, bed=1320, meals=(habit,), duties=())
    day = frame(life, (dance,), 420)
    assert [each.start for each in day if each.activity == habit.activity] == eaten
    assert [(each.start, each.end) for each in day if each.activity == "dancing"] == [event]
    assert day[-1].end == 1440


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ("Copper Kettle: room", [("having lunch at the Copper Kettle and bringing lanterns", 750)]),
        (
            "Willow Park: lawn",
            [("having lunch at the Copper Kettle", 720), ("bringing lanterns", 750)],
        ),
    ],
)
def test_a_lunch_of_the_requirement_is_had_whatever_was_agreed(place, found):
    lunch = Duty(start=750, end=780, activity="having lunch at the Copper Kettle")
    work = Duty(start=540, end=1020, activity="working at the bookshop")
    spot = Spot(place=place, emoji="🏮", predicate="is at", object=place)
    brings = DatedEvent(start=750, end=780, activity="bringing lanterns", spot=spot)
    day = frame(Life(wake=420, bed=1320, meals=(), duties=(work, lunch)), (brings,), 420)
    assert [(each.activity, each.start) for each in day if 720 <= each.start < 780] == found
