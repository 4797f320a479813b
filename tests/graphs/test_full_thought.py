"""One thought with everything in it at once: what it counts, what it names, what it streams."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from smolville.agents.plan import cover_day
from smolville.graphs.draft import Draft
from smolville.graphs.loop.ledger import AskEvent
from smolville.graphs.mind import BUILDERS, WAYS, build_mind, think
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    ADA,
    body,
    calls_of,
    context_for,
    day_plan,
    memory,
    mind_of,
    records,
    seen,
    tick_at,
)
from tests.graphs.replies import bad, good

WHISPERS = tuple(f"inner_voice: Remember errand number {n}." for n in range(10))
DAY = {360: "washing", 480: "zorbing", 540: "geocaching", 720: "lunch", 1320: "sleeping"}
HOURS = cover_day(list(DAY.items()))
PAST = [memory(n, f"Ben Hollis did thing number {n}.") for n in range(20)]
STEPS = [
    *["heed_inner_voice"] * 10,
    *["decompose"] * 2,
    "ground_block",
    "rate_importance",
    "reflect_questions",
    "reflect_insights",
]
"""As the thought reports them: two blocks to split, tasks elsewhere, a rating beside."""
PLACED = ["reuse_places", "place_named"]
PATH = [
    "feel_needs",
    "perceive",
    "hear_whispers",
    *STEPS[:10],
    "choose_unrated",
    *STEPS[10:12],
    *PLACED,
    STEPS[12],
    "act",
    "rate_importance",
    "keep_ratings",
    *STEPS[14:],
]


def _full_mind():
    ids = tuple(each.id for each in PAST)
    return mind_of(day_plan(blocks=HOURS), unrated=ids, gathered=float(ADA.reflection_threshold))


def _full_context(otherwise):
    around = Around(tick=tick_at(480), why=WHISPERS, own=body(None))
    return context_for(Scripted(otherwise=otherwise), around, memories=PAST)


def _answers(step: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Good answers, by which the first tasks fit none of the places near."""
    if step == "heed_inner_voice":
        return {"thought": f"I know: {inputs['whisper']}", "importance": 2}
    reply = good(step, inputs)
    if step == "ground_block" and len({each["sector"] for each in inputs["places"]}) > 1:
        return dict.fromkeys(reply, 0)
    return reply


def _at_the_second_try() -> Callable[[str, Mapping[str, Any]], dict[str, Any]]:
    """The same answers, each after a bad one."""
    turns = Counter[str]()

    def answers(step: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
        turns[step] += 1
        return bad(step, inputs) if turns[step] % 2 else _answers(step, inputs)

    return answers


EACH = pytest.mark.parametrize(
    ("otherwise", "attempts"),
    [(lambda: _answers, 1), (_at_the_second_try, 2)],
    ids=["clean", "repaired"],
)


@EACH
async def test_nothing_is_counted_twice_and_nothing_is_named_twice(otherwise, attempts):
    context = _full_context(otherwise())
    done = await think(build_mind(), context, ADA.name, _full_mind())
    told = records(done)
    assert [record.step for record in told] == STEPS and done.path == PATH
    assert {record.attempts for record in told} == {attempts}
    keys = [reading.key for each in done.finished for reading in each.readings]
    assert len(keys) == len(set(keys)) == len(STEPS) * attempts
    assert set(keys) == {call.key for call in calls_of(context)}
    assert len(context.client.fast.model.asked) == len(keys)
    uses = Counter(STEPS)
    assert done.draft.uses == uses
    for step, count in uses.items():
        assert [record.ordinal for record in told if record.step == step] == list(range(count))


@EACH
async def test_no_two_memories_have_one_id(otherwise, attempts):
    done = await think(build_mind(), _full_context(otherwise()), ADA.name, _full_mind())
    ids = [each.id for each in done.draft.memories]
    assert len(ids) == len(set(ids)) == 12, "ten whispers, a deed and an insight"
    assert {each.id.split("/")[2] for each in done.draft.memories} == {
        "heed_inner_voice",
        "act",
        "reflect_insights",
    }
    rated = [change.id for change in done.draft.changes if change.kind == "rate"]
    assert len(rated) == len(set(rated)) == 16


@EACH
async def test_every_attempt_is_told_while_it_is_made(otherwise, attempts):
    heard: list[AskEvent] = []
    context = replace(_full_context(otherwise()), asks=heard.append)
    await think(build_mind(), context, ADA.name, _full_mind())
    told = [each._asdict() for each in heard]
    expected = [
        {"agent": ADA.name, "step": step, "ordinal": STEPS[:at].count(step), "attempt": attempt}
        for at, step in enumerate(STEPS)
        for attempt in range(attempts)
    ]
    beside = [each for each in told if each["step"] == "rate_importance"]
    assert beside == [each for each in expected if each["step"] == "rate_importance"]
    assert [each for each in told if each not in beside] == [
        each for each in expected if each not in beside
    ]


async def test_phases_that_are_run_by_themselves_come_to_the_whole_thought():
    context, state = _full_context(_answers), seen(_full_mind())
    whole = await think(build_mind(), _full_context(_answers), ADA.name, _full_mind())
    wanted = {way.to: way.is_open for way in WAYS} | {
        "rating": lambda state, me: bool(state.rating)
    }
    for name, build in BUILDERS.items():
        is_wanted = wanted.get(name)
        if is_wanted is None or is_wanted(state, context.of(ADA.name)):
            done = await build().ainvoke(state, context=context)
            state = replace(state, **done)
    assert sorted(state.path) == sorted(whole.path)
    assert len(state.finished) == len(whole.finished)
    assert (state.mind, state.draft, state.intent) == (whole.mind, whole.draft, whole.intent)
    assert whole.draft != Draft()
