"""An answer that parses and makes no sense: refused, asked about once, or accepted as odd."""

from smolville.graphs import answer_interview, heed_inner_voice
from smolville.graphs.catalogue import SAMPLES
from tests.fixtures.scripted import Scripted
from tests.graphs.minds import ask, context_for, records
from tests.graphs.replies import bad, good

HEED = heed_inner_voice.STEP
GOOD = good("heed_inner_voice", {})
TO_YOU = {
    "thought": "You want to hold a dance on the square on Saturday at 18:00.",
    "importance": 6,
}
SHORT = {"thought": "I want to hold a dance on the square.", "importance": 6}
COPIED = {"thought": "I should tell my sister about the job before Friday.", "importance": 6}
SERVICE = {"answer": "How can I assist you today?"}


async def _asked(*replies, step=HEED, **client):
    model = Scripted(replies={step.name: list(replies)})
    ended = await ask(step, context_for(model, **client))
    (record,) = records(ended)
    return ended, record, model


async def test_a_doubted_answer_is_asked_again_with_the_reason():
    ended, record, model = await _asked(TO_YOU, GOOD)
    assert (ended.outcome, record.odd) == ("repaired", ())
    assert 'write "I", "me" or "my"' in model.asked[1].last
    first, second = ended.finished[0].readings
    assert (first.accepted, first.kinds, second.accepted) == (False, ("voice",), True)


async def test_what_is_still_doubted_is_accepted_as_odd_and_asked_no_third_time():
    ended, record, model = await _asked(TO_YOU, SHORT)
    assert (ended.outcome, len(model.asked)) == ("repaired", 2)
    assert ended.answer.thought == SHORT["thought"]
    assert record.odd_kinds == ("fact",) and "saturday" in record.odd[0]
    assert record.odd or record.outcome == "fallback"


async def test_an_odd_answer_is_better_than_none():
    wrong = bad("heed_inner_voice", {})
    ended, record, model = await _asked(SHORT, wrong, wrong, wrong)
    assert (ended.outcome, len(model.asked)) == ("clean", 4)
    assert ended.answer.thought == SHORT["thought"]
    assert (record.odd_kinds, record.problems) == (("fact",), ())


async def test_without_repairs_a_doubted_answer_is_odd_at_once():
    ended, record, model = await _asked(TO_YOU, repairs=0)
    assert (ended.outcome, len(model.asked), record.odd_kinds) == ("clean", 1, ("voice",))


async def test_a_copied_answer_is_never_accepted_nor_asked_a_third_time():
    ended, record, model = await _asked(COPIED, COPIED)
    assert (ended.outcome, len(model.asked)) == ("fallback", 2)
    assert ended.answer == HEED.fallback(SAMPLES["heed_inner_voice"])
    assert "which is copied from an example" in record.problems[0]
    assert record.odd == ()


async def test_what_asking_again_does_not_help_is_marked_without_a_second_call():
    ended, record, model = await _asked(SERVICE, step=answer_interview.STEP)
    assert (ended.outcome, len(model.asked), record.odd_kinds) == ("clean", 1, ("voice",))
