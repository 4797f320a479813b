"""The block that is about to start is split into subtasks, and the day stays whole."""

from dataclasses import replace

from smolville.agents.plan import cover_day
from smolville.graphs.decompose import (
    AHEAD,
    SHORTEST,
    STEP,
    habits_to_split,
    split_habits,
    to_split,
)
from smolville.graphs.frame import HABIT
from tests.agents.days import covers_day
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import HOURS, body, context_for, day_plan, mind_of, run, take, tick_at
from tests.graphs.replies import bad, good


def _at(minute):
    return tick_at(minute) * 10


async def _split(mind, minute, otherwise=good):
    model = Scripted(otherwise=otherwise)
    context = context_for(model, Around(tick=tick_at(minute)))
    return (await take(STEP, context, mind)).mind.plan, model


async def test_a_block_is_split_into_parts_that_fill_it():
    plan, model = await _split(mind_of(day_plan()), 480)
    assert covers_day(plan.blocks) and plan.hours == HOURS
    parts = [block for block in plan.blocks if block.part_of == "serving guests in the café"]
    assert (parts[0].start, parts[-1].end) == (480, 600), "what is long is split in two stretches"
    assert all(not part.fallback and part.minutes <= 60 for part in parts)
    inputs = model.asked[0].told["inputs"]
    assert (inputs["start"], inputs["end"], inputs["minutes"]) == ("08:00", "10:00", 120)
    assert [each["activity"] for each in inputs["around"]] == ["having breakfast", "having lunch"]


async def test_a_fallback_goes_on_with_the_activity_and_is_marked():
    plan, _ = await _split(mind_of(day_plan()), 480, bad)
    parts = [block for block in plan.blocks if block.part_of]
    assert covers_day(plan.blocks) and {part.activity for part in parts} == {
        "serving guests in the café"
    }
    assert all(part.fallback for part in parts)
    assert not any(block.fallback for block in plan.blocks if not block.part_of)


def test_what_is_split():
    mind = mind_of(day_plan())
    assert to_split(mind_of(None), 0) == ()
    assert to_split(mind, _at(60)) == (), "sleep is not split"
    night = [block.start for block in to_split(mind, _at(359 - AHEAD))]
    assert night == [], "what lies farther ahead waits"
    starts = [block.start for block in to_split(mind, _at(480))]
    assert starts == [480]
    assert to_split(mind, _at(720 - SHORTEST + 1))[0].start == 720


async def test_a_habit_is_split_by_rule_and_stays_one():
    hours = cover_day([(360, "having dinner at home"), (420, "zorbing"), (480, "sleeping")])
    hours = tuple(replace(each, source=HABIT) if each.start == 360 else each for each in hours)
    mind = mind_of(replace(day_plan(blocks=hours), hours=hours))
    around = Around(tick=tick_at(360), own=body(None))
    assert to_split(mind, _at(360)) == (hours[2],), "a model is asked about the rest"
    done = await run(split_habits, context_for(Scripted(), around), mind)
    changed = done["mind"]
    parts = [block for block in changed.plan.blocks if block.part_of == "having dinner at home"]
    assert covers_day(changed.plan.blocks) and len(parts) >= 3
    assert {part.source for part in parts} == {HABIT}
    assert any("eating" in part.activity for part in parts)
    assert habits_to_split(changed, _at(360)) == ()
