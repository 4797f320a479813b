"""The desk: journal, back-off, slots, and what is kept of a call."""

import asyncio
import json

import pytest

from agents.errors import StoppedError
from graphs import heed_inner_voice
from graphs.loop.ledger import MemoryJournal
from graphs.samples import OTHER_SAMPLES, SAMPLES
from models.errors import PromptCut, TransportError
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import memory, thought_of
from tests.graphs.replies import bad, good

HEED, INPUTS = heed_inner_voice.STEP, SAMPLES["heed_inner_voice"]
GOOD = good(HEED.name, {})
BAD = bad(HEED.name, {})


async def _asked(journal, *replies, inputs=INPUTS, tick=5, **desk):
    model = Scripted(replies={HEED.name: list(replies)})
    thought = thought_of(model, Around(tick=tick), journal=journal, **desk)
    taken = await HEED.take(thought, inputs)
    return taken, model, thought


async def test_a_call_that_was_asked_before_is_served_by_the_journal():
    journal = MemoryJournal()
    first, _, before = await _asked(journal, BAD, GOOD)
    again, model, after = await _asked(journal)
    assert model.asked == [] and again == first
    assert after.ledger.steps == before.ledger.steps
    assert after.ledger.readings == before.ledger.readings


async def test_whoever_listens_hears_of_every_call_and_whether_it_was_served():
    journal, heard = MemoryJournal(), []
    await _asked(journal, GOOD, heard=lambda call, served: heard.append(served))
    await _asked(journal, heard=lambda call, served: heard.append(served))
    assert heard == [False, True]


@pytest.mark.parametrize("change", [{"inputs": OTHER_SAMPLES[HEED.name]}, {"seed": 8}, {"tick": 6}])
async def test_a_question_that_changed_is_asked_anew(change):
    journal = MemoryJournal()
    await _asked(journal, GOOD)
    _, model, _ = await _asked(journal, GOOD, **change)
    assert len(model.asked) == 1


async def test_a_repair_after_another_first_reply_is_asked_anew():
    journal = MemoryJournal()
    _, _, thought = await _asked(journal, BAD, GOOD)
    first, second = list(thought.desk.journal.calls.values())
    edited = MemoryJournal([second])
    _, model, _ = await _asked(edited, GOOD | {"importance": 13}, GOOD)
    assert len(model.asked) == 2
    assert first.messages_hash != second.messages_hash


async def test_a_lost_call_is_asked_again_and_counted_as_one_call():
    waits = []
    lost = TransportError("the server is busy")
    taken, model, thought = await _asked(
        MemoryJournal(), lost, lost, GOOD, waiting=lambda error, seconds: waits.append(str(error))
    )
    assert (taken.outcome, len(model.asked)) == ("clean", 3)
    (call,) = thought.desk.journal.calls.values()
    assert call.retries == 2 and waits == ["the server is busy"] * 2
    assert thought.ledger.steps[0].attempts == 1


@pytest.mark.parametrize(("retryable", "calls"), [(True, 3), (False, 1)])
async def test_a_server_that_went_away_stops_the_run_after_bounded_back_off(retryable, calls):
    gone = [TransportError("the server is gone.", retryable=retryable) for _ in range(9)]
    model, journal = Scripted(replies={HEED.name: gone}), MemoryJournal()
    thought = thought_of(model, journal=journal)
    with pytest.raises(StoppedError, match=r"the server is gone\. .* is saved"):
        await HEED.take(thought, INPUTS)
    assert len(model.asked) == calls
    assert journal.calls == {} and thought.ledger.steps == []


async def test_a_cut_prompt_is_no_repair_but_an_error():
    model = Scripted(replies={HEED.name: [PromptCut("too long")]})
    with pytest.raises(PromptCut):
        await HEED.take(thought_of(model), INPUTS)
    assert len(model.asked) == 1


async def test_a_call_is_kept_with_everything_that_was_asked():
    journal = MemoryJournal()
    thought = thought_of(
        Scripted(otherwise=good), Around(tick=9), journal=journal, memories=[memory(0, "Soup.")]
    )
    found = await thought.notes.recall(["soup"], 3)
    await HEED.take(thought, INPUTS, found)
    (call,) = journal.calls.values()
    key = call.key
    assert (key.owner, key.tick, key.step) == ("Ada Brook", 9, HEED.name)
    assert (key.ordinal, key.attempt) == (0, 0)
    assert json.loads(call.inputs) == INPUTS.model_dump(mode="json")
    (row,) = json.loads(call.recalled)
    assert row["id"] == found[0].memory.id and row["score"] == found[0].score
    assert [each["role"] for each in json.loads(call.messages)] == ["system", "user"]
    assert call.template == HEED.prompt.version
    assert (call.model, call.tier, call.finish) == ("scripted", "fast", "stop")
    assert (call.prompt_tokens, call.completion_tokens, call.retries) == (20, 5, 0)
    assert json.loads(call.reply) == GOOD


class Slow(Scripted):
    """Notes how many calls are in flight at once."""

    now: int = 0
    most: int = 0

    async def _agenerate(self, messages, *args, **told):
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.002)
        self.now -= 1
        return await super()._agenerate(messages, **({"step": HEED.name, "inputs": {}} | told))


@pytest.mark.parametrize(("slots", "serial", "most"), [(1, False, 1), (3, False, 3), (3, True, 1)])
async def test_calls_in_flight_are_bounded_to_the_servers_slots(slots, serial, most):
    model = Slow(otherwise=good)
    thought = thought_of(model, one_at_a_time=serial)
    chat = thought.desk.fast
    chat.wants_inputs, chat.slots = False, slots
    await asyncio.gather(*(HEED.take(thought, INPUTS) for _ in range(7)))
    assert (model.most, len(model.asked)) == (most, 7)
