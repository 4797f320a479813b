"""A reflection: three questions, and insights that rest on memories."""

from dataclasses import replace

import pytest

from smolville.graphs import rate_importance, reflect_insights, reflect_questions
from smolville.graphs.draft import Draft
from smolville.graphs.mind import build_reflection
from smolville.graphs.reflect_insights import MEMORIES
from smolville.graphs.reflect_questions import REST, is_due, worth_a_thought
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    ADA,
    context_for,
    live,
    memory,
    mind_of,
    records,
    run,
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


def _letter(at):
    return memory(50, "A letter for Ada Brook says: come.", at, subject="letter", importance=8)


async def test_a_reflection_asks_about_what_mattered_most_since_the_last_one():
    talks = [
        memory(n, f"Ben Hollis talked of {n}.", 900 + n, kind="talk", importance=4)
        for n in range(30)
    ]
    model = Scripted(otherwise=good)
    letter = _letter(890)
    context = context_for(model, AROUND, memories=[letter, *talks])
    await take(reflect_questions.STEP, context, mind_of(reflected=100))
    shown = [each["text"] for each in model.asked[0].told["inputs"]["memories"]]
    assert shown == [letter.text, *(each.text for each in talks[-reflect_questions.MEMORIES + 1 :])]


async def test_what_mattered_most_is_shown_for_insights_though_it_was_read_in_this_thought():
    many = [replace(memory(n, f"Soup number {n} was good."), importance=5) for n in range(60)]
    model = Scripted(otherwise=good)
    notice = memory(70, "A notice on the wall says: who has lost a key?", at=900, subject="notice")
    context = context_for(model, AROUND, memories=[*many, notice])
    draft = replace(Draft(), memories=(_letter(AROUND.at),))
    draft = draft.with_rating(context.of(ADA.name), notice.id, 9)
    mind = mind_of(gathered=99.0, reflected=100)
    done = await live(build_reflection(), context, mind, draft=draft)
    shown = [each["text"] for each in model.asked[1].told["inputs"]["memories"]]
    assert {notice.text, _letter(0).text} <= set(shown) and len(shown) <= MEMORIES
    made = done.draft.memories[-1]
    texts = {each.id: each.text for each in (*many, notice, *draft.memories)}
    assert [texts[each] for each in made.evidence] == shown[:2]


async def test_what_was_known_before_the_run_starts_no_reflection_and_is_not_asked_about():
    known = [memory(n, f"I know Ben Hollis since {n} years.", kind="thought") for n in range(1, 12)]
    known = [replace(each, id=f"Ada Brook/0/hear_whispers/{n}/0") for n, each in enumerate(known)]
    ids = tuple(each.id for each in known)
    rain = memory(50, "It rained.", at=900)
    context = context_for(model := Scripted(otherwise=good), AROUND, memories=[*known, rain])
    waiting = seen(mind_of(unrated=ids))
    assert not rate_importance.is_due(waiting, context.of(ADA.name)), "for all they weigh"
    kept = await run(
        rate_importance.keep_ratings, context, mind_of(), rated=tuple((each, 8) for each in ids)
    )
    assert kept["mind"].gathered == 0
    await take(reflect_questions.STEP, context, mind_of())
    shown = [each["text"] for each in model.asked[0].told["inputs"]["memories"]]
    assert shown == [rain.text]


async def _insights(otherwise, memories=PAST):
    model = Scripted(otherwise=otherwise)
    context = context_for(model, AROUND, memories=memories)
    done = await take(reflect_insights.STEP, context, mind_of(), questions=QUESTIONS)
    return done, model


async def _reflected(otherwise, memories=PAST):
    model = Scripted(otherwise=otherwise)
    context = context_for(model, AROUND, memories=memories)
    return await live(build_reflection(), context, mind_of(gathered=99.0)), model


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
