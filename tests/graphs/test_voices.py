"""An inner voice becomes a thought of one's own; an interview leaves no trace."""

from agents.action import Action
from graphs.answer_interview import answer_interview
from graphs.cards import Said
from graphs.heed_inner_voice import heed_inner_voice
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import body, doing, memory, mind_of, run, thought_of
from tests.graphs.replies import bad, good

WHISPERS = ("inner_voice: You want to sing.", "sight", "inner_voice: You fear the sea.")


async def _heeded(otherwise, action=None):
    model = Scripted(otherwise=otherwise)
    around = Around(tick=9, why=WHISPERS, own=body(action or doing()))
    thought = thought_of(model, around)
    return await run(heed_inner_voice, thought, mind_of(gathered=1.0)), thought, model


def _own_words(step, inputs):
    return {"thought": f"I know: {inputs['whisper']}", "importance": 6}


async def test_every_whisper_becomes_a_thought_in_ones_own_words():
    done, thought, model = await _heeded(_own_words)
    assert [each.told["inputs"]["whisper"] for each in model.asked] == [
        "You want to sing.", "You fear the sea.",
    ]  # fmt: skip
    made = thought.notes.memories
    assert [(each.kind, each.text, each.importance) for each in made] == [
        ("thought", "I know: You want to sing.", 6),
        ("thought", "I know: You fear the sea.", 6),
    ]
    assert len({each.id for each in made}) == 2
    assert done["mind"].gathered == 13.0 and done["disturbed"] == made[-1].text


async def test_a_voice_nobody_heeded_is_a_voice_heard_and_no_thought():
    done, thought, _ = await _heeded(bad)
    assert [(each.kind, each.text) for each in thought.notes.memories] == [
        ("event", 'Ada Brook heard an inner voice: "You want to sing."'),
        ("event", 'Ada Brook heard an inner voice: "You fear the sea."'),
    ]
    assert done["mind"].gathered == 1.0


async def test_a_voice_in_ones_sleep_disturbs_nothing():
    done, *_ = await _heeded(_own_words, doing(kind="sleep"))
    assert done["disturbed"] == ""


async def _answered(otherwise, action: Action | None = None):
    past = memory(0, "Ada Brook bought leeks.")
    model = Scripted(otherwise=otherwise)
    thought = thought_of(model, Around(tick=9, own=body(action)), memories=[past])
    mind = mind_of()
    lines = [Said(speaker="a reporter", text="Hello?")]
    found = await answer_interview(thought, mind, "a reporter", "What of leeks?", lines)
    return found, thought, model, mind


async def test_an_interview_is_answered_from_memory():
    found, thought, model, _ = await _answered(good, doing())
    assert found == ("I run the café at the corner.", False)
    inputs = model.asked[0].told["inputs"]
    assert [each["text"] for each in inputs["memories"]] == ["Ada Brook bought leeks."]
    assert (inputs["asker"], inputs["doing"]) == ("a reporter", "wiping the counter")
    assert inputs["lines"] == [{"speaker": "a reporter", "text": "Hello?"}]
    (past,) = thought.notes.stream
    assert thought.notes.memories == [] and past.accessed == 0


async def test_an_interview_nobody_answered_says_so():
    found, *_ = await _answered(bad)
    assert found == ("(no answer)", True)
