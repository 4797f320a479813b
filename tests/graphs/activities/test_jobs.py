"""What people of rarer jobs do in a working hour: steps of that job, and of nobody else's."""

import pytest

from agents.mind import KnownPlace
from agents.plan import Block
from graphs.activities.filling import kind_for, parts_known
from graphs.activities.ideas import ideas_for_parts
from graphs.activities.kinds import kinds
from graphs.activities.spots import Task, object_score, room_score
from graphs.catalogue import SAMPLES
from graphs.day_rules import out_of_reach
from graphs.plan_day import asked_about, fallback, lay_out_day
from graphs.plan_hours import with_ideas
from graphs.prompt_inputs import PersonaInput
from graphs.strokes import PARTS
from models.standin.rule import Dice
from tests.graphs.activities.test_everyday import somebody
from tests.graphs.minds import day_plan, mind_of, thinker


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


def test_a_day_that_has_shopping_is_not_offered_more_of_it():
    me = somebody("Ada is a clerk.", "Elm School: office")
    blocks = plan_of(me, "Ada shops at Mill Grocery from 2pm to 3pm.")
    assert any("Mill Grocery" in each.activity for each in blocks)
    offered = [
        idea
        for seed in range(12)
        for part in ideas_for_parts(blocks, PARTS, me, Dice("shops", seed))
        for idea in part
    ]
    assert len(offered) > 12
    assert not any("grocer" in each or each == "doing the shopping" for each in offered)


def test_what_somebody_knows_no_place_for_is_never_an_idea():
    me = somebody("Ada is a clerk.", "Elm School: office")
    blocks = plan_of(me, "Ada works at Elm School from 9am to noon.")
    far = frozenset(("walk", "exercise", "television", "shopping", "friends"))
    words = ("walk", "stroll", "run", "film", "television", "shop", "groceries", "friends")
    offered = [
        idea
        for seed in range(12)
        for part in ideas_for_parts(blocks, PARTS, me, Dice("far", seed), out_of_reach=far)
        for idea in part
    ]
    assert offered
    assert not [each for each in offered if any(word in each.split() for word in words)]


def plan_of(me: PersonaInput, requirement: str) -> tuple[Block, ...]:
    inputs = asked_about(me, "Tuesday 7 May", requirement, ())
    return lay_out_day(inputs, fallback(inputs))


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


def test_every_part_of_a_rare_job_is_known_to_last_some_minutes():
    me = somebody("Ada is the park-keeper.", "Elm Park: shed")
    parts = parts_known("tending Elm Park", me, Dice("x"), opens=False, closes=False, minutes=120)
    assert len(parts) >= 6
    assert all(
        room_score(Task(each, "tending Elm Park", "a: b", "Elm Park: shed"), "Elm Park: shed") > 0
        for each in parts
    )


def test_a_shop_with_a_garden_in_its_name_is_no_place_to_run():
    def far(*arenas: str) -> frozenset[str]:
        known = {each: KnownPlace(objects=("counter",)) for each in arenas}
        return out_of_reach(thinker(), mind_of(day_plan(), places=known)) - {"shopping"}

    assert far("Oak Hardware and Garden: shop floor") == {
        "walk",
        "exercise",
        "friends",
        "television",
    }
    assert far("Elm Park: meadow") == {"television"}
    assert far("Elm Cafe: main room") == {"walk", "exercise", "television"}


def test_a_gap_too_is_offered_nothing_for_which_somebody_knows_no_place():
    far = frozenset(("walk", "exercise", "television", "shopping", "friends"))
    words = ("walk", "stroll", "run", "film", "television", "shop", "groceries", "friends")
    offered = [
        idea
        for seed in range(12)
        for gap in with_ideas(SAMPLES["plan_hours"], Dice("far", seed), only=True, avoided=far).gaps
        for idea in gap.ideas
    ]
    assert offered
    assert not [each for each in offered if any(word in each.split() for word in words)]


def test_the_steps_of_a_puzzle_are_no_game_of_chess_and_who_looks_around_meets_people():
    me = somebody("Ada is a clerk.", "Elm School: office")
    parts = parts_known("doing a puzzle", me, Dice("x"), opens=False, closes=False, minutes=60)
    assert len(parts) >= 3 and not any("chess" in each or "cards" in each for each in parts)
    around = kind_for("seeing who is around", me)
    assert around is not None and around.name == "friends"
    for seed in range(9):
        dice = Dice("coffee", seed)
        coffee = parts_known(
            "having a cup of coffee", me, dice, opens=False, closes=False, minutes=60
        )
        assert not any("tea" in each.split() for each in coffee)
