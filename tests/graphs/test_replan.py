"""A disturbed hour is planned anew, and only that hour."""

import pytest

from smolville.agents.plan import block_at, changed_hours
from smolville.graphs.replan import SHORTEST, STEP, window
from tests.agents.days import covers_day
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import HOURS, context_for, day_plan, mind_of, take, tick_at
from tests.graphs.replies import bad, good


async def _replanned(otherwise, minute=600):
    model = Scripted(otherwise=otherwise)
    context = context_for(model, Around(tick=tick_at(minute)))
    return await take(STEP, context, mind_of(day_plan()), disturbed="It began to rain."), model


async def test_the_rest_of_the_hour_is_planned_anew():
    done, model = await _replanned(good)
    blocks = done.mind.plan.blocks
    assert covers_day(blocks) and done.changed
    assert block_at(blocks, 599).activity == "serving guests in the café"
    parts = [block for block in blocks if 600 <= block.start < 720]
    assert {part.part_of for part in parts} == {"serving guests in the café"}
    assert sum(part.minutes for part in parts) == 120
    assert blocks[-1] == HOURS[-1] and done.mind.plan.hours == HOURS
    inputs = model.asked[0].told["inputs"]
    assert (inputs["start"], inputs["end"], inputs["minutes"]) == ("10:00", "12:00", 120)
    assert inputs["reason"] == "It began to rain."
    (hour,) = changed_hours(done.mind.plan)
    assert hour.planned.activity == "serving guests in the café"
    assert hour.became == tuple(parts)


async def test_after_a_fallback_the_plan_stays_as_it_was():
    done, _ = await _replanned(bad)
    assert done.mind == mind_of(day_plan()) and not done.changed


@pytest.mark.parametrize(
    ("minute", "minutes"),
    [(480, 180), (720 - SHORTEST, SHORTEST), (720 - SHORTEST + 1, None), (60, None), (1330, None)],
)
def test_a_window_is_the_rest_of_a_waking_hour_that_is_long_enough(minute, minutes):
    found = window(mind_of(day_plan()), minute * 60)
    assert (found.minutes if found else None) == minutes
