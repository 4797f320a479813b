"""Habits in a town's files: every fault with its line, and what could not be read."""

import tomllib
from pathlib import Path

import pytest

from smolville.agents.habits import Habits
from smolville.graphs.frame.sources import habits_in_town, notes_on_habits
from smolville.world.town.check import check_town
from smolville.world.town.town import Town
from tests.fixtures.small_town import edit_text
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

[relationships]"""
"""`wake` is in line 14 of Ada's file."""


def with_habits(folder: Path, table: str = TABLE) -> Path:
    edit_text(folder / "personas" / "ada.toml", "\n[relationships]", table)
    return folder


def notes(folder: Path) -> list[str]:
    town = Town.load(folder)
    read = [(each, habits_in_town(each, town.start_date)) for each in town.personas.values()]
    return [note for persona, points in read for note in notes_on_habits(persona, points)]


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
        ('start = "12:00"', 'start = "10:00"', "`selling rolls` (10:00 to 14:00) overlap"),
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
    with_habits(small_town, f"\n[needs]\n{line}\n\n[relationships]")
    (fault,) = check_town(small_town)
    assert fault.startswith("personas/ada.toml, line ") and told in fault


def test_hours_that_nobody_tells_are_noted_until_a_field_tells_them(small_town: Path) -> None:
    ada = [note for note in notes(small_town) if note.startswith("Ada Brook")]
    assert ada == [
        "Ada Brook: `lifestyle` does not tell these hours in words that can be read, so usual ones "
        "are taken: breakfast 06:30, lunch 12:30, dinner 18:30. Write your own as [habits]."
    ]
    table = TABLE.replace("lunch =", 'breakfast = "06:00"\ndinner = "19:00"\nlunch =')
    assert not [note for note in notes(with_habits(small_town, table)) if "Ada" in note]


def test_a_field_that_contradicts_the_words_is_noted(small_town: Path) -> None:
    table = '\n[habits]\nwake = "06:20"\nbed = "20:00"\n\n[relationships]'
    (note,) = (each for each in notes(with_habits(small_town, table)) if "differ" in each)
    assert note.startswith('Ada Brook: the words "to bed around 10pm" and the field habits.bed (at')


def test_words_of_another_language_are_noted(small_town: Path) -> None:
    path = small_town / "personas" / "ada.toml"
    edit_text(path, "goes to bed around 10pm and wakes up around 6am", "steht früh auf")
    edit_text(path, "Open the café at 8am and close it at 5pm.", "Das Café am Morgen öffnen.")
    first, second = (note for note in notes(small_town) if note.startswith("Ada Brook"))
    assert "getting up 07:00, going to bed 22:30, breakfast 07:30" in first
    assert "`daily_requirement` tells no hours that can be read" in second
    edit_text(path, "\n[relationships]", "\n[habits]\nwork = []\n\n[relationships]")
    assert len([note for note in notes(small_town) if note.startswith("Ada Brook")]) == 1


def test_all_hours_of_the_shipped_town_can_be_read() -> None:
    assert notes(SHIPPED) == []


def test_the_documented_example_is_read() -> None:
    text = (SHIPPED / "README.md").read_text(encoding="utf-8")
    example = text.split("```toml\n")[1].split("```")[0]
    habits = Habits.model_validate(tomllib.loads(example)["habits"])
    assert habits.meals.lunch is not None and habits.meals.lunch.minute is None
    assert habits.work is not None and habits.work[0].days == ("Monday", "Tuesday", "Saturday")
