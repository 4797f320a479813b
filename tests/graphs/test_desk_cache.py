"""The desk's cache: behind the journal, before the model, and never for a failed answer's retry."""

from dataclasses import replace

import pytest
from langchain_core.messages import HumanMessage

from smolville.agents.errors import StoppedError
from smolville.graphs import heed_inner_voice
from smolville.graphs.loop.ledger import MemoryJournal
from smolville.models.cache import ReplyCache
from smolville.models.errors import PromptCut, TransportError
from smolville.models.request import ModelSettings
from tests.fixtures.scripted import Scripted
from tests.graphs.minds import ask, calls_of, context_for, desk_of
from tests.graphs.questions import question
from tests.graphs.replies import bad, good

HEED = heed_inner_voice.STEP
GOOD, BAD = good(HEED.name, {}), bad(HEED.name, {})


async def _asked(journal, *replies, **client):
    model = Scripted(replies={HEED.name: list(replies)})
    context = context_for(model, journal=journal, **client)
    return await ask(HEED, context), model, context


@pytest.fixture
def cache(tmp_path):
    """An empty cache on disk."""
    opened = ReplyCache(tmp_path / "cache", ModelSettings())
    yield opened
    opened.close()


async def test_a_second_identical_run_makes_no_call_with_a_cache(cache):
    heard = []
    first, _, context = await _asked(MemoryJournal(), BAD, GOOD, cache=cache)
    journal = MemoryJournal()
    again, model, _ = await _asked(
        journal, cache=cache, heard=lambda call, served: heard.append((call.source, served))
    )
    assert model.asked == []
    assert heard == [("cache", False)] * 2
    assert again.finished == first.finished
    asked = calls_of(context)
    assert list(journal.calls.values()) == [
        replace(call, source="cache", milliseconds=0.0) for call in asked
    ]


async def test_a_failed_answer_is_never_served_to_its_own_retry(cache):
    model = Scripted(replies={HEED.name: ["first", "second"]})
    client = desk_of(model, cache=cache)
    texts = [(await client.ask(question(attempt=attempt))).reply for attempt in (0, 1)]
    assert texts == ["first", "second"]
    again = [(await desk_of(model, cache=cache).ask(question(attempt=n))).reply for n in (0, 1)]
    assert again == texts and len(model.asked) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"messages": [HumanMessage("Where from?")]},
        {"temperature": 0.5},
        {"max_tokens": 65},
        {"tier": "strong"},
        {"attempt": 1},
    ],
)
async def test_a_cache_serves_the_very_same_question_only(cache, change):
    model = Scripted(replies={HEED.name: ["first", "second"]})
    for asked in (question(), question(**change), question(), question(**change)):
        client = desk_of(model, strong=model, cache=cache)
        await client.ask(asked)
    assert len(model.asked) == 2


async def test_neither_a_lost_call_nor_a_cut_prompt_is_cached(cache):
    errors = [TransportError("gone", retryable=False), PromptCut("too long")]
    model = Scripted(replies={HEED.name: [*errors, "an answer"]})
    for _ in errors:
        with pytest.raises((StoppedError, PromptCut)):
            await desk_of(model, cache=cache).ask(question())
    call = await desk_of(model, cache=cache).ask(question())
    assert (call.reply, call.source) == ("an answer", "model")
