"""What was done before is done again without asking, where all its conditions hold."""

from dataclasses import replace

import pytest

from smolville.agents.mind import KnownPlace
from smolville.agents.plan import cover_day
from smolville.agents.routines import BROUGHT, KnownSpot, KnownTasks, Routines
from smolville.agents.times import day_of
from smolville.graphs.decompose import STEP as DECOMPOSE
from smolville.graphs.decompose import suits_any_day
from smolville.graphs.loop.step import StepResult
from smolville.graphs.mind import build_action
from smolville.graphs.scenes import ROSA
from smolville.graphs.surroundings import Sight
from smolville.parsers.decompose import Subtasks
from tests.agents.days import covers_day
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    PLACES,
    body,
    context_for,
    day_plan,
    live,
    mind_of,
    records,
    tick_at,
)
from tests.graphs.replies import bad, good

ROOM = "Copper Kettle: counter room"
WORK = "serving guests in the café"
TASKS = (("polishing glasses", 30), ("serving soup", 45), ("washing up", 45))
KNOWN = KnownTasks(activity=WORK, start=480, tasks=TASKS, tick=5)
PLACE = KnownSpot(
    activity="polishing glasses", part_of=WORK, start=480, place=f"{ROOM}: counter", tick=5
)
DAY_TWO = day_plan(2)


def _around(minute=480, **more):
    sights = (Sight(arena=ROOM, objects=("counter", "coffee machine", "table")),)
    kept = {"own": body(), "places": sights, "taken": {f"{ROOM}: counter": False}}
    kept["taken"] |= {f"{ROOM}: coffee machine": False, f"{ROOM}: table": False}
    return Around(tick=tick_at(minute, 2), **(kept | more))


async def _act(mind, *, minute=480, seed=8, around=None, otherwise=good, least=0.8):
    model = Scripted(otherwise=otherwise)
    context = context_for(
        model, around or _around(minute), seed=seed, routine_similarity=least, repairs=0
    )
    return await live(build_action(), context, mind)


def _knowing(*routines, plan=DAY_TWO, **more):
    tasks = tuple(each for each in routines if isinstance(each, KnownTasks))
    spots = tuple(each for each in routines if isinstance(each, KnownSpot))
    return mind_of(plan, routines=Routines(tasks=tasks, spots=spots), **more)


def _asked(state):
    return [record.step for record in records(state)]


def _parts(state):
    return [block for block in state.mind.plan.blocks if block.part_of == WORK]


async def test_a_known_activity_and_its_places_cost_no_call_and_are_recorded():
    places = [replace(PLACE, activity=name) for name, _ in TASKS]
    state = await _act(_knowing(KNOWN, *places), seed=5)
    assert _asked(state) == []
    assert [(each.activity, each.minutes) for each in _parts(state)] == list(TASKS)
    assert covers_day(state.mind.plan.blocks)
    assert state.intent.action.place == f"{ROOM}: counter"
    split, placed, *others = state.reused
    assert (split.kind, split.similarity, split.learnt) == ("tasks", 1.0, 5)
    assert split.tasks == tuple(name for name, _ in TASKS)
    assert (day_of(split.since), split.until - split.since) == (2, 120 * 60)
    assert [each.kind for each in (placed, *others)] == ["spot"] * len(TASKS)
    assert [n for n in state.path if n.startswith("reuse_")][::2] == ["reuse_tasks", "reuse_spots"]


@pytest.mark.parametrize("minutes", [60, 80, 90, 115, 180])
async def test_a_routine_fills_a_block_of_another_length_exactly(minutes):
    blocks = cover_day([(480, WORK), (480 + minutes, "having lunch"), (510 + minutes, "sleeping")])
    plan = replace(DAY_TWO, hours=blocks, blocks=blocks)
    state = await _act(_knowing(KNOWN, PLACE, plan=plan))
    assert sum(each.minutes for each in _parts(state)) == minutes
    assert "decompose" not in _asked(state) and covers_day(state.mind.plan.blocks)


@pytest.mark.parametrize(
    "known",
    [
        replace(KNOWN, start=780),
        replace(KNOWN, activity="serving guests in the café of Rosa"),
        replace(KNOWN, activity="counting the stars"),
        replace(KNOWN, tasks=(("polishing glasses", 30),)),
    ],
    ids=["another time of day", "another person", "something else", "far too short"],
)
async def test_what_does_not_fit_is_asked_about(known):
    state = await _act(_knowing(known))
    assert "decompose" in _asked(state) and "reuse_tasks" in state.path
    assert not [each for each in state.reused if each.kind == "tasks"]


@pytest.mark.parametrize(
    "changed",
    [
        {"places": PLACES | {ROOM: KnownPlace(objects=("table",))}},
        {"places": PLACES | {ROOM: KnownPlace(objects=("counter",), owners=("Ben Hollis",))}},
        {"places": {name: each for name, each in PLACES.items() if name != ROOM}},
        {
            "places": PLACES
            | {ROOM: KnownPlace(objects=("counter",), states=(("counter", "on fire"),))}
        },
        {"refused": (f"{ROOM}: counter",)},
    ],
    ids=["removed", "closed", "unknown", "on fire", "refused"],
)
async def test_a_place_that_cannot_be_used_is_planned_anew(changed):
    state = await _act(_knowing(KNOWN, PLACE, **changed))
    assert state.reused == [] and "decompose" in _asked(state)


async def test_accepted_answers_are_learnt_and_fallbacks_never():
    state = await _act(mind_of(DAY_TWO))
    (tasks,) = state.mind.routines.tasks
    assert (tasks.activity, tasks.minutes, tasks.tick) == (WORK, 120, tick_at(480, 2))
    assert state.mind.routines.spots
    state = await _act(mind_of(DAY_TWO), otherwise=bad)
    assert state.mind.routines == Routines()
    assert "decompose" in _asked(state)


def test_an_odd_answer_is_never_learnt():
    context, mind = context_for(around=_around()), mind_of(DAY_TWO)
    answer = Subtasks.model_validate({"subtasks": [{"activity": "serving", "minutes": 60}] * 2})
    for odd in (True, False):
        inputs = DECOMPOSE.sample(ROSA)
        told = StepResult(inputs=inputs, answer=answer, outcome="clean", ordinal=0, is_odd=odd)
        state = type("State", (), {"agent": mind.name, "mind": mind})
        learnt = DECOMPOSE.apply(state, context, told)["mind"].routines.tasks
        assert bool(learnt) is not odd


@pytest.mark.parametrize(
    ("activity", "is_learnt"),
    [
        ("pouring Walter's coffee", True),
        ("inviting every guest to the harvest party", False),
        ("asking Tom for his fiddle", False),
    ],
)
def test_what_speaks_of_a_passing_matter_is_not_learnt(activity, is_learnt):
    inputs = DECOMPOSE.sample(ROSA).model_copy(
        update={
            "activity": WORK,
            "agreed": ("tomorrow, 17:00: you and Tom Reed, dancing at the harvest party",),
            "memories": (),
        }
    )
    answer = Subtasks.model_validate(
        {
            "subtasks": [
                {"activity": activity, "minutes": 60},
                {"activity": "serving", "minutes": 60},
            ]
        }
    )
    assert suits_any_day(inputs, answer) is is_learnt


def test_the_oldest_are_forgotten_and_the_same_is_kept_once():
    known = Routines()
    for n in range(300):
        known = known.with_tasks(replace(KNOWN, activity=f"task {n}", tick=n))
    assert len(known.tasks) == 200 and known.tasks[0].activity == "task 100"
    again = known.with_tasks(replace(known.tasks[0], tick=BROUGHT))
    assert len(again.tasks) == 200 and again.tasks[-1].tick == BROUGHT
