"""Which spots are offered for a task: the best of those that are open to whoever asks."""

from dataclasses import replace

import pytest

from agents.mind import KnownPlace
from graphs.candidates import MOST, CurrentPlace, list_sector_spots, offer_spots, sectors, task_of
from tests.graphs.minds import ADA, PLACES, mind_of

ROOM = "Copper Kettle: counter room"
HERE = CurrentPlace(arena=ROOM)


def _task(activity, part_of=""):
    return task_of(ADA, activity, part_of or activity)


def test_the_best_spots_come_first_and_no_more_than_six():
    many = {f"House {n:02d}: hall": KnownPlace() for n in range(20)}
    mind = mind_of(places={**PLACES, **many})
    cards = offer_spots(
        mind, ADA, CurrentPlace(arena="House 07: hall"), _task("sitting on the bench")
    )
    assert len(cards) == MOST and [card.number for card in cards] == list(range(1, MOST + 1))
    assert (cards[0].place, cards[0].object) == ("Willow Park: lawn", "bench")
    assert "you are here" in {card.note for card in cards}


def test_ranking_does_not_depend_on_the_order_in_which_places_were_learnt():
    one, other, task = mind_of(), mind_of(places=dict(reversed(PLACES.items()))), _task("reading")
    assert offer_spots(one, ADA, HERE, task) == offer_spots(other, ADA, HERE, task)
    assert sectors(one, ADA, task) == sectors(other, ADA, task)
    for mind in (one, other):
        found = {card.place for card in list_sector_spots(mind, "Fern Cottage", ADA, HERE, task)}
        assert found == {"Fern Cottage: bedroom", "Fern Cottage: kitchen"}


@pytest.mark.parametrize("here", [ROOM, "Willow Park: lawn", "Fern Cottage: bedroom"])
def test_home_chores_are_offered_kitchen_and_bathroom_wherever_one_is(here):
    mind = mind_of(places=PLACES | {"Fern Cottage: bathroom": KnownPlace(objects=("shower",))})
    for chore in ("having breakfast", "tidying up", "washing and getting dressed"):
        cards = offer_spots(mind, ADA, CurrentPlace(arena=here), _task(chore))
        assert {"Fern Cottage: kitchen", "Fern Cottage: bathroom"} <= {c.place for c in cards}
        assert cards[0].place.startswith("Fern Cottage"), chore


def test_what_a_thing_elsewhere_was_used_for_when_last_seen_is_not_told():
    kitchen, states = "Fern Cottage: kitchen", (("stove", "being used for frying eggs"),)
    mind = mind_of(places=PLACES | {kitchen: KnownPlace(objects=("stove",), states=states)})
    for here, told in ((ROOM, ""), (kitchen, "it is being used for frying eggs")):
        cards = offer_spots(mind, ADA, CurrentPlace(arena=here), _task("cooking at the stove"))
        (stove,) = (card for card in cards if card.object == "stove")
        assert ("it is" in stove.note) == bool(told) and told in stove.note
    cold = replace(mind.places[kitchen], states=(("stove", "burnt out"),))
    mind = mind_of(places=PLACES | {kitchen: cold})
    cards = offer_spots(mind, ADA, HERE, _task("cooking at the stove"))
    assert any("it is burnt out" in card.note for card in cards)


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
    found = {card.place for card in offer_spots(mind, ADA, here, _task(task))}
    assert found <= always | opened
    rooms = {f"{c.name}: {room}" for c in sectors(mind, ADA, _task(task)) for room in c.rooms}
    assert rooms == always | opened
    inside = {
        card.place for card in list_sector_spots(mind, "Plum Cottage", ADA, here, _task(task))
    }
    assert inside == {each for each in opened if each.startswith("Plum")}
