"""Memories wait until there are enough of them, or until a reflection could be due."""

from dataclasses import replace

from graphs.draft import Draft
from graphs.rate_importance import MOST, STEP, is_due
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import ADA, context_for, memory, mind_of, records, seen, take, thinker
from tests.graphs.replies import bad, good

PAST = [memory(n, f"Thing number {n} happened.") for n in range(20)]
IDS = tuple(each.id for each in PAST)
AROUND = Around(tick=100_000)


async def _rated(otherwise, count=20):
    model = Scripted(otherwise=otherwise)
    context = context_for(model, AROUND, memories=PAST)
    done = await take(STEP, context, mind_of(unrated=IDS[:count], gathered=10.0))
    return done, model


async def test_the_oldest_sixteen_are_rated_and_the_rest_waits():
    done, model = await _rated(good)
    assert len(model.asked[0].told["inputs"]["memories"]) == MOST == 16
    rates = done.draft.changes
    assert {change.kind for change in rates} == {"rate"}
    assert [change.id for change in rates] == list(IDS[:MOST])
    assert [change.value for change in rates] == [1 + n % 9 for n in range(1, 17)]
    assert {change.reason for change in rates} == {""}
    assert done.mind.unrated == IDS[MOST:]
    assert done.mind.gathered == 10 + sum(change.value for change in rates)


async def test_a_fallback_leaves_them_provisional_and_asks_no_more():
    done, _ = await _rated(bad)
    assert done.draft.changes == () and done.mind.unrated == IDS[MOST:]
    assert done.mind.gathered == 10 + 16 * 3.0
    assert [record.outcome for record in records(done)] == ["fallback"]


def _is_due(count, gathered=0.0, kind="event", **more):
    memories = [replace(each, kind=kind) for each in PAST]
    mind = mind_of(unrated=IDS[:count], gathered=gathered, **more)
    return is_due(seen(mind), thinker(AROUND, memories=memories))


def test_sixteen_waiting_memories_are_reason_enough():
    assert _is_due(MOST) and not _is_due(MOST - 1)


def test_a_few_are_enough_when_a_reflection_could_be_due():
    close = float(ADA.reflection_threshold - 10)
    assert not _is_due(3, close) and _is_due(4, close)
    assert _is_due(2, close, kind="thought"), "a thought counts for 5 until it is rated"


def test_nothing_waits_nothing_is_asked():
    assert not _is_due(0, 10_000.0)


def test_a_memory_of_this_very_thought_counts():
    me = thinker(AROUND)
    draft, made = Draft().with_memory(me, "talk", "They talked.", step="x")
    close = float(ADA.reflection_threshold - 5)
    assert is_due(seen(mind_of(unrated=(made.id,), gathered=close), draft=draft), me)
