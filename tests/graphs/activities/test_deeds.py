"""How a task looks while it is done, told from its own words."""

import pytest

from graphs.activities.spots import PLAIN, Task, spot_of, state_of, verb_and_thing


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


def test_an_object_looks_used_for_what_is_done():
    assert state_of("baking bread") == "being used for baking bread"
    assert state_of("Brot backen") == "in use"
    assert len(state_of("carving " + "a very long figure " * 9)) <= 60


@pytest.mark.parametrize(
    ("activity", "name", "emoji", "sign"),
    [
        ("taking a shower", "shower", "🚿", "🚿"),
        ("Brot backen", "Ofen", PLAIN, ""),
        ("weeding", "", "🌻", ""),
    ],
)
def test_signs_come_from_object_and_kind(activity, name, emoji, sign):
    task = Task(activity, activity, "Oak Cottage: bedroom", "")
    spot = spot_of(task, "Oak Cottage: bathroom", name)
    assert spot.object_emoji == sign
    assert spot.emoji == emoji or (not name and spot.emoji in "🌱🌻🙂")
    assert spot.object_state == ("" if not name else state_of(activity))
