"""What may be mended in a single value, and what is in doubt and must be asked again."""

import json
from typing import Any

import pytest

from smolville.parsers.answer import Shape
from smolville.parsers.reader import AnswerParser
from smolville.parsers.reading.naming import find_number, rename_fields
from smolville.parsers.reading.scalars import named_choice, read_duration, read_rating
from smolville.parsers.say import Utterance

PLACES = {
    0: "elsewhere",
    1: "Oak Cottage: kitchen",
    2: "Oak Cottage: bedroom 2",
    3: "Rose Cottage: kitchen",
    4: "Johnson Park",
}
CHOICES = ("continue", "talk", "wait", "other")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7/10", 7), ("7 / 10", 7), ("8 out of 10", 8), ("eight out of ten", 8), ("ten", 10),
        ("#4", 4), ("8.0", 8), ("5 (out of 10)", 5), ("8 (very important)", 8), ("8: a friend", 8),
        ("8 points", 8), ("about 6", 6), ("11", 11), ("-3", -3),
        ("7/20", None), ("5 (out of 20)", None), ("8 (or 9)", None), ("8.5", None), ("7-8", None),
        ("1. very important", None), ("2) low", None), ("8 - two", None), ("high", None),
        ("8 not 9", None), ("8: not so much", None), ("", None), ("1e1", None), ("٧", None),
    ],
)  # fmt: skip
def test_a_rating_is_read_only_when_it_is_plain(text: str, number: int | None) -> None:
    assert read_rating(text, 10) == number


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("1h 30", 90), ("1h30m", 90), ("90 minutes", 90), ("half an hour", 30), ("1.5 hours", 90),
        ("an hour", 60), ("fifteen minutes", 15), ("1 hour and 15 minutes", 75), ("2 hrs", 120),
        ("15", None), ("1:30", None), ("5-10 minutes", None), ("1.5 minutes", None),
        ("1h 90", None), ("1.5h 20", None), ("10 minutes each", None), ("a while", None),
        ("30 seconds", None), ("1,000 minutes", None), ("a quarter of an hour", None),
    ],
)  # fmt: skip
def test_a_duration_is_read_only_when_it_is_plain(text: str, minutes: int | None) -> None:
    assert read_duration(text) == minutes


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("4", 4), ("#4", 4), ("place 4", 4), ("four", 4), ("Johnson Park", 4),
        ("the johnson park", 4),
        ("4. Johnson Park", 4), ("Johnson Park (4)", 4), ("Oak Cottage: kitchen", 1),
        ("kitchen of Oak Cottage", 1), ("1: kitchen", 1), ("Oak Cottage: kitchen: stove", 1),
        ("bedroom 2", 2), ("elsewhere", 0),
        ("kitchen", None), ("Oak Cottage", None), ("1. Johnson Park", None), ("4 (kitchen)", None),
        ("1 or 2", None), ("1. or 2", None), ("park", None), ("", None), ("bedroom 3", None),
        ("Jonson Park", None), ("JohnsonPark", 4), ("Oak Cottage > bedroom 2", 2),
        ("Oak Cottage, Johnson Park", None),
        ("I choose Johnson Park", 4), ("spot 4", 4),
        ("4 = Johnson Park", 4), ("PLACES 4", 4), ("1 = Oak Cottage", 1),
    ],
)  # fmt: skip
def test_a_listed_place_is_found_when_it_is_unmistakable(text: str, number: int | None) -> None:
    assert find_number(text, PLACES) == number


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("Talk", "talk"), ('"talk".', "talk"), ("2. talk", "talk"), ("choice: talk", "talk"),
        ("talk (he is free)", "talk"), ("wait - he is busy", "wait"), ("the other", "other"),
        ("talk or wait", None), ("talk, then wait", None), ("talk? no", None), ("not talk", None),
        ("talk (not now)", None), ("talking", None), ("continue (no talking)", None), ("", None),
        ("Con-tinue", "continue"), ("t.a.l.k", "talk"), ("I would talk to her", "talk"),
        ("my choice is to talk", "talk"), ("to wait for him", "wait"),
        ("talks", None), ("walk", None), ("mother", None), ("dont talk", None),
        ("I will talk or wait", None), ("I am busy, so wait", None), ("some other time", None),
        ("no talk", None), ("hardly talk", None), ("talk talk", None), ("talk/wait", None),
    ],
)  # fmt: skip
def test_a_choice_is_taken_only_when_no_other_is_named(text: str, choice: str | None) -> None:
    assert named_choice(text, CHOICES, "choice") == choice


@pytest.mark.parametrize(
    ("fields", "taken"),
    [
        ({"Importance": 3}, 3),
        ({"score": 3}, 3),
        ({"score": 3, "rating": 3}, 3),
        ({"importence": 3}, None),
        ({"importance_reason": "dull"}, None),
        ({"score": [1, 2]}, None),
    ],
)
def test_a_field_is_found_under_another_name(fields: dict[str, Any], taken: int | None) -> None:
    shape = Shape(
        kind="object",
        fields={"importance": Shape(kind="number", name="importance", aliases=("score", "rating"))},
    )
    found = dict(fields)
    notes = rename_fields(shape, found, "")
    assert found.get("importance") == taken
    assert len(notes) == (taken is not None)


SPEECH = "I baked all morning. " * 20

SPOKEN = [
    ("*smiles* Good to see you!", "Good to see you!"),
    ("Well (laughs quietly), come in.", "Well, come in."),
    ("[waves] Hello, Milo.", "Hello, Milo."),
    ("Rosa Marin (you): Come in.", "Come in."),
    (SPEECH, " ".join(["I baked all morning."] * 11)),
]


@pytest.mark.parametrize(("said", "spoken"), SPOKEN)
def test_only_words_that_are_spoken_are_kept(said, spoken):
    reply = json.dumps({"text": said, "ends": False})
    read = AnswerParser(answer=Utterance).read(reply, {"name": "Rosa Marin"})
    assert read.value is not None and read.value.text == spoken
    assert read.mends != ()


def test_an_aside_is_spoken():
    reply = json.dumps({"text": "See you at eight (or nine)?", "ends": False})
    read = AnswerParser(answer=Utterance).read(reply)
    assert (read.value.text, read.mends) == ("See you at eight (or nine)?", ())


def test_a_sentence_without_an_end_is_asked_again():
    reply = json.dumps({"text": "and so on " * 40, "ends": False})
    read = AnswerParser(answer=Utterance).read(reply)
    assert read.value is None and [each.kind for each in read.problems] == ["length"]


def test_a_line_of_nothing_but_stage_directions_stays_as_it_is():
    read = AnswerParser(answer=Utterance).read('{"text": "*nods*", "ends": true}')
    assert read.value is not None and read.value.text == "*nods*"
