"""A reflection: three questions, and insights that rest on memories."""

from dataclasses import replace

import pytest

from graphs import reflect_insights, reflect_questions
from graphs.draft import Draft
from graphs.mind import build_phase
from graphs.phases import REFLECTION
from graphs.reflect_insights import MEMORIES
from graphs.reflect_questions import REST, is_due, worth_a_thought
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    ADA,
    context_for,
    live,
    memory,
    mind_of,
    records,
    seen,
    take,
    thinker,
)
from tests.graphs.replies import bad, good

AROUND = Around(tick=100_000)
PAST = [
    memory(0, "Ben Hollis likes soup."),
    memory(1, "Ada Brook bought leeks for soup.", kind="thought", depth=2),
    memory(2, "It rained."),
]
QUESTIONS = ("Who likes soup?", "What did Ada Brook buy?", "How was the weather?")


@pytest.mark.parametrize(
    ("gathered", "ago", "due"),
    [
        (ADA.reflection_threshold, REST, True),
        (ADA.reflection_threshold - 0.5, REST, False),
        (ADA.reflection_threshold * 9, REST - 1, False),
    ],
)
def test_a_reflection_is_due_when_enough_has_happened_and_the_last_is_past(gathered, ago, due):
    mind = mind_of(gathered=float(gathered), reflected=AROUND.at - ago)
    assert is_due(seen(mind), thinker(AROUND)) is due


async def test_three_questions_are_asked_about_the_latest_memories():
    model = Scripted(otherwise=good)
    context = context_for(model, AROUND, memories=PAST)
    heard, _ = Draft().with_memory(context.of(ADA.name), "event", "The bell rang.", step="perceive")
    done = await take(reflect_questions.STEP, context, mind_of(), draft=heard)
    assert done.questions == tuple(good("reflect_questions", {})["questions"])
    assert (done.draft.memories, done.draft.changes) == (heard.memories, ())
    shown = [each["text"] for each in model.asked[0].told["inputs"]["memories"]]
    assert shown == [*(each.text for each in PAST), "The bell rang."]


@pytest.mark.parametrize(("reflected", "is_asked"), [(10_000, True), (AROUND.at - REST, False)])
async def test_a_model_is_asked_for_questions_once_a_day(reflected, is_asked):
    day = AROUND.at // 86_400
    assert (reflected // 86_400 == day) != is_asked
    gathered = float(ADA.reflection_threshold)
    mind = mind_of(gathered=gathered, reflected=reflected, talked={"Ben Hollis": AROUND.at - 60})
    model = Scripted(otherwise=good)
    done = await live(build_phase(REFLECTION), context_for(model, AROUND, memories=PAST), mind)
    asked = ["reflect_questions", "reflect_insights"] if is_asked else ["reflect_insights"]
    assert model.steps() == asked and done.mind.reflected == AROUND.at
    told = model.asked[-1].told["inputs"]["questions"]
    assert any("talks with Ben Hollis" in each for each in told) != is_asked


async def test_a_reflection_looks_at_what_is_new_since_the_last_one():
    old = [memory(n, f"Ben Hollis sold bag number {n}.", at=50) for n in range(9)]
    new = [memory(n, f"Cora Vance wrote page number {n}.", at=900) for n in range(10, 16)]
    model = Scripted(otherwise=good)
    context = context_for(model, AROUND, memories=[*old, *new])
    await take(reflect_questions.STEP, context, mind_of(reflected=100))
    shown = [each["text"] for each in model.asked[0].told["inputs"]["memories"]]
    assert shown == [each.text for each in new]


async def test_questions_nobody_asked_are_anybodys():
    done = await take(reflect_questions.STEP, context_for(Scripted(otherwise=bad)), mind_of())
    assert len(done.questions) == 3 and all("Ada Brook" in each for each in done.questions)


async def _insights(otherwise, memories=PAST):
    model = Scripted(otherwise=otherwise)
    context = context_for(model, AROUND, memories=memories)
    done = await take(reflect_insights.STEP, context, mind_of(), questions=QUESTIONS)
    return done, model


async def _reflected(otherwise, memories=PAST):
    model = Scripted(otherwise=otherwise)
    context = context_for(model, AROUND, memories=memories)
    return await live(build_phase(REFLECTION), context, mind_of(gathered=99.0)), model


async def test_an_insight_is_a_thought_that_rests_on_its_memories():
    done, model = await _insights(good)
    (made,) = done.draft.memories
    assert (made.kind, made.importance) == ("thought", 6)
    shown = [each["text"] for each in model.asked[0].told["inputs"]["memories"]]
    evidence = [next(m for m in PAST if m.text == text) for text in shown[:2]]
    assert made.evidence == tuple(each.id for each in evidence)
    assert made.depth == 1 + max(each.depth for each in evidence)
    assert made.id not in done.mind.unrated, "it was rated as it was made"


@pytest.mark.parametrize("otherwise", [good, bad])
async def test_after_a_reflection_importance_is_gathered_anew(otherwise):
    done, _ = await _reflected(otherwise)
    assert done.path == ["reflect_questions", "reflect_insights"]
    assert (done.mind.gathered, done.mind.reflected) == (0.0, AROUND.at)


async def test_no_insight_is_remembered_of_a_fallback():
    done, _ = await _insights(bad)
    assert done.draft.memories == ()
    assert [record.outcome for record in records(done)] == ["fallback"]


@pytest.mark.parametrize("memories", [(), [memory(0, "Old.", expires=AROUND.at)]])
async def test_where_nothing_is_remembered_nobody_is_asked_for_insights(memories):
    done, model = await _reflected(good, memories)
    assert model.steps() == done.path == ["reflect_questions"]
    assert (done.mind.gathered, done.mind.reflected) == (0.0, AROUND.at)


async def test_each_memory_comes_back_once_for_three_questions():
    many = [replace(memory(n, f"Soup number {n} was good."), importance=5) for n in range(60)]
    done, model = await _insights(good, memories=many)
    shown = [each["text"] for each in model.asked[0].told["inputs"]["memories"]]
    assert len(shown) == len(set(shown)) == MEMORIES
    accessed = [change.id for change in done.draft.changes if change.kind == "access"]
    assert len(accessed) == len(set(accessed)) == MEMORIES


def test_ones_own_deeds_and_plans_are_left_out_where_enough_else_is_left():
    own = [memory(n, f"Ada Brook is washing cup {n}.", subject=ADA.name) for n in range(9)]
    plan = memory(10, "This is Ada Brook's plan.", kind="thought", predicate="plan")
    others = [memory(20 + n, f"Ben Hollis did thing {n}.", subject="Ben Hollis") for n in range(5)]
    assert worth_a_thought([*own, plan, *others], ADA.name) == others
    sight = memory(99, "Ben Hollis is talking with Cora Vance", predicate="talks with")
    assert worth_a_thought([sight, *others], ADA.name) == others
    assert worth_a_thought([*own, plan, *others[:4]], ADA.name) == [*own, plan, *others[:4]]


async def test_insights_are_asked_about_what_others_do():
    own = [memory(n, f"Ada Brook is washing cup {n}.", subject=ADA.name) for n in range(9)]
    others = [memory(20 + n, f"Ben Hollis did thing {n}.", subject="Ben Hollis") for n in range(6)]
    model = Scripted(otherwise=good)
    context = context_for(model, AROUND, memories=[*own, *others])
    done = await take(reflect_insights.STEP, context, mind_of(), questions=QUESTIONS)
    shown = [each["text"] for each in model.asked[0].told["inputs"]["memories"]]
    assert sorted(shown) == [each.text for each in others]
    (record,) = records(done)
    assert set(record.recalls[0].ids) == {each.id for each in others}, "as they were shown"
    assert {change.id for change in done.draft.changes} == {each.id for each in others}
