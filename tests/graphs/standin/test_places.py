"""Places: home things at home, work at work, nothing where nothing fits."""

import pytest

from graphs.cards import PlaceCard, SectorCard, TaskCard
from graphs.context import who_of

PLACES = (
    PlaceCard(number=1, address="Oak Cottage: bedroom", objects=("bed", "wardrobe", "desk")),
    PlaceCard(
        number=2, address="Oak Cottage: kitchen", objects=("stove", "fridge", "kitchen sink")
    ),
    PlaceCard(number=3, address="Oak Cottage: bathroom", objects=("shower", "bathroom sink")),
    PlaceCard(
        number=4,
        address="Copper Kettle: counter room",
        objects=("cafe counter", "espresso machine", "cafe table"),
    ),
    PlaceCard(number=5, address="Town Library: front hall", objects=("bookshelf", "study table")),
    PlaceCard(number=6, address="Willow Park: pond walk", objects=("park bench", "pond")),
)


def ground(town, persona, block, activities, places=PLACES):
    inputs = town.given(
        "ground_block",
        me=who_of(persona, persona.currently),
        now="Monday 6 May, 09:00",
        tasks=tuple(
            TaskCard(number=number, time="09:00-09:10", activity=activity, part_of=block)
            for number, activity in enumerate(activities, start=1)
        ),
        places=places,
    )
    return town.ask("ground_block", inputs).answer["items"]


@pytest.mark.parametrize(
    ("block", "task", "place", "thing"),
    [
        ("waking up and getting ready", "taking a quick shower", 3, "shower"),
        ("waking up and getting ready", "brushing teeth and washing the face", 3, "bathroom sink"),
        ("having breakfast", "frying eggs on the stove", 2, "stove"),
        (
            "working at the counter",
            "making espresso at the espresso machine",
            4,
            "espresso machine",
        ),
        ("working at the counter", "taking orders at the counter", 4, "cafe counter"),
        ("sleeping", "sleeping", 1, "bed"),
        ("reading at the Town Library", "looking for a book on the bookshelf", 5, "bookshelf"),
        ("taking a walk in the park", "sitting on a bench for a while", 6, "park bench"),
    ],
)
def test_a_task_is_done_where_people_would_do_it(town, own, block, task, place, thing):
    (item,) = ground(town, own["Rosa"], block, [task])
    assert (item["place"], item["object"]) == (place, thing)
    assert item["object_state"]


def test_what_fits_no_place_is_done_elsewhere(town, own):
    (item,) = ground(
        town, own["Rosa"], "shopping for groceries", ["choosing fruit"], places=PLACES[2:3]
    )
    assert (item["place"], item["object"], item["object_state"]) == (0, None, None)


def test_a_place_without_the_object_is_not_given_one(town, own):
    (item,) = ground(town, own["Rosa"], "sleeping", ["sleeping"], places=PLACES[1:2])
    assert item["object"] is None


def test_a_thing_that_is_in_use_is_left_to_others(town, own):
    taken = PLACES[0].model_copy(update={"note": "the bed is in use"})
    (item,) = ground(town, own["Rosa"], "sleeping", ["sleeping"], places=(taken,))
    assert item["object"] != "bed"


def test_the_sector_of_an_errand_is_chosen_by_its_name(town, own):
    rosa = own["Rosa"]
    inputs = town.given(
        "choose_place",
        me=who_of(rosa, rosa.currently),
        now="Monday 6 May, 09:00",
        activity="shopping for groceries",
        sectors=(
            SectorCard(number=1, name="Oak Cottage", rooms=("bedroom", "kitchen")),
            SectorCard(number=2, name="Rivas Grocery", rooms=("shop floor",)),
            SectorCard(number=3, name="Willow Park", rooms=()),
        ),
    )
    answer = town.ask("choose_place", inputs).answer
    assert answer["sector"] == 2
    assert "Rivas Grocery" in answer["reason"]


@pytest.mark.parametrize(("place", "number"), [("Copper Kettle", 4), ("Mill House", 0)])
def test_who_goes_over_to_a_place_is_there_or_nowhere(town, own, place, number):
    tasks = [f"going over to the {place}", "looking for a book on the bookshelf"]
    first, _ = ground(town, own["Ida"], "reading at the Town Library", tasks)
    assert first["place"] == number
