"""Places: home things at home, work at work, nothing where nothing fits."""

import pytest

from smolville.agents.mind import KnownPlace, Mind
from smolville.graphs.context import who_of
from smolville.graphs.places import CurrentPlace, best_object, offer_places, task_of
from smolville.parsers.prompt_inputs import SectorCard, TaskCard

PLACES = {
    "Oak Cottage: bedroom": ("bed", "wardrobe", "desk"),
    "Oak Cottage: kitchen": ("stove", "fridge", "kitchen sink"),
    "Oak Cottage: bathroom": ("shower", "bathroom sink"),
    "Copper Kettle: counter room": ("cafe counter", "espresso machine", "cafe table"),
    "Town Library: front hall": ("bookshelf", "study table"),
    "Willow Park: pond walk": ("park bench", "pond"),
}


def ground(town, persona, block, activities, places=PLACES, taken=()):
    """Where the stand-in does each of some tasks, of the spots that are offered for it."""
    mind = Mind(
        name=persona.name,
        currently="",
        requirement="",
        places={arena: KnownPlace(objects=objects) for arena, objects in places.items()},
    )
    here = CurrentPlace(arena="outdoors", taken=frozenset(taken))
    tasks = tuple(
        TaskCard(letter=letter, time="09:00", activity=activity, part_of=block)
        for letter, activity in zip("ABCDEF", activities, strict=False)
    )
    wanted = [task_of(persona, activity, block) for activity in activities]
    offered = offer_places(mind, persona, here, wanted)
    me = who_of(persona, persona.currently)
    now = "Monday 6 May, 09:00"
    inputs = town.given("ground_block", me=me, now=now, places=offered, tasks=tasks)
    answer = town.ask("ground_block", inputs).answer
    rooms = {card.number: card.place for card in offered}
    chosen = [rooms.get(answer[task.letter]) for task in tasks]
    return [
        (room, best_object(mind, room, task, here)) if room else None
        for room, task in zip(chosen, wanted, strict=True)
    ]


@pytest.mark.parametrize(
    ("block", "task", "place", "thing"),
    [
        ("waking up and getting ready", "taking a quick shower", "bathroom", "shower"),
        ("waking up and getting ready", "brushing teeth and washing the face", "bathroom",
         "bathroom sink"),
        ("having breakfast", "frying eggs on the stove", "kitchen", "stove"),
        ("working at the counter", "making espresso at the espresso machine", "counter room",
         "espresso machine"),
        ("working at the counter", "taking orders at the counter", "counter room", "cafe counter"),
        ("sleeping", "sleeping", "bedroom", "bed"),
        ("reading at the Town Library", "looking for a book on the bookshelf", "front hall",
         "bookshelf"),
        ("taking a walk in the park", "sitting on a bench for a while", "pond walk", "park bench"),
    ],
)  # fmt: skip
def test_a_task_is_done_where_people_would_do_it(town, own, block, task, place, thing):
    (spot,) = ground(town, own["Rosa"], block, [task])
    assert spot is not None
    assert (spot[0].partition(": ")[2], spot[1]) == (place, thing)


def test_what_fits_no_place_is_done_elsewhere(town, own):
    bathroom = {"Oak Cottage: bathroom": PLACES["Oak Cottage: bathroom"]}
    assert ground(town, own["Rosa"], "shopping for groceries", ["choosing fruit"], bathroom) == [
        None
    ]


def test_a_place_without_the_object_is_not_given_one(town, own):
    kitchen = {"Oak Cottage: kitchen": PLACES["Oak Cottage: kitchen"]}
    (spot,) = ground(town, own["Rosa"], "sleeping", ["sleeping"], kitchen)
    assert spot == ("Oak Cottage: kitchen", "")


def test_a_thing_that_is_in_use_is_left_to_others(town, own):
    bedroom = {"Oak Cottage: bedroom": PLACES["Oak Cottage: bedroom"]}
    taken = ["Oak Cottage: bedroom: bed"]
    (spot,) = ground(town, own["Rosa"], "sleeping", ["sleeping"], bedroom, taken)
    assert spot == ("Oak Cottage: bedroom", "")


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


@pytest.mark.parametrize(
    ("place", "spot"), [("Copper Kettle", "Copper Kettle: counter room"), ("Mill House", None)]
)
def test_who_goes_over_to_a_place_is_there_or_nowhere(town, own, place, spot):
    tasks = [f"going over to the {place}", "looking for a book on the bookshelf"]
    first, _ = ground(town, own["Ida"], "reading at the Town Library", tasks)
    assert (first[0] if first else None) == spot
