"""Subtasks: exact sums, sizes that people would write, words that fit the work."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.graphs.activities.kinds import split
from smolville.graphs.context import who_of
from smolville.models.standin.rule import Dice
from smolville.parsers.prompt_inputs import PlannedCard


@given(st.integers(1, 720), st.integers(1, 12), st.integers(0, 10**6))
def test_lengths_always_sum_to_the_whole(minutes, count, seed):
    count = min(count, max(1, minutes // 5))
    lengths = split(minutes, count, Dice(seed))
    assert sum(lengths) == minutes
    assert len(lengths) == count
    if count > 1 and minutes <= 60 * count:
        assert min(lengths) >= 5
        assert max(lengths) <= max(60, -(-minutes // count) + 4)


def divide(town, persona, activity, minutes, seed=1):
    inputs = town.given(
        "decompose",
        me=who_of(persona, persona.currently),
        date="Monday 6 May",
        activity=activity,
        start="09:00",
        end="11:00",
        minutes=minutes,
        around=(),
    )
    return town.ask("decompose", inputs, seed=seed).answer["subtasks"]


@pytest.mark.parametrize("minutes", [3, 5, 7, 12, 33, 60, 90, 125, 180, 240, 360, 480, 600])
def test_subtasks_of_any_block_read_clean(town, own, minutes):
    for activity in ("baking bread", "sleeping", "mulling over the xylophone"):
        tasks = divide(town, own["Tom"], activity, minutes)
        assert sum(task["minutes"] for task in tasks) == minutes


def test_a_baker_kneads_dough(town, own):
    tasks = divide(town, own["Tom"], "working in the bakehouse", 240)
    assert any("dough" in task["activity"] for task in tasks)
    assert all(5 <= task["minutes"] <= 45 for task in tasks)


def test_a_day_has_sixty_actions_and_thirty_that_differ(town, persona):
    _, hours = town.plan(persona)
    ends = [start for start, _ in hours[1:]]
    actions = []
    for (start, activity), end in zip(hours, ends, strict=False):
        if end - start < 60:
            actions.append(activity)
        else:
            tasks = divide(town, persona, activity, end - start, seed=start)
            actions += [task["activity"] for task in tasks]
    assert len(actions) >= 45
    assert len(set(actions)) >= 30


def test_a_new_plan_goes_on_with_what_was_still_to_be_done(town, own):
    tom = own["Tom"]
    inputs = town.given(
        "replan",
        me=who_of(tom, tom.currently),
        now="Monday 6 May, 09:20",
        reason="You talked with Rosa Marin.",
        activity="baking bread",
        tasks=(
            PlannedCard(time="09:15-09:40", activity="shaping rolls"),
            PlannedCard(time="09:40-10:00", activity="cleaning the oven"),
        ),
        start="09:20",
        end="10:00",
        minutes=40,
    )
    tasks = town.ask("replan", inputs).answer["subtasks"]
    assert [task["activity"] for task in tasks] == ["shaping rolls", "cleaning the oven"]
    assert sum(task["minutes"] for task in tasks) == 40


@pytest.mark.parametrize(
    ("reason", "first"),
    [
        ("I want to go to the Copper Kettle now.", "going over to the Copper Kettle"),
        ("I should not go to the Copper Kettle.", "shaping rolls"),
    ],
)
@pytest.mark.parametrize("minutes", [20, 55, 180])
def test_who_is_told_to_go_somewhere_goes_there_first(town, own, reason, first, minutes):
    tom = own["Tom"]
    inputs = town.given(
        "replan",
        me=who_of(tom, tom.currently),
        now="Monday 6 May, 09:00",
        reason=reason,
        activity="working in the bakehouse",
        tasks=(PlannedCard(time="09:00", activity="shaping rolls"),),
        start="09:00",
        end=f"{9 + minutes // 60:02}:{minutes % 60:02}",
        minutes=minutes,
    )
    tasks = town.ask("replan", inputs).answer["subtasks"]
    assert sum(task["minutes"] for task in tasks) == minutes
    is_errand = first.startswith("going")
    assert tasks[0]["activity"].startswith("going over to") == is_errand
    assert not is_errand or tasks[0]["activity"] == first
