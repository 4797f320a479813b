"""Memories wait until there are enough of them, or until a reflection could be due."""

from dataclasses import replace

from graphs.rate_importance import MOST, is_due, rate_importance
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import ADA, memory, mind_of, notebook, run, stream_of, thought_of
from tests.graphs.replies import bad, good

PAST = [memory(n, f"Thing number {n} happened.") for n in range(20)]
IDS = tuple(each.id for each in PAST)
AROUND = Around(tick=100_000)


async def _rated(otherwise, count=20):
    model = Scripted(otherwise=otherwise)
    thought = thought_of(model, AROUND, memories=PAST)
    done = await run(rate_importance, thought, mind_of(unrated=IDS[:count], gathered=10.0))
    return done["mind"], thought, model


async def test_the_oldest_sixteen_are_rated_and_the_rest_waits():
    mind, thought, model = await _rated(good)
    assert len(model.asked[0].told["inputs"]["memories"]) == MOST == 16
    rates = [change for change in thought.notes.changes if change.kind == "rate"]
    assert [change.id for change in rates] == list(IDS[:MOST])
    assert [change.value for change in rates] == [1 + n % 9 for n in range(1, 17)]
    assert {change.reason for change in rates} == {"so it is"}
    assert mind.unrated == IDS[MOST:]
    assert mind.gathered == 10 + sum(change.value for change in rates)


async def test_a_fallback_leaves_them_provisional_and_asks_no_more():
    mind, thought, _ = await _rated(bad)
    assert thought.notes.changes == [] and mind.unrated == IDS[MOST:]
    assert mind.gathered == 10 + 16 * 3.0
    assert thought.ledger.steps[0].outcome == "fallback"


def _is_due(count, gathered=0.0, kind="event", **more):
    memories = [replace(each, kind=kind) for each in PAST]
    notes = notebook(stream_of(memories), AROUND)
    return is_due(mind_of(unrated=IDS[:count], gathered=gathered, **more), notes)


def test_sixteen_waiting_memories_are_reason_enough():
    assert _is_due(MOST) and not _is_due(MOST - 1)


def test_a_few_are_enough_when_a_reflection_could_be_due():
    close = float(ADA.reflection_threshold - 10)
    assert not _is_due(3, close) and _is_due(4, close)
    assert _is_due(2, close, kind="thought"), "a thought counts for 5 until it is rated"


def test_nothing_waits_nothing_is_asked():
    assert not _is_due(0, 10_000.0)


def test_a_memory_of_this_very_thought_counts():
    notes = notebook(stream_of(), AROUND)
    made = notes.remember("talk", "They talked.", step="x")
    close = float(ADA.reflection_threshold - 5)
    assert is_due(mind_of(unrated=(made.id,), gathered=close), notes)
