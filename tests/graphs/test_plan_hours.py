"""Room to live: wishes in free time and at work, ideas besides wishes, and what is meant."""

import json
from itertools import pairwise

import pytest

from smolville.agents.mind import Idea
from smolville.agents.persona import Habits
from smolville.agents.plan import Block, rest_of_day
from smolville.graphs import plan_day, plan_hours
from smolville.graphs.context import who_of
from smolville.graphs.frame import DUTY, most_parts, openings, within_work
from smolville.parsers.plan_hours import HourlyPlan
from smolville.parsers.reader import AnswerParser
from tests.agents.days import covers_day
from tests.fixtures.scripted import Scripted
from tests.graphs.minds import ADA, context_for, mind_of, take
from tests.graphs.replies import bad

KEEPER = ADA.model_copy(
    update={
        "lifestyle": "She goes to bed around 11pm and wakes up around 7am. She has breakfast at"
        " 8:30am, lunch around 12:30pm, and dinner at home around 7pm.",
        "daily_requirement": "Ada opens the bookshop at 9am and works at the bookshop until 5pm."
        " She has lunch at the Copper Kettle from 12:30pm to 1pm.",
        "habits": Habits.model_validate(
            {
                "wake": "07:00",
                "bed": "23:00",
                "meals": {"breakfast": "08:30", "dinner": "19:00"},
                "work": [
                    {"start": "09:00", "end": "09:30", "activity": "opening the bookshop"},
                    {"start": "09:30", "end": "17:00", "activity": "working at the bookshop"},
                    {
                        "start": "12:30",
                        "end": "13:00",
                        "activity": "having lunch at the Copper Kettle",
                    },
                ],
            }
        ),
    }
)
"""A shopkeeper, free from 07:30 to 08:30, from 17:00 to 19:00, and after dinner."""
WISHES = {
    "morning": "asking Nadia over coffee what she thinks of a reading evening",
    "afternoon": "asking Theo to play one quiet song among the shelves",
    "evening": "finishing my crime novel without being interrupted",
}
OUTLINE = {"wake": "07:00", "go_to": [], "dated": [], **WISHES}
IDEA = Idea(day=1, activity="drawing a map of the old ferry", part="afternoon")


async def _planned(hours, **mind):
    """Plan a shopkeeper's day with these answers; return its mind, memories and the model."""
    model = Scripted(replies={"plan_day": [OUTLINE], "plan_hours": [hours]}, otherwise=bad)
    context = context_for(model, persona=KEEPER)
    first = mind_of(requirement=KEEPER.daily_requirement, **mind)
    planned = await take(plan_day.STEP, context, first)
    done = await take(plan_hours.STEP, context, planned.mind)
    return done.mind, done.draft.memories, model


ALL_PLACED = {
    "A": ["writing a list of pros and cons", WISHES["morning"]],
    "B": [],
    "C": [WISHES["afternoon"], IDEA.activity],
    "D": ["clearing a corner of the shop", "counting the chairs", "walking home by the river"],
    "E": [WISHES["evening"]],
}


async def test_wishes_for_working_hours_have_their_place_within_work():
    mind, (remembered,), model = await _planned(ALL_PLACED)
    assert covers_day(mind.plan.hours)
    at_work = [(each.span(), each.activity) for each in mind.plan.hours if each.start >= 780][:4]
    assert [activity for _, activity in at_work] == [
        "working at the bookshop",
        WISHES["afternoon"],
        IDEA.activity,
        "working at the bookshop",
    ]
    before = [each for each in openings(mind.plan.blocks) if each.source == DUTY]
    assert before[-1].end == 17 * 60, "work ends when it ended before"
    meant = {activity: start for start, activity in mind.plan.strokes}
    starts = {block.activity: block.start for block in mind.plan.hours}
    for wish in WISHES.values():
        assert meant[wish] == starts[wish] and wish in remembered.text
    shown = [each.activity for each in rest_of_day(mind.plan.blocks, 780, 4)]
    assert WISHES["afternoon"] in shown, "prompts show it as a part of the plan"
    asked = model.asked[1].told["inputs"]
    assert "working at the bookshop" in asked["gaps"][2]["work"]
    assert f"In the afternoon: {WISHES['afternoon']}" in model.asked[1].last


@pytest.mark.parametrize("minutes", [120, 150, 195, 240, 330])
def test_work_keeps_its_hours_around_what_is_done_in_it(minutes):
    work = Block(start=600, minutes=minutes, activity="working at the shop", source=DUTY)
    things = ["counting chairs", "asking Theo to play"][: most_parts(work)]
    blocks = within_work(work, things)
    assert (blocks[0].start, blocks[-1].end) == (work.start, work.end)
    assert [each.activity for each in blocks] == [work.activity, *things, work.activity]
    assert all(one.end == two.start for one, two in pairwise(blocks))
    assert min(each.minutes for each in blocks) >= 30
    assert {each.source for each in blocks[1:-1]} == {""}


CASE = {
    "letters": {"A": 2, "B": 1},
    "work": ["B"],
    "stands": ["working at the shop"],
    "meals": [],
}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"A": ["reading a map"], "B": []}, None),
        ({"A": ["reading a map"]}, None),
        ({"A": ["reading a map"], "B": ["Working at the shop"]}, None),
        ({"A": ["reading a map"], "B": ["reading a map"]}, None),
        (
            {"A": ["reading a map"], "B": ["working at the shop and inviting every customer"]},
            ["working at the shop and inviting every customer"],
        ),
    ],
)
def test_work_may_hold_nothing_else(answer, expected):
    reading = AnswerParser(answer=HourlyPlan).read(json.dumps(answer), CASE)
    assert reading.problems == () and reading.value is not None
    assert reading.value.of("B") == expected


async def test_no_plan_repeats_what_the_frame_already_has():
    outline = OUTLINE | {"morning": "opening the bookshop"}
    model = Scripted(replies={"plan_day": [outline]}, otherwise=bad)
    context = context_for(model, persona=KEEPER)
    mind = (await take(plan_day.STEP, context, mind_of())).mind
    myself = who_of(KEEPER, KEEPER.currently)
    asked = plan_hours.asked_about(
        myself, "Monday 6 May", mind.requirement, mind.plan.wishes, mind.plan.blocks
    )
    assert [each.activity for each in asked.wants] == [WISHES["afternoon"], WISHES["evening"]]
