"""A reflection: three questions, and insights that rest on memories."""

from dataclasses import replace

import pytest

from graphs.reflect_insights import MEMORIES, reflect_insights
from graphs.reflect_questions import REST, is_due, reflect_questions
from graphs.thinking import Thinking
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import ADA, memory, mind_of, run, thought_of
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
    assert is_due(Thinking(mind=mind), thought_of(around=AROUND)) is due


async def test_three_questions_are_asked_about_the_latest_memories():
    model = Scripted(otherwise=good)
    thought = thought_of(model, AROUND, memories=PAST)
    thought.notes.remember("event", "The bell rang.", step="perceive")
    done = await run(reflect_questions, thought, mind_of())
    assert done == {"questions": tuple(good("reflect_questions", {})["questions"])}
    shown = [each["text"] for each in model.asked[0].told["inputs"]["memories"]]
    assert shown == [*(each.text for each in PAST), "The bell rang."]


async def test_questions_nobody_asked_are_anybodys():
    done = await run(reflect_questions, thought_of(Scripted(otherwise=bad)), mind_of())
    assert len(done["questions"]) == 3 and all("Ada Brook" in each for each in done["questions"])


async def _insights(otherwise, memories=PAST, mind=None):
    model = Scripted(otherwise=otherwise)
    thought = thought_of(model, AROUND, memories=memories)
    mind = mind or mind_of(gathered=99.0)
    done = await run(reflect_insights, thought, mind, questions=QUESTIONS)
    return done["mind"], thought, model


async def test_an_insight_is_a_thought_that_rests_on_its_memories():
    mind, thought, model = await _insights(good)
    (made,) = thought.notes.memories
    assert (made.kind, made.importance) == ("thought", 6)
    shown = [each["text"] for each in model.asked[0].told["inputs"]["memories"]]
    evidence = [next(m for m in PAST if m.text == text) for text in shown[:2]]
    assert made.evidence == tuple(each.id for each in evidence)
    assert made.depth == 1 + max(each.depth for each in evidence)
    assert (mind.gathered, mind.reflected) == (0.0, AROUND.at)
    assert made.id not in mind.unrated, "it was rated as it was made"


async def test_no_insight_is_remembered_of_a_fallback():
    mind, thought, _ = await _insights(bad)
    assert thought.notes.memories == [] and mind.gathered == 0.0
    assert thought.ledger.steps[0].outcome == "fallback"


async def test_without_memories_nobody_is_asked():
    mind, _, model = await _insights(good, memories=())
    assert model.asked == [] and (mind.gathered, mind.reflected) == (0.0, AROUND.at)


async def test_each_memory_comes_back_once_for_three_questions():
    many = [replace(memory(n, f"Soup number {n} was good."), importance=5) for n in range(60)]
    _, thought, model = await _insights(good, memories=many)
    shown = [each["text"] for each in model.asked[0].told["inputs"]["memories"]]
    assert len(shown) == len(set(shown)) == MEMORIES
    accessed = [change.id for change in thought.notes.changes if change.kind == "access"]
    assert len(accessed) == len(set(accessed)) == MEMORIES
