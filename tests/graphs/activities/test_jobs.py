"""What people of rarer jobs do in a working hour: steps of that job, and of nobody else's."""

import pytest

from smolville.graphs.activities.kinds import kind_for
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
