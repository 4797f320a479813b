"""What people of rarer jobs do in a working hour: steps of that job, and of nobody else's."""

import pytest

from smolville.graphs.activities.kinds import kind_for, kinds
from smolville.graphs.places import Task, object_score
from tests.graphs.activities.test_everyday import somebody


@pytest.mark.parametrize(
    ("learned", "work", "activity", "kind"),
    [
        ("Ada is a professor.", "Old College: office", "lecturing at Old College", "professor"),
        (
            "Ada is a professor.",
            "Old College: office",
            "seeing students in the office",
            "office_hour",
        ),
        ("Ada is a student.", "Old College: hall", "going to a lecture", "study"),
        ("Ada is the park-keeper.", "Elm Park: shed", "tending Elm Park", "park_keeper"),
        ("Ada was a clockmaker.", "Library: room", "working at her clock bench", "clockmaker"),
        ("Ada is a seamstress.", "Elm Park: roses", "sewing at home", "tailor"),
        (
            "Ada builds boats.",
            "Boatyard: shed",
            "working on the boat in the Boatyard",
            "boatbuilder",
        ),
        (
            "Ada studies engineering.",
            "College: lab",
            "working in the lab at the College",
            "engineer",
        ),
        ("Ada is the mayor.", "Town Hall: office", "working in the mayor's office", "mayor"),
        ("Ada is the town clerk.", "Town Hall: office", "working in the clerk's office", "clerk"),
        (
            "Ada is the baker.",
            "Mill Bakery: shop",
            "selling at the bakery counter",
            "bakery_counter",
        ),
        ("Ada is the baker.", "Mill Bakery: shop", "baking in the bakehouse", "baker"),
        ("Ada is the landlady.", "The Oar: bar room", "cleaning the bar room", "cleaning_rooms"),
        ("Ada is the landlady.", "The Oar: bar room", "cleaning the house", "cleaning"),
        ("Ada is the teacher.", "School: classroom", "marking books at the Cafe", "marking"),
        ("Ada is a clerk.", "School: office", "resting on a bench in Elm Square", "bench"),
        ("Ada is a clerk.", "School: office", "reading in the Town Library", "library_reading"),
        ("Ada is a clerk.", "Elm School: office", "having lunch at Elm School", "packed_lunch"),
        ("Ada is a clerk.", "Elm School: office", "having lunch at the Elm Cafe", "eating_out"),
        ("Ada is a clerk.", "Elm School: office", "watching the pond in Elm Park", "nature"),
        ("Ada is a clerk.", "Elm School: office", "watching a film", "television"),
    ],
)
def test_an_activity_is_split_into_the_steps_of_its_own_kind(learned, work, activity, kind):
    found = kind_for(activity, somebody(learned, work))
    assert found is not None and found.name == kind


def test_who_works_away_from_a_counter_serves_nobody():
    counters = {"barista", "bartender", "bookseller", "shopkeeper", "baker", "bakery_counter"}
    counters |= {"pharmacist", "librarian", "postal"}
    for each in kinds():
        if each.is_job and each.name not in counters and each.name not in ("police", "craft"):
            served = [task for task in each.tasks if "counter" in task or "customer" in task]
            assert not served, each.name


def test_a_clock_is_mended_at_the_clock_bench_and_bread_is_no_book():
    clock = Task(
        "taking a wall clock apart", "working at a clock bench", "House: room", "House: room"
    )
    room = "House: living room"
    objects = ("sofa", "clock bench", "bookshelf", "armchair")
    best = max(objects, key=lambda name: object_score(clock, room, name))
    assert best == "clock bench"
    book = Task("putting the book back on the bookshelf", "reading", "House: room", "")
    shelves = object_score(book, "Bakery: shop", "bread shelves")
    assert object_score(book, room, "bookshelf") > shelves
