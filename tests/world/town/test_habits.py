"""Habits in a town's files: every fault with its line, and what could not be read."""

import tomllib
from pathlib import Path

import pytest

from smolville.agents.habits import Habits
from smolville.world.town.check import check_town
from smolville.world.town.town import Town
from tests.fixtures.small_town import edit_text, set_habits
from tests.world.town.spoiling import SHIPPED

TABLE = """
[habits]
wake = "05:30"
bed = "21:30"

[habits.meals]
lunch = "never"

[[habits.work]]
start = "07:00"
end = "11:00"
activity = "baking rolls"

[[habits.work]]
start = "12:00"
end = "14:00"
activity = "selling rolls"
days = ["Saturday"]
"""
"""`wake` is in line 14 of Ada's file."""


def with_habits(folder: Path, table: str = TABLE) -> Path:
    set_habits(folder, table)
    return folder


def test_a_town_keeps_the_fields(small_town: Path) -> None:
    habits = Town.load(with_habits(small_town)).personas["Ada Brook"].habits
    assert (habits.wake, habits.bed) == ("05:30", "21:30")
    assert habits.work is not None and len(habits.work) == 2


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('wake = "05:30"', 'wake = "5"', "line 14: `habits.wake` is '5': write a time of day"),
        ('bed = "21:30"', 'bed = "12:00"', "line 15: `habits.bed` is '12:00': it should be at"),
        ('wake = "05:30"', 'wakes = "05:30"', "`habits.wakes` is no field here. Did you mean wake"),
        ('lunch = "n', 'lunch = "N', "line 18: `habits.meals.lunch` is 'Never': write a time"),
        ("lunch =", "supper =", "line 18: `habits.meals.supper` is no field here."),
        ('end = "14:00"', 'end = "11:00"', "line 27: `habits.work.end` is '11:00': it should be"),
        ('end = "11:00"\n', "", "`habits.work.end` is missing."),
        ('"Saturday"', '"Samstag"', "line 29: `habits.work.days` is 'Samstag': write a weekday"),
        (
            'lunch = "never"',
            'lunch = "05:00"',
            "`habits`: lunch at 05:00 should be later than wake",
        ),
    ],
)
def test_a_fault_is_told_with_its_line(small_town: Path, old: str, new: str, told: str) -> None:
    edit_text(with_habits(small_town) / "personas" / "ada.toml", old, new)
    (fault,) = check_town(small_town)
    assert fault.startswith("personas/ada.toml, line ") and told in fault


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("hunger = -3", "line 14: `needs.hunger.awake` is -3: it should be greater than or equal"),
        ("rest = {bound = 500}", "line 14: `needs.rest.bound` is 500: it should be less than or"),
        ("thirst = 3", "line 14: `needs.thirst` is no field here."),
    ],
)
def test_an_impossible_need_is_told_with_its_line(small_town: Path, line: str, told: str) -> None:
    with_habits(small_town, f"\n[needs]\n{line}\n")
    (fault,) = check_town(small_town)
    assert fault.startswith("personas/ada.toml, line ") and told in fault


def test_the_documented_example_is_read() -> None:
    text = (SHIPPED / "README.md").read_text(encoding="utf-8")
    example = text.split("```toml\n")[1].split("```")[0]
    habits = Habits.model_validate(tomllib.loads(example)["habits"])
    assert habits.meals.lunch is not None and habits.meals.lunch.minute is None
    assert habits.work is not None and habits.work[0].days == ("Monday", "Tuesday", "Saturday")
