"""Habits as fields of a persona file: what is read, and what is refused with a sentence."""

import tomllib
from typing import Any

import pytest
from pydantic import ValidationError

from smolville.agents.persona import WEEKDAYS, Habits

WHOLE = """
wake = "6:00"
bed = 22:30:00

[meals]
breakfast = "06:30"
lunch = "never"
dinner = { start = "19:00", activity = "having dinner at The Wooden Oar" }

[[work]]
start = "08:00"
end = "12:00"
activity = "baking"
days = ["monday", "Tuesday"]

[[work]]
start = "09:00"
end = "12:00"
activity = "selling bread"
days = ["Saturday"]
"""


def habits(text: str) -> Habits:
    return Habits.model_validate(tomllib.loads(text))


def work(start: str, end: str, activity: str = "baking", **more: Any) -> dict[str, Any]:
    return {"start": start, "end": end, "activity": activity, **more}


def test_a_whole_table_is_read():
    read = habits(WHOLE)
    assert (read.wake, read.bed) == ("06:00", "22:30")
    assert read.meals.breakfast is not None and read.meals.breakfast.minute == 390
    assert read.meals.lunch is not None and read.meals.lunch.minute is None
    assert read.meals.dinner is not None
    assert read.meals.dinner.activity == "having dinner at The Wooden Oar"
    assert read.work is not None
    assert [each.days for each in read.work] == [("Monday", "Tuesday"), ("Saturday",)]


def test_nothing_has_to_be_told_and_no_work_is_not_the_same_as_work_not_told():
    assert habits("") == Habits()
    assert habits("work = []") != Habits()
    assert habits('[[work]]\nstart = "08:00"\nend = "09:00"\nactivity = "baking"').work[0].days == (
        WEEKDAYS
    )


@pytest.mark.parametrize(
    ("given", "field", "sentence"),
    [
        ({"wake": "6am"}, "wake", 'write a time of day in quotes, from "00:00" to "23:59"'),
        ({"wake": "03:00"}, "wake", "people get up between 04:00 and 11:30"),
        ({"wake": "07:00", "bed": "06:00"}, "bed", "it should be at night: from 18:00"),
        ({"meals": {"lunch": "noon"}}, "lunch", 'from "00:00" to "23:59", or "never"'),
        ({"meals": {"tea": "16:00"}}, "tea", "Extra inputs"),
        ({"meals": {"breakfast": "13:00", "lunch": "12:00"}}, "", "lunch at 12:00 should be later"),
        ({"bed": "21:00", "meals": {"dinner": "22:00"}}, "", "bed at 21:00 should be later than d"),
        ({"work": [work("09:00", "08:00")]}, "end", "it should be later than `start`, 09:00"),
        ({"work": [work("09:00", "12:00", days=["Montag"])]}, "days", "write a weekday: Monday,"),
        ({"work": [work("09:00", "12:00", days=[])]}, "days", "name a weekday, or leave"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(given, field, sentence):
    with pytest.raises(ValidationError) as caught:
        Habits.model_validate(given)
    (fault,) = caught.value.errors()
    assert (not field or field in fault["loc"]) and sentence in fault["msg"], fault
