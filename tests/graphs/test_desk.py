"""The desk: journal, back-off, and what is kept of a call."""

import json

import pytest

from smolville.agents.errors import StoppedError
from smolville.graphs import heed_inner_voice
from smolville.graphs.catalogue import OTHER_SAMPLES, SAMPLES
from smolville.graphs.loop.ledger import MemoryJournal
from smolville.graphs.recall import recall
from smolville.models.errors import TransportError
from tests.fixtures.pauses import Pauses
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import ask, calls_of, context_for, memory
from tests.graphs.replies import bad, good

HEED, INPUTS = heed_inner_voice.STEP, SAMPLES["heed_inner_voice"]
GOOD = good(HEED.name, {})
BAD = bad(HEED.name, {})
TRIED_TWICE = (
    " It was asked 3 times, with pauses of 2 minutes in all."
    " It wants to be left alone for 50 seconds."
)


async def _asked(journal, *replies, inputs=INPUTS, tick=5, **client):
    model = Scripted(replies={HEED.name: list(replies)})
    context = context_for(model, Around(tick=tick), journal=journal, **client)
    return await ask(HEED, context, inputs), model, context


async def test_a_call_that_was_asked_before_is_served_by_the_journal():
    journal = MemoryJournal()
    first, *_ = await _asked(journal, BAD, GOOD)
    again, model, _ = await _asked(journal)
    assert model.asked == [] and again.answer == first.answer
    assert again.finished == first.finished


async def test_whoever_listens_hears_of_every_call_and_whether_it_was_served():
    journal, heard = MemoryJournal(), []
    await _asked(journal, GOOD, heard=lambda call, served: heard.append(served))
    await _asked(journal, heard=lambda call, served: heard.append(served))
    assert heard == [False, True]


@pytest.mark.parametrize("change", [{"inputs": OTHER_SAMPLES[HEED.name]}, {"seed": 8}, {"tick": 6}])
async def test_a_question_that_changed_is_asked_anew(change):
    journal = MemoryJournal()
    await _asked(journal, GOOD)
    sensible = good(HEED.name, change.get("inputs", INPUTS).model_dump())
    _, model, _ = await _asked(journal, sensible, **change)
    assert len(model.asked) == 1


async def test_a_lost_call_is_asked_again_and_counted_as_one_call():
    waits = []
    lost = TransportError("the server is busy")
    ended, model, context = await _asked(
        MemoryJournal(), lost, lost, GOOD, waiting=lambda error, seconds: waits.append(str(error))
    )
    assert (ended.outcome, len(model.asked)) == ("clean", 3)
    (call,) = calls_of(context)
    assert (call.retries, json.loads(call.lost)) == (2, waits) == (2, ["the server is busy"] * 2)
    assert ended.finished[0].record.attempts == 1


@pytest.mark.parametrize(
    ("more", "calls", "tried"),
    [
        ({}, 10, " It was asked 10 times, with pauses of 2 minutes in all."),
        ({"retry_after": 50.0}, 3, TRIED_TWICE),
        ({"retry_after": 7200.0}, 1, " It wants to be left alone for 2 hours."),
        ({"retryable": False}, 1, ""),
    ],
)
async def test_a_server_that_went_away_stops_the_run_when_patience_is_over(more, calls, tried):
    gone = [TransportError("The server is gone.", **more) for _ in range(99)]
    model, journal = Scripted(replies={HEED.name: gone}), MemoryJournal()
    context = context_for(model, journal=journal, backoff=Pauses().backoff())
    with pytest.raises(StoppedError) as caught:
        await ask(HEED, context)
    saved = "Everything up to the last commit is saved."
    assert str(caught.value) == f"The server is gone.{tried} {saved}"
    assert len(model.asked) == calls
    assert journal.calls == {}


async def test_a_call_is_kept_with_everything_that_was_asked():
    journal = MemoryJournal()
    context = context_for(
        Scripted(otherwise=good), Around(tick=9), journal=journal, memories=[memory(0, "Soup.")]
    )
    found = (await recall(context.of("Ada Brook"), ["soup"], 3)).found
    await ask(HEED, context, found=found)
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
