"""Where the next tasks are done: named by the task, chosen among its spots, or elsewhere."""

from dataclasses import replace

import pytest

from agents.mind import KnownPlace
from agents.places import join_address, sector_of
from agents.plan import block_at, lay_out, splice
from graphs.candidates import CurrentPlace, task_of
from graphs.mind import build_phase
from graphs.phases import ACTION
from graphs.settled_places import AHEAD, to_ground
from graphs.settled_places import MOST as MOST_TASKS
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
    tick_at,
)
from tests.graphs.replies import bad, good

AT = 480
ROOM = "Copper Kettle: counter room"
TASKS = [("polishing glasses", 30), ("serving soup", 30), ("swimming in the river", 60)]
ALONE = [("zorbing in the river", 120)]
OUTING = "zorbing in the river"
HERE = CurrentPlace(arena=ROOM)


def _mind(tasks=TASKS, part_of="serving guests", apart=True, **more):
    """A mind with these tasks ahead; `apart` makes each a part of something of its own."""
    end = AT + sum(minutes for _, minutes in tasks)
    parts = [
        replace(each, part_of=f"{part_of}{' again' * n * apart}")
        for n, each in enumerate(lay_out(AT, tasks, part_of))
    ]
    return mind_of(day_plan(blocks=splice(HOURS, AT, end, parts)), **more)


def _around(**more):
    return Around(**({"tick": tick_at(AT), "own": body()} | more))


def _offered(model, letter="A", call=0):
    """The spots of a task as a model was told them: number to address."""
    tasks = model.asked[call].told["inputs"]["tasks"]
    spots = next(task["spots"] for task in tasks if task["letter"] == letter)
    return {each["number"]: join_address(each["place"], each["object"]) for each in spots}


def _task(activity, part_of=""):
    return task_of(ADA, activity, part_of or activity)


async def _grounded(mind, otherwise=good, around=None, **replies):
    model = Scripted(otherwise=otherwise, replies={k: list(v) for k, v in replies.items()})
    context = context_for(model, around or _around())
    done = await live(build_phase(ACTION), context, mind)
    return done.mind, model, done


def _counter(step, inputs):
    """Every task at the counter, else at its first spot."""
    answer = {}
    for task in inputs["tasks"]:
        numbers = [each["number"] for each in task["spots"] if each["object"] == "counter"]
        answer[task["letter"]] = (numbers or [1])[0]
    return answer


async def test_every_task_of_the_next_hours_gets_a_spot_in_one_call():
    mind, model, _ = await _grounded(_mind(), _counter)
    assert model.steps() == ["ground_block"]
    found = [block for block in mind.plan.blocks if block.spot]
    assert [block.activity for block in found] == [activity for activity, _ in TASKS]
    one = found[1].spot
    assert one.place == join_address(ROOM, "counter")
    assert (one.predicate, one.object) == ("is serving", "soup")
    assert one.object_state == "being used for serving soup"
    assert (one.object_emoji, one.fallback, one.by_rule) == ("🧾", "", False)


async def test_a_call_asks_for_one_number_a_task_and_allows_no_other():
    _, model, _ = await _grounded(_mind())
    schema = model.asked[0].told["schema"]
    assert list(schema["properties"]) == schema["required"] == ["A", "B", "C"]
    for letter, field in schema["properties"].items():
        assert field["enum"] == list(_offered(model, letter)), "the counter suits who serves guests"
    _, model, _ = await _grounded(_mind(ALONE, OUTING))
    schema = model.asked[0].told["schema"]
    assert schema["properties"]["A"]["enum"] == [0, *_offered(model)], "nothing here suits for sure"


async def test_without_an_object_there_is_no_state_of_one():
    mind, *_ = await _grounded(_mind([("walking about", 120)]), ground_block=[{"A": 1}])
    one = block_at(mind.plan.blocks, AT).spot
    assert (one.object_state, one.object_emoji) == ("", "")


async def test_what_fits_nowhere_is_asked_by_its_sector_first():
    mind, model, done = await _grounded(
        _mind(ALONE, OUTING),
        ground_block=[{"A": 0}, {"A": 1}],
        choose_place=[{"reason": "water", "sector": 3}],
    )
    assert model.steps() == ["ground_block", "choose_place", "ground_block"]
    assert done.path == ["reuse_places", "place_named", *model.steps(), "act"]
    assert (done.elsewhere, done.sector) == ((), "")
    rooms = {each["name"]: each["number"] for each in model.asked[1].told["inputs"]["sectors"]}
    assert rooms == {"Copper Kettle": 1, "Fern Cottage": 2, "Willow Park": 3}
    assert _offered(model, call=2) == {1: "Willow Park: lawn"}
    assert block_at(mind.plan.blocks, AT).spot.place == "Willow Park: lawn"


async def test_what_fits_nowhere_even_there_is_done_here_and_is_no_fallback():
    mind, _, done = await _grounded(_mind(ALONE, OUTING), ground_block=[{"A": 0}, {"A": 0}])
    one = block_at(mind.plan.blocks, AT).spot
    assert (one.place, one.predicate, one.object) == (ROOM, "is zorbing in", "the river")
    assert (one.nowhere, one.fallback) == (True, "")
    assert {record.outcome for record in records(done)} == {"clean"}


async def test_a_sector_that_a_fallback_chose_marks_what_is_done_there():
    replies = [{"A": 0}, {"A": 1}]
    mind, _, done = await _grounded(_mind(ALONE, OUTING), bad, ground_block=replies)
    one = block_at(mind.plan.blocks, AT).spot
    assert (one.nowhere, one.fallback) == (False, "choose_place")
    outcomes = {record.step: record.outcome for record in records(done)}
    assert outcomes == {"ground_block": "clean", "choose_place": "fallback"}


async def test_a_fallback_takes_the_likeliest_spot_and_says_so():
    mind, model, done = await _grounded(_mind(), bad)
    spots = [block.spot for block in mind.plan.blocks if block.spot]
    for one, letter in zip(spots, "ABC", strict=True):
        assert sector_of(one.place) == sector_of(_offered(model, letter)[1])
    assert {one.fallback for one in spots} == {"ground_block"}
    assert [record.outcome for record in records(done)] == ["fallback"]
    assert done.draft.memories[0].predicate == "is polishing", "one does it all the same"


async def test_what_is_taken_is_not_offered_again():
    refused = (join_address(ROOM, "counter"),)
    _, model, _ = await _grounded(_mind(refused=refused))
    assert join_address(ROOM, "counter") not in _offered(model, "B").values()


async def test_what_is_seen_in_use_is_told():
    sight = Sight(arena=ROOM, objects=("counter", "table"))
    taken = {join_address(ROOM, "counter"): True, join_address(ROOM, "table"): False}
    around = _around(places=(sight,), taken=taken)
    _, model, _ = await _grounded(_mind(), around=around)
    (spots,) = [each["spots"] for each in model.asked[0].told["inputs"]["tasks"][1:2]]
    notes = {each["object"]: each["note"] for each in spots if each["place"] == ROOM}
    assert notes["counter"] == "you are here, your work, in use"


async def test_a_task_that_names_its_object_is_placed_without_a_call():
    mind, model, done = await _grounded(_mind([("wiping the counter", 120)]))
    one = block_at(mind.plan.blocks, AT).spot
    assert (model.steps(), records(done)) == ([], [])
    assert done.path == ["reuse_places", "place_named", "act"]
    assert (one.place, one.by_rule, one.fallback) == (join_address(ROOM, "counter"), True, "")
    assert one.object_state == "being used for wiping the counter"


async def test_only_what_names_no_place_is_asked():
    _, model, _ = await _grounded(_mind([("wiping the counter", 30), *TASKS]))
    asked = [each["activity"] for each in model.asked[0].told["inputs"]["tasks"]]
    assert asked == [activity for activity, _ in TASKS]


@pytest.mark.parametrize("hour", ["the same hour's work", "something else"])
async def test_only_the_same_task_of_the_same_work_keeps_its_place_without_a_call(hour: str):
    mind = _mind([("polishing glasses", 30), ("serving soup", 60)])
    part_of = block_at(mind.plan.blocks, AT).part_of if hour == "the same hour's work" else hour
    before = replace(HOURS[1], activity="polishing glasses", part_of=part_of, spot=spot())
    blocks = (HOURS[0], before, *mind.plan.blocks[2:])
    mind = replace(mind, plan=replace(mind.plan, blocks=blocks))
    after, model, _ = await _grounded(mind)
    asked = [each["activity"] for each in model.asked[0].told["inputs"]["tasks"]]
    if part_of == hour:
        assert asked[:2] == ["polishing glasses", "serving soup"]
    else:
        assert block_at(after.plan.blocks, AT).spot == spot()
        assert asked[0] == "serving soup" and "polishing glasses" not in asked


async def test_the_parts_of_one_activity_are_done_in_the_building_of_the_first():
    tasks = [("polishing glasses", 30), ("reading a book", 30), ("wiping the counter", 60)]
    mind, model, _ = await _grounded(_mind(tasks, apart=False), _counter)
    first, second, third = (block.spot for block in mind.plan.blocks if block.part_of)
    assert model.asked == [] and (second.by_rule, third.by_rule) == (True, True)
    assert {sector_of(each.place) for each in (second, third)} == {sector_of(first.place)}


async def test_what_is_offered_for_a_part_suits_the_whole_activity():
    places = PLACES | {"Corner Shop: shop floor": KnownPlace(objects=("shelf", "checkout"))}
    tasks = [("writing a list", 30), ("choosing fruit", 90)]
    mind = _mind(tasks, "shopping for groceries", apart=False, places=places)
    _, model, _ = await _grounded(mind)
    assert _offered(model)[1].startswith("Corner Shop")


async def test_the_beds_of_a_garden_are_not_slept_in():
    mind, _, _ = await _grounded(_mind([("watering the beds", 120)], "working in the garden"))
    assert "bed" not in block_at(mind.plan.blocks, AT).spot.place.split(": ")[2:]


async def test_what_is_no_part_goes_into_nobodys_building():
    blocks = lay_out(AT, [("wiping the counter", 30), ("zorbing", 30)], "")
    mind = mind_of(day_plan(blocks=splice(HOURS, AT, AT + 60, blocks)))
    _, model, _ = await _grounded(mind)
    shown = [call.told["inputs"].get("tasks", ()) for call in model.asked]
    assert "zorbing" in [task["activity"] for tasks in shown for task in tasks]


async def test_a_part_that_says_so_is_done_in_another_building():
    tasks = [("polishing glasses", 30), ("feeding the ducks at Willow Park", 90)]
    mind, model, _ = await _grounded(_mind(tasks, apart=False), _counter)
    assert model.steps() == []
    assert sector_of(block_at(mind.plan.blocks, AT + 30).spot.place) == "Willow Park"


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


async def test_what_one_task_names_opens_no_door_to_another():
    plum = {"Plum Cottage: hall": KnownPlace(owners=("Ben Hollis", "Ida Lund"))}
    tasks = [("visiting Ben at home", 60), ("resting a little", 60)]
    _, model, _ = await _grounded(_mind(tasks, places=PLACES | plum))
    assert any(each.startswith("Plum") for each in _offered(model, "A").values())
    assert not any(each.startswith("Plum") for each in _offered(model, "B").values())


@pytest.mark.parametrize(
    ("before", "is_kept"),
    [
        (spot(nowhere=True), True),
        (spot(fallback="ground_block"), False),
        (spot(fallback="choose_place"), True),
    ],
)
async def test_what_only_a_fallback_placed_is_asked_again(before, is_kept):
    mind = _mind([("polishing glasses", 30), ("serving soup", 90)])
    part_of = block_at(mind.plan.blocks, AT).part_of
    done = replace(HOURS[1], activity="polishing glasses", part_of=part_of, spot=before)
    blocks = (HOURS[0], done, *mind.plan.blocks[2:])
    _, model, _ = await _grounded(replace(mind, plan=replace(mind.plan, blocks=blocks)))
    asked = [each["activity"] for each in model.asked[0].told["inputs"]["tasks"]]
    assert ("polishing glasses" not in asked) == is_kept
