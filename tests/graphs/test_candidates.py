"""Which rooms are offered for tasks: the present room first, of those open to somebody."""

import pytest

from smolville.agents.mind import KnownPlace
from smolville.graphs.places import (
    MOST,
    CurrentPlace,
    best_object,
    offer_others,
    offer_places,
    task_of,
)
from tests.graphs.minds import ADA, PLACES, mind_of

ROOM = "Copper Kettle: counter room"
HERE = CurrentPlace(arena=ROOM)


def _task(activity, part_of=""):
    return task_of(ADA, activity, part_of or activity)


def _offered(mind, *activities, here=ROOM, recent=()):
    tasks = [_task(each) for each in activities]
    return offer_places(mind, ADA, CurrentPlace(arena=here), tasks, recent)


def test_the_present_room_comes_first_then_the_likeliest_and_no_more_than_twelve():
    many = {f"House {n:02d}: hall": KnownPlace() for n in range(20)}
    cards = _offered(
        mind_of(places={**PLACES, **many}), "sitting on the bench", here="House 07: hall"
    )
    assert len(cards) == MOST and [card.number for card in cards] == list(range(1, MOST + 1))
    assert (cards[0].place, cards[0].note) == ("House 07: hall", "you are here")
    assert (cards[1].place, cards[1].things) == ("Willow Park: lawn", ("bench",))


@pytest.mark.parametrize("here", [ROOM, "Willow Park: lawn", "Fern Cottage: bedroom"])
def test_home_work_and_places_of_late_are_always_offered(here):
    many = {f"Green Park {n:02d}: bench hall": KnownPlace() for n in range(20)}
    mind = mind_of(places=PLACES | many)
    recent = ["Green Park 19: bench hall"]
    cards = _offered(mind, "sitting on the bench in the green park", here=here, recent=recent)
    found = {card.place: card.mine for card in cards}
    assert found["Fern Cottage: kitchen"] == found["Fern Cottage: bedroom"] == "your home"
    assert (found[ROOM], found["Green Park 19: bench hall"]) == ("your work", "")


def test_what_any_task_names_is_offered_once_and_the_rooms_of_a_building_stand_together():
    more = {"Bell Hall: stage": KnownPlace(), "Bell Hall: main hall": KnownPlace()}
    cards = _offered(mind_of(places=PLACES | more), "asking Ben at Bell Hall", "reading at home")
    places = [card.place for card in cards]
    assert len(places) == len(set(places)) and {*more} <= {*places}
    named = [card.sector for card in cards]
    assert named == sorted(named, key=named.index), "together"


def test_an_object_is_chosen_by_the_tasks_words_unless_it_cannot_be_used():
    task = _task("wiping the table")
    assert best_object(mind_of(), ROOM, task, HERE) == "table"
    assert best_object(mind_of(refused=(f"{ROOM}: table",)), ROOM, task, HERE) == ""
    taken = CurrentPlace(arena=ROOM, taken=frozenset((f"{ROOM}: table",)))
    assert best_object(mind_of(), ROOM, task, taken) == ""
    assert best_object(mind_of(), ROOM, _task("zorbing"), HERE) == ""


PRIVATE = {
    "Plum Cottage: bedroom": KnownPlace(owners=("Ben Hollis",)),
    "Plum Cottage: hall": KnownPlace(owners=("Ben Hollis", "Ida Lund")),
    "Corner Bakery: shop": KnownPlace(objects=("counter",)),
    "Corner Bakery: bedroom": KnownPlace(objects=("bed",), owners=("Tom Reed",)),
    "Fern Cottage: bedroom": KnownPlace(owners=("Ada Brook",)),
}


@pytest.mark.parametrize(
    ("task", "opened"),
    [
        ("reading a book", set()),
        ("visiting Ben at home", {"Plum Cottage: bedroom", "Plum Cottage: hall"}),
        ("going to Plum Cottage", {"Plum Cottage: bedroom", "Plum Cottage: hall"}),
        ("having tea with Ben's mother", {"Plum Cottage: bedroom", "Plum Cottage: hall"}),
        ("sitting on a Bench", set()),
        ("buying bread at the Corner Bakery", set()),
        ("helping Tom with the bread", {"Corner Bakery: bedroom"}),
    ],
)
def test_a_home_is_open_to_who_lives_there_and_to_whom_a_task_names(task, opened):
    mind, here = mind_of(places=PRIVATE), CurrentPlace(arena="outdoors")
    always = {"Corner Bakery: shop", "Fern Cottage: bedroom"}
    found = {card.place for card in offer_places(mind, ADA, here, [_task(task)])}
    assert found == always | opened
    others = {card.place for card in offer_others(mind, ADA, here, [_task(task)], always)}
    assert others == opened
    homes = {card.place: card.note for card in offer_places(mind, ADA, here, [_task(task)])}
    assert homes.get("Plum Cottage: hall") in (None, "home of Ben Hollis and Ida Lund")
