"""An inner voice becomes a thought of one's own; an interview leaves no trace."""

from smolville.agents.action import Action
from smolville.agents.memory import is_whispered
from smolville.graphs.answer_interview import interview
from smolville.graphs.mind import build_perception
from smolville.graphs.state import InterviewState
from smolville.parsers.prompt_inputs import SpokenLine
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import ADA, body, context_for, doing, live, memory, mind_of
from tests.graphs.replies import bad, good

WHISPERS = ("inner_voice: Sing on Friday!", "sight", "inner_voice: The sea is high.")
OWN = ("inner_voice: I want to sing", "inner_voice: Sing!", "inner_voice: Ben fears me.")


async def _heeded(otherwise, action=None, why=WHISPERS):
    model = Scripted(otherwise=otherwise)
    around = Around(tick=9, why=why, own=body(action or doing()))
    context = context_for(model, around)
    return await live(build_perception(), context, mind_of(gathered=1.0)), model


def _own_words(step, inputs):
    return {"thought": f"I know: {inputs['whisper']}", "importance": 6}


async def test_a_whisper_in_doubt_becomes_a_thought_in_ones_own_words():
    done, model = await _heeded(_own_words)
    assert [each.told["inputs"]["whisper"] for each in model.asked] == [
        "Sing on Friday!", "The sea is high.",
    ]  # fmt: skip
    made = done.draft.memories
    assert [(each.kind, each.text, each.importance) for each in made] == [
        ("thought", "I know: Sing on Friday!", 6),
        ("thought", "I know: The sea is high.", 6),
    ]
    assert len({each.id for each in made}) == 2 and all(is_whispered(each.id) for each in made)
    assert done.mind.gathered == 13.0 and done.disturbed == made[-1].text
    assert done.path == [
        "feel_needs",
        "perceive",
        "hear_whispers",
        "heed_inner_voice",
        "heed_inner_voice",
    ]


async def test_a_whisper_of_ones_own_is_a_thought_without_a_call_and_waits_for_its_rating():
    done, model = await _heeded(_own_words, why=OWN)
    assert [each.told["inputs"]["whisper"] for each in model.asked] == ["Sing!"]
    assert [(each.id, each.kind, each.text, each.importance) for each in done.draft.memories] == [
        ("Ada Brook/9/hear_whispers/0/0", "thought", "I want to sing.", None),
        ("Ada Brook/9/hear_whispers/2/0", "thought", "Ben fears me.", None),
        ("Ada Brook/9/heed_inner_voice/0/0", "thought", "I know: Sing!", 6),
    ]
    assert done.mind.unrated == tuple(each.id for each in done.draft.memories[:2])
    assert done.path == ["feel_needs", "perceive", "hear_whispers", "heed_inner_voice"]


async def test_a_voice_nobody_heeded_is_a_voice_heard_and_no_thought():
    done, _ = await _heeded(bad)
    assert [(each.kind, each.text) for each in done.draft.memories] == [
        ("event", 'Ada Brook heard an inner voice: "Sing on Friday!"'),
        ("event", 'Ada Brook heard an inner voice: "The sea is high."'),
    ]
    assert done.mind.gathered == 1.0 and done.mind.unrated == ()


async def _answered(otherwise, action: Action | None = None):
    past = memory(0, "Ada Brook bought leeks.")
    model = Scripted(otherwise=otherwise)
    around = Around(tick=9, own=body(action))
    context = context_for(model, around, memories=[past], mind=mind_of())
    asked = InterviewState(
        agent=ADA.name,
        asker="a reporter",
        question="What of leeks?",
        lines=(SpokenLine(speaker="a reporter", text="Hello?"),),
    )
    return await interview(context, asked), context, model


async def test_an_interview_is_answered_from_memory():
    done, context, model = await _answered(good, doing())
    assert [(line.speaker, line.text) for line in done.lines] == [
        ("a reporter", "Hello?"),
        ("a reporter", "What of leeks?"),
        ("Ada Brook", "I run the café at the corner."),
    ]
    inputs = model.asked[0].told["inputs"]
    assert [each["text"] for each in inputs["memories"]] == ["Ada Brook bought leeks."]
    assert (inputs["asker"], inputs["doing"]) == ("a reporter", "wiping the counter")
    assert inputs["lines"] == [{"speaker": "a reporter", "text": "Hello?"}]
    (past,) = context.of(ADA.name).stream
    assert done.draft.memories == () and past.accessed == 0
    assert done.path == ["answer_interview"] and len(done.finished) == 1


async def test_an_interview_nobody_answered_says_so():
    done, *_ = await _answered(bad)
    (finished,) = done.finished
    assert (done.lines[-1].text, finished.record.outcome) == ("(no answer)", "fallback")
