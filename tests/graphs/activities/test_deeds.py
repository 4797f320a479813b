"""How a task looks while it is done, told from its own words."""

import pytest

from smolville.graphs.activities.kinds import kinds, sign_in
from smolville.graphs.places import (
    PLAIN,
    Task,
    sign_of,
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


def test_an_object_looks_used_for_what_is_done():
    assert state_of("baking bread") == "being used for baking bread"
    assert state_of("Brot backen") == "in use"
    assert len(state_of("carving " + "a very long figure " * 9)) <= 60


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


SIGNS = {
    "wiping the counter": "🧽",
    "sweeping in front of the shop": "🧹",
    "washing the dishes": "🚰",
    "washing hands at the sink": "🧼",
    "brushing teeth and washing the face at the sink": "🪥",
    "cooking fish on the stove": "🐟",
    "boiling water for coffee": "☕",
    "boiling water for tea": "🍵",
    "drinking coffee and looking out of the window": "☕",
    "having lunch at the pharmacy": "🥪",
    "counting pills at the counter": "💊",
    "counting the till at the counter": "💰",
    "taking orders at the tables": "🛎️",
    "ordering books on the telephone": "📚",
    "reading over yesterday's pages at the desk": "✍️",
    "reading on the sofa": "📖",
    "taking notes on the reading at the desk": "📝",
    "listening to music on the radio": "📻",
    "watching the news on television": "📺",
    "watching the clouds": "☁️",
    "watering the beds": "💧",
    "walking past the shops": "🚶",
    "running two rounds through the park": "🏃",
    "kneading dough for the rye bread": "🍞",
    "setting up the cards on the table": "🎲",
    "laughing about a lucky move at chess": "♟️",
    "sweeping the living room floor again": "🧹",
    "visiting the Berg Boatyard or Okoro Hardware and Garden for parts": "👋",
}
"""Deeds of a lived day, each with the sign that a reader of the table gave it."""
WORKPLACES = ("pharmacy counter", "cafe counter", "kitchen table", "sofa", "workbench", "")


@pytest.mark.parametrize("name", WORKPLACES)
def test_the_sign_of_a_deed_is_the_same_at_every_object_and_in_every_work(name):
    signs = {
        activity: sign_of(Task(activity, "serving customers at the pharmacy", "", ""), name)
        for activity in SIGNS
    }
    assert signs == SIGNS


def test_ending_a_fire_or_a_flood_has_a_sign_of_its_own_wherever_it_is():
    assert sign_in("putting out the fire at the oven") == "🧯"
    assert sign_in("stopping the water at the bathroom sink") == "🪣"
    assert sign_in("lighting the fire") == "🔥"


def test_a_task_without_words_of_its_own_has_the_sign_of_what_it_is_part_of():
    task = Task("practising the ending", "singing in the choir", "", "")
    assert sign_of(task, "kitchen table") in ("🎶", "🎤")


def test_nearly_every_task_of_the_tables_has_a_sign_by_its_own_words():
    tasks = [task.replace("{", "").split("|")[0] for each in kinds() for task in each.tasks]
    without = [task for task in tasks if not sign_in(task)]
    assert len(without) < len(tasks) / 18, without
