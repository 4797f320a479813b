"""Where the next tasks are done: chosen among known places, or elsewhere by its sector first."""

from dataclasses import replace

import pytest

from agents.mind import KnownPlace
from agents.places import join_address
from agents.plan import block_at, lay_out, splice
from graphs.candidates import MOST, Here, offered, sectors, within
from graphs.ground_block import AHEAD, bed_spot, to_ground
from graphs.ground_block import MOST as MOST_TASKS
from graphs.mind import build_phase
from graphs.phases import ACTION
from graphs.surroundings import Sight
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    ADA,
    HOURS,
    PLACES,
    body,
    context_for,
    day_plan,
    live,
    mind_of,
    records,
    spot,
    thinker,
    tick_at,
)
from tests.graphs.replies import bad, good

AT = 480
ROOM = "Copper Kettle: counter room"
TASKS = [("wiping the counter", 30), ("brewing coffee", 30), ("swimming in the river", 60)]
ALONE = [("swimming in the river", 120)]


def _mind(tasks=TASKS, **more):
    end = AT + sum(minutes for _, minutes in tasks)
    blocks = splice(HOURS, AT, end, lay_out(AT, tasks, "serving guests"))
    return mind_of(day_plan(blocks=blocks), **more)


def _around(**more):
    return Around(**({"tick": tick_at(AT), "own": body()} | more))


def _item(task, place, thing=None, **more):
    kept = {"task": task, "place": place, "object": thing, "emoji": "☕", "predicate": "uses"}
    return kept | {"thing": "it", "object_state": None, "object_emoji": None} | more


def _number(model, address, call=0):
    places = model.asked[call].told["inputs"]["places"]
    return next(each["number"] for each in places if each["address"] == address)


async def _grounded(mind, otherwise=good, around=None, **replies):
    model = Scripted(otherwise=otherwise, replies={k: list(v) for k, v in replies.items()})
    context = context_for(model, around or _around())
    done = await live(build_phase(ACTION), context, mind)
    return done.mind, model, done


def _answers(step, inputs):
    """Everything at the coffee machine."""
    places = {each["address"]: each["number"] for each in inputs["places"]}
    state = {"object_state": "hot", "object_emoji": "🔥"}
    items = [_item(each["number"], places[ROOM], "coffee machine", **state)
             for each in inputs["tasks"]]  # fmt: skip
    return {"items": items}


async def test_every_task_of_the_next_hours_gets_a_place_in_one_call():
    mind, model, _ = await _grounded(_mind(), _answers)
    assert model.steps() == ["ground_block"]
    found = [block for block in mind.plan.blocks if block.spot]
    assert [block.activity for block in found] == [activity for activity, _ in TASKS]
    one = found[0].spot
    assert one.place == join_address(ROOM, "coffee machine")
    assert (one.emoji, one.predicate, one.object) == ("☕", "uses", "it")
    assert (one.object_state, one.object_emoji, one.fallback) == ("hot", "🔥", "")


async def test_without_an_object_there_is_no_state_of_one():
    item = _item(1, 1, None, object_state="hot", object_emoji="🔥")
    mind, *_ = await _grounded(_mind(ALONE), ground_block=[{"items": [item]}])
    one = block_at(mind.plan.blocks, AT).spot
    assert (one.object_state, one.object_emoji) == ("", "")


async def test_what_fits_nowhere_is_asked_by_its_sector_first():
    first = {"items": [_item(1, 0)]}
    mind, model, done = await _grounded(
        _mind(ALONE),
        ground_block=[first, {"items": [_item(1, 1, "bench")]}],
        choose_place=[{"reason": "water", "sector": 3}],
    )
    assert model.steps() == ["ground_block", "choose_place", "ground_block"]
    assert done.path == ["reuse_places", *model.steps(), "act"]
    assert (done.elsewhere, done.sector) == ((), "")
    rooms = {each["name"]: each["number"] for each in model.asked[1].told["inputs"]["sectors"]}
    assert rooms == {"Copper Kettle": 1, "Fern Cottage": 2, "Willow Park": 3}
    places = [each["address"] for each in model.asked[2].told["inputs"]["places"]]
    assert places == ["Willow Park: lawn"]
    assert block_at(mind.plan.blocks, AT).spot.place == "Willow Park: lawn: bench"


async def test_what_fits_nowhere_even_there_is_done_here_and_is_no_fallback():
    elsewhere = {"items": [_item(1, 0)]}
    mind, _, done = await _grounded(_mind(ALONE), ground_block=[elsewhere, elsewhere])
    one = block_at(mind.plan.blocks, AT).spot
    assert (one.place, one.object) == (ROOM, "swimming in the river")
    assert (one.nowhere, one.fallback) == (True, "")
    assert {record.outcome for record in records(done)} == {"clean"}


async def test_a_sector_that_a_fallback_chose_marks_what_is_done_there():
    replies = [{"items": [_item(1, 0)]}, {"items": [_item(1, 1)]}]
    mind, _, done = await _grounded(_mind(ALONE), bad, ground_block=replies)
    one = block_at(mind.plan.blocks, AT).spot
    assert (one.nowhere, one.fallback) == (False, "choose_place")
    outcomes = {record.step: record.outcome for record in records(done)}
    assert outcomes == {"ground_block": "clean", "choose_place": "fallback"}


async def test_a_fallback_stays_here_with_empty_hands():
    mind, _, done = await _grounded(_mind(), bad)
    spots = [block.spot for block in mind.plan.blocks if block.spot]
    assert {(one.place, one.fallback) for one in spots} == {(ROOM, "ground_block")}
    assert [one.object for one in spots] == [activity for activity, _ in TASKS]
    assert {one.predicate for one in spots} == {"is"}
    assert [record.outcome for record in records(done)] == ["fallback"]
    assert done.draft.memories[0].predicate == "is", "one does it all the same"


async def test_what_is_taken_is_not_offered_again():
    refused = (join_address(ROOM, "counter"),)
    _, model, _ = await _grounded(_mind(refused=refused))
    places = {e["address"]: e["objects"] for e in model.asked[0].told["inputs"]["places"]}
    assert places[ROOM] == ["coffee machine", "table"]


async def test_what_is_seen_in_use_is_told():
    sight = Sight(arena=ROOM, objects=("counter", "table"))
    taken = {join_address(ROOM, "counter"): True, join_address(ROOM, "table"): False}
    around = _around(places=(sight,), taken=taken)
    _, model, _ = await _grounded(_mind(), around=around)
    notes = {e["address"]: e["note"] for e in model.asked[0].told["inputs"]["places"]}
    assert notes[ROOM] == "you are here; the counter is in use"
    assert notes["Willow Park: lawn"] == ""


@pytest.mark.parametrize("hour", ["the same hour's work", "something else"])
async def test_only_the_same_task_of_the_same_work_keeps_its_place_without_a_call(hour: str):
    mind = _mind([("wiping the counter", 30), ("walking", 60)])
    part_of = block_at(mind.plan.blocks, AT).part_of if hour == "the same hour's work" else hour
    before = replace(HOURS[1], activity="wiping the counter", part_of=part_of, spot=spot())
    blocks = (HOURS[0], before, *mind.plan.blocks[2:])
    mind = replace(mind, plan=replace(mind.plan, blocks=blocks))
    after, model, _ = await _grounded(mind)
    asked = [each["activity"] for each in model.asked[0].told["inputs"]["tasks"]]
    if part_of == hour:
        assert asked[:2] == ["wiping the counter", "walking"]
    else:
        assert block_at(after.plan.blocks, AT).spot == spot()
        assert asked[0] == "walking" and "wiping the counter" not in asked


def test_only_the_next_tasks_are_placed():
    many = [(f"task number {n}", 15) for n in range(9)]
    found = to_ground(_mind(many), tick_at(AT) * 10)
    assert len(found) == MOST_TASKS and found[0].start == AT
    long = [(f"task number {n}", 50) for n in range(5)]
    assert all(b.start < AT + AHEAD for b in to_ground(_mind(long), tick_at(AT) * 10))


def test_a_night_and_a_block_that_is_split_first_end_the_list():
    assert [b.start for b in to_ground(_mind(TASKS[:2]), tick_at(AT) * 10)] == [AT, AT + 30]
    late = mind_of(day_plan())
    assert [b.start for b in to_ground(late, tick_at(1310) * 10)] == [1170]


def test_the_best_places_come_first_and_no_more_than_twelve():
    many = {f"House {n:02d}: hall": KnownPlace() for n in range(20)}
    mind = mind_of(places={**PLACES, **many})
    cards = offered(mind, ADA, Here(arena="House 07: hall"), ["sitting on the bench"], [])
    assert len(cards) == MOST and [card.number for card in cards] == list(range(1, MOST + 1))
    names = [card.address for card in cards]
    assert {"House 07: hall", "Willow Park: lawn", ADA.home, ADA.work} <= set(names)
    assert next(c for c in cards if c.address == "House 07: hall").note == "you are here"


def test_ranking_does_not_depend_on_the_order_in_which_places_were_learnt():
    turned = dict(reversed(PLACES.items()))
    here = Here(arena=ROOM)
    one, other = mind_of(), mind_of(places=turned)
    assert offered(one, ADA, here, ["reading"], []) == offered(other, ADA, here, ["reading"], [])
    assert sectors(one, "Ada Brook", "reading") == sectors(other, "Ada Brook", "reading")
    for mind in (one, other):
        found = [card.address for card in within(mind, "Fern Cottage", "Ada Brook", "x", here)]
        assert found == ["Fern Cottage: bedroom", "Fern Cottage: kitchen"]


PRIVATE = {
    "Plum Cottage: bedroom": KnownPlace(owners=("Ben Hollis",)),
    "Plum Cottage: yard": KnownPlace(),
    "Fern Cottage: bedroom": KnownPlace(owners=("Ada Brook",)),
}


@pytest.mark.parametrize(
    ("task", "is_open"),
    [
        ("reading a book", False),
        ("visiting Ben at home", True),
        ("going to Plum Cottage", True),
        ("having tea with Ben's mother", True),
        ("sitting on a Bench", False),
    ],
)
def test_a_home_is_open_to_who_lives_there_and_to_whom_a_task_names(task, is_open):
    mind, here = mind_of(places=PRIVATE), Here(arena="outdoors")
    found = {card.address for card in offered(mind, ADA, here, [task], [])}
    assert found >= {"Plum Cottage: yard", "Fern Cottage: bedroom"}
    assert ("Plum Cottage: bedroom" in found) is is_open
    rooms = {card.name: card.rooms for card in sectors(mind, "Ada Brook", task)}
    assert ("bedroom" in rooms["Plum Cottage"]) is is_open
    inside = {card.address for card in within(mind, "Plum Cottage", "Ada Brook", task, here)}
    assert ("Plum Cottage: bedroom" in inside) is is_open


def test_the_room_one_stands_in_is_always_offered():
    here = Here(arena="Plum Cottage: bedroom")
    found = offered(mind_of(places=PRIVATE), ADA, here, ["reading"], [])
    assert "Plum Cottage: bedroom" in {card.address for card in found}


def test_one_sleeps_in_a_bed_of_ones_own_that_is_free():
    two = {ADA.home: KnownPlace(objects=("bed", "other bed", "flower bedding"))}
    me = thinker()
    first = bed_spot(me, mind_of(places=two))
    assert first.place in {f"{ADA.home}: bed", f"{ADA.home}: other bed"}
    assert first.object_state == "being slept in by Ada Brook"
    second = bed_spot(me, mind_of(places=two, refused=(first.place,)))
    assert second.place != first.place and second.place.endswith("bed")
    none = bed_spot(me, mind_of(places=two, refused=(first.place, second.place)))
    assert (none.place, none.object_state) == (ADA.home, "")


@pytest.mark.parametrize(
    ("before", "is_kept"),
    [
        (spot(nowhere=True), False),
        (spot(fallback="ground_block"), False),
        (spot(fallback="choose_place"), True),
    ],
)
async def test_what_nobody_placed_is_asked_again(before, is_kept):
    mind = _mind([("wiping the counter", 30), ("walking", 90)])
    part_of = block_at(mind.plan.blocks, AT).part_of
    done = replace(HOURS[1], activity="wiping the counter", part_of=part_of, spot=before)
    blocks = (HOURS[0], done, *mind.plan.blocks[2:])
    _, model, _ = await _grounded(replace(mind, plan=replace(mind.plan, blocks=blocks)))
    asked = [each["activity"] for each in model.asked[0].told["inputs"]["tasks"]]
    assert ("wiping the counter" not in asked) == is_kept
