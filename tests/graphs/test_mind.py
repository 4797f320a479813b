"""The mind graph: the order of its steps, when each runs, and what a thought leaves behind."""

from dataclasses import replace

import pytest

from smolville.agents.action import Talk, TalkLine
from smolville.agents.errors import StoppedError
from smolville.agents.times import at_of
from smolville.graphs.mind import build_mind, think
from smolville.graphs.surroundings import Sight
from smolville.models.errors import TransportError
from tests.agents.days import covers_day
from tests.fixtures.scripted import Around, NotScripted, Scripted
from tests.graphs.minds import (
    ADA,
    body,
    context_for,
    day_plan,
    doing,
    memory,
    mind_of,
    person,
    planning_from,
    records,
    spot,
    tick_at,
)
from tests.graphs.replies import good

ROOM = "Copper Kettle: counter room"
TALK = Talk(
    id="t",
    participants=("Ben Hollis", "Ada Brook"),
    place=ROOM,
    start=35_000,
    end=36_000,
    lines=(
        TalkLine(speaker="Ben Hollis", text="Hello.", at=35_000),
        TalkLine(speaker="Ada Brook", text="I bake one cake less.", at=35_060),
    ),
)

PLACED = ("reuse_places", "place_named", "ground_block")


def _placed(plan):
    """A plan in which everything has its place."""
    blocks = tuple(replace(block, spot=spot(), part_of="x") for block in plan.blocks)
    return replace(plan, blocks=blocks)


async def _thought(mind, around, memories=(), model=None):
    context = context_for(model or Scripted(otherwise=good), around, memories=memories)
    done = await think(build_mind(), context, ADA.name, mind)
    return done.mind, done.intent, done.path, done


async def test_the_first_thought_of_a_run_plans_the_day_and_goes_to_bed():
    around = Around(tick=0, why=("new_day",))
    mind, intent, nodes, done = await _thought(mind_of(), around)
    assert nodes == ["feel_needs", "perceive", *planning_from("plan_day"), "act"]
    assert (intent.action.kind, intent.action.place) == ("sleep", f"{ADA.home}: bed")
    assert intent.action.end == at_of(1, 330)
    assert covers_day(mind.plan.blocks) and mind.plan.day == 1
    assert [each.step for each in records(done)] == planning_from("plan_day")


async def test_a_block_is_split_and_placed_when_it_begins():
    around = Around(tick=tick_at(480), own=body(doing(end=at_of(1, 480))))
    mind, intent, nodes, _ = await _thought(mind_of(day_plan()), around)
    assert nodes == ["feel_needs", "perceive", "decompose", *PLACED, "act"]
    assert covers_day(mind.plan.blocks)
    assert intent.action.activity == "doing part a"
    assert intent.action.end == at_of(1, 540)


async def test_somebody_new_is_reacted_to():
    around = Around(tick=tick_at(600), why=("sight",), own=body(doing()), seen=(person(),))
    reply = {"reason": "flour", "choice": "talk", "person": "Ben Hollis"}
    model = Scripted(replies={"react": [reply]})
    _, intent, nodes, _ = await _thought(mind_of(_placed(day_plan())), around, model=model)
    assert nodes == ["feel_needs", "perceive", "react"] and intent.start_talk == "Ben Hollis"


async def test_after_an_agreement_the_rest_of_the_hour_is_planned_anew():
    own = body(doing(kind="talk", end=at_of(1, 600)), ended_talk=TALK)
    around = Around(tick=tick_at(600), why=("talk_ended",), own=own)
    agreed = {"who": ["Ada Brook"], "what": "baking one cake less", "line": 2, "day": "today"}
    reply = good("conclude_talk", {}) | {"agreements": [agreed | {"time": "11:00", "place": None}]}
    model = Scripted(replies={"conclude_talk": [reply]}, otherwise=good)
    mind, intent, nodes, done = await _thought(mind_of(_placed(day_plan())), around, model=model)
    assert nodes == [
        "feel_needs",
        "perceive",
        "conclude_talk",
        "replan",
        "reuse_places",
        "place_named",
        "ground_block",
        "act",
    ]
    assert intent.action.activity == "doing part a" and covers_day(mind.plan.blocks)
    assert "Ben Hollis" in mind.impressions
    assert [each.kind for each in done.draft.memories] == ["talk", "thought", "event"]


async def test_enough_memories_are_rated_and_reflected_on():
    past = [memory(n, f"Ben Hollis did thing number {n}.") for n in range(20)]
    ids = tuple(each.id for each in past)
    mind = mind_of(_placed(day_plan()), unrated=ids, gathered=float(ADA.reflection_threshold))
    around = Around(tick=tick_at(600), why=("sight",), own=body(doing()))
    after, _, nodes, done = await _thought(mind, around, past)
    assert nodes == [
        "feel_needs",
        "perceive",
        "choose_unrated",
        "rate_importance",
        "keep_ratings",
        "reflect_questions",
        "reflect_insights",
    ]
    assert after.gathered == 0.0 and len(after.unrated) == 4
    assert [each.depth for each in done.draft.memories] == [1]


def _awake(**more):
    sight = Sight(arena=ROOM, objects=("counter", "table"))
    kept = {"tick": tick_at(480), "own": body(doing(end=at_of(1, 480))), "places": (sight,)}
    kept["taken"] = {f"{ROOM}: counter": True, f"{ROOM}: table": False}
    return Around(**(kept | {"seen": (person(),)} | more))


@pytest.mark.parametrize("why", ["action_ended", "new_day", "sight", "inner_voice: Sing!"])
async def test_a_thought_never_reads_beyond_the_box(why):
    past = [memory(n, f"Ben Hollis did thing number {n}.") for n in range(20)]
    mind = mind_of(day_plan(), unrated=tuple(each.id for each in past), gathered=200.0)
    for seen_mind in (mind, mind_of(None)):
        _, intent, nodes, _ = await _thought(seen_mind, _awake(why=(why,)), past)
        assert "act" in nodes and intent.action is not None


FAILURES = [
    (NotScripted("a broken node"), NotScripted),
    (TransportError("the server is gone", retryable=False), StoppedError),
]


@pytest.mark.parametrize(("failure", "raised"), FAILURES)
@pytest.mark.parametrize("stage", ["react", "decompose", "ground_block"])
async def test_a_thought_that_fails_leaves_the_next_one_as_it_was(stage, failure, raised):
    before = mind_of(day_plan())
    failing = Scripted(replies={stage: [failure]}, otherwise=good)
    with pytest.raises(raised):
        await think(build_mind(), context_for(failing, _awake()), ADA.name, before)
    done = [
        await think(build_mind(), context_for(Scripted(otherwise=good), _awake()), ADA.name, mind)
        for mind in (before, mind_of(day_plan()))
    ]
    assert done[0] == done[1]
    assert done[0].path == ["feel_needs", "perceive", "react", "decompose", *PLACED, "act"]
