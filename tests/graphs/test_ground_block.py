"""Where the next tasks are done: chosen among the places of a call, or elsewhere."""

from dataclasses import replace

import pytest

from smolville.agents.places import join_address
from smolville.agents.plan import block_at, lay_out, splice
from smolville.graphs.mind import build_action
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    HOURS,
    body,
    context_for,
    day_plan,
    live,
    mind_of,
    records,
    spot,
    tick_at,
)
from tests.graphs.replies import good

AT = 480
ROOM = "Copper Kettle: counter room"
TASKS = [("polishing glasses", 30), ("serving soup", 30), ("swimming in the river", 60)]
ALONE = [("zorbing in the river", 120)]
OUTING = "zorbing in the river"


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


def _offered(model, call=0):
    """The rooms offered as a model was told them: number to address."""
    places = model.asked[call].told["inputs"]["places"]
    return {each["number"]: f"{each['sector']}: {each['room']}" for each in places}


def _asked(model, call=0):
    """The activities that were asked about."""
    tasks = model.asked[call].told["inputs"]["tasks"]
    return [each["activity"] for each in tasks if each["letter"]]


async def _grounded(mind, otherwise=good, around=None, **replies):
    model = Scripted(otherwise=otherwise, replies={k: list(v) for k, v in replies.items()})
    context = context_for(model, around or _around())
    done = await live(build_action(), context, mind)
    return done.mind, model, done


def _counter(step, inputs):
    """Every task in the counter room."""
    number = next(n["number"] for n in inputs["places"] if n["room"] == "counter room")
    return {task["letter"]: number for task in inputs["tasks"] if task["letter"]}


async def test_every_task_of_the_next_hours_gets_a_spot_in_one_call():
    mind, model, _ = await _grounded(_mind(), _counter)
    assert model.steps() == ["ground_block"]
    found = [block for block in mind.plan.blocks if block.spot]
    assert [block.activity for block in found] == [activity for activity, _ in TASKS]
    one = found[1].spot
    assert one.place == join_address(ROOM, "counter"), "the object is chosen by rule"
    assert (one.predicate, one.object) == ("is serving", "soup")
    assert one.object_state == "being used for serving soup"
    assert (one.object_emoji, one.fallback, one.by_rule) == ("🧾", "", False)


async def test_a_call_asks_for_one_number_a_task_and_allows_no_other():
    _, model, _ = await _grounded(_mind())
    schema = model.asked[0].told["schema"]
    assert list(schema["properties"]) == schema["required"] == ["A", "B", "C"]
    for field in schema["properties"].values():
        assert field["enum"] == [0, *_offered(model)]


async def test_what_has_a_place_already_is_told_with_it():
    tasks = [("chatting with Ben", 20), ("walking to the Copper Kettle", 30), ("swimming", 70)]
    mind = _mind(tasks, "a visit", apart=False)
    walk = replace(block_at(mind.plan.blocks, AT + 20), spot=spot(ROOM))
    blocks = splice(mind.plan.blocks, AT + 20, AT + 50, [walk])
    _, model, _ = await _grounded(replace(mind, plan=replace(mind.plan, blocks=blocks)))
    assert _asked(model) == ["chatting with Ben", "swimming"]
    told = model.asked[0].last.partition("TASKS:\n")[2].splitlines()
    assert told[0] == "A. 08:00 chatting with Ben (part of: a visit)"
    assert told[1] == f"- 08:20 walking to the Copper Kettle: at {ROOM}", "the block is told once"


async def test_what_fits_none_of_the_places_is_asked_once_more_with_others(monkeypatch):
    monkeypatch.setattr("smolville.graphs.places.MOST", 2)
    mind, model, done = await _grounded(_mind(ALONE, OUTING), ground_block=[{"A": 0}, {"A": 1}])
    assert done.path == ["reuse_places", "place_named", "ground_block", "ground_block", "act"]
    assert done.elsewhere == ()
    first, second = _offered(model), _offered(model, call=1)
    assert first[1] == ROOM, "the present place comes first"
    assert (len(first), len(second)) == (2, 2) and not {*first.values()} & {*second.values()}
    assert block_at(mind.plan.blocks, AT).spot.place.startswith(second[1])


async def test_what_fits_nowhere_is_done_here_and_is_no_fallback():
    mind, model, done = await _grounded(_mind(ALONE, OUTING), ground_block=[{"A": 0}])
    assert model.steps() == ["ground_block"], "all rooms were offered"
    one = block_at(mind.plan.blocks, AT).spot
    assert (one.place, one.predicate, one.object) == (ROOM, "is zorbing in", "the river")
    assert (one.nowhere, one.fallback) == (True, "")
    assert {record.outcome for record in records(done)} == {"clean"}


@pytest.mark.parametrize("hour", ["the same hour's work", "something else"])
async def test_only_the_same_task_of_the_same_work_keeps_its_place_without_a_call(hour: str):
    mind = _mind([("polishing glasses", 30), ("serving soup", 60)])
    part_of = block_at(mind.plan.blocks, AT).part_of if hour == "the same hour's work" else hour
    before = replace(HOURS[1], activity="polishing glasses", part_of=part_of, spot=spot())
    blocks = (HOURS[0], before, *mind.plan.blocks[2:])
    mind = replace(mind, plan=replace(mind.plan, blocks=blocks))
    after, model, _ = await _grounded(mind)
    asked = _asked(model)
    if part_of == hour:
        assert asked[:2] == ["polishing glasses", "serving soup"]
    else:
        assert block_at(after.plan.blocks, AT).spot == spot()
        assert asked[0] == "serving soup" and "polishing glasses" not in asked


async def test_the_beds_of_a_garden_are_not_slept_in():
    mind, _, _ = await _grounded(_mind([("watering the beds", 120)], "working in the garden"))
    assert "bed" not in block_at(mind.plan.blocks, AT).spot.place.split(": ")[2:]


@pytest.mark.parametrize("before", [spot(nowhere=True), spot(fallback="ground_block")])
async def test_what_only_a_fallback_placed_is_asked_again(before):
    mind = _mind([("polishing glasses", 30), ("serving soup", 90)])
    part_of = block_at(mind.plan.blocks, AT).part_of
    done = replace(HOURS[1], activity="polishing glasses", part_of=part_of, spot=before)
    blocks = (HOURS[0], done, *mind.plan.blocks[2:])
    _, model, _ = await _grounded(replace(mind, plan=replace(mind.plan, blocks=blocks)))
    assert "polishing glasses" in _asked(model)
