"""How a task looks while it is done, told from its own words."""

import pytest

from smolville.graphs.places import (
    PLAIN,
    Task,
    spot_of,
    state_of,
    verb_and_thing,
)


@pytest.mark.parametrize(
    ("activity", "verb", "thing"),
    [
        ("baking bread", "is baking", "bread"),
        ("looking for a book", "is looking for", "a book"),
        ("walking back slowly", "is walking back", "slowly"),
        ("sleeping", "is", "sleeping"),
        ("washing and getting dressed", "is", "washing and getting dressed"),
        ("breakfast at home", "is", "breakfast at home"),
        ("Brot backen", "is", "Brot backen"),
        ("", "is", ""),
    ],
)
def test_verb_and_thing_are_the_tasks_own_words(activity, verb, thing):
    assert verb_and_thing(activity) == (verb, thing)


@pytest.mark.parametrize(
    ("activity", "name", "emoji", "sign"),
    [
        ("taking a shower", "shower", "🚿", "🚿"),
        ("Brot backen", "Ofen", PLAIN, ""),
        ("weeding", "", "🌱", ""),
    ],
)
def test_signs_come_from_the_words_and_object_signs_from_the_object(activity, name, emoji, sign):
    task = Task(activity, activity, "Oak Cottage: bedroom", "")
    spot = spot_of(task, "Oak Cottage: bathroom", name)
    assert (spot.emoji, spot.object_emoji) == (emoji, sign)
    assert spot.object_state == ("" if not name else state_of(activity))


"""Deeds of a lived day, each with the sign that a reader of the table gave it."""
