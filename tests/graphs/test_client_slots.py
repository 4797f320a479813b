"""The desk and its server: how many calls at once, which first, in which slot; lost counts."""

import asyncio

import pytest
from langchain_core.messages import HumanMessage

from smolville.agents.errors import StoppedError
from smolville.graphs import heed_inner_voice
from smolville.graphs.loop import model_client
from smolville.models.chat import PromptTokens
from smolville.models.errors import TransportError
from tests.fixtures.pauses import Pauses
from tests.fixtures.scripted import Scripted
from tests.fixtures.waiting import HANGING
from tests.graphs.minds import ask, context_for, desk_of
from tests.graphs.questions import question
from tests.graphs.replies import good

HEED = heed_inner_voice.STEP
GOOD = good(HEED.name, {})


def fine(step, inputs):
    """A reply that nobody reads."""
    return "fine"


class Slow(Scripted):
    """Notes how many calls are in flight at once, and in which order they came."""

    now: int = 0
    most: int = 0

    async def _agenerate(self, messages, *args, **told):
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(50):
            await asyncio.sleep(0)
        self.now -= 1
        return await super()._agenerate(messages, **({"step": HEED.name, "inputs": {}} | told))


@pytest.mark.parametrize(("slots", "serial", "most"), [(1, False, 1), (3, False, 3), (3, True, 1)])
async def test_calls_in_flight_are_bounded_to_the_servers_slots(slots, serial, most):
    model = Slow(otherwise=good)
    context = context_for(model, one_at_a_time=serial)
    context.client.fast.slots = slots
    await asyncio.gather(*(ask(HEED, context) for _ in range(7)))
    assert (model.most, len(model.asked)) == (most, 7)


def counting(*told):
    """A desk whose model counts as told, and the pauses that were made."""
    pauses, waiting = Pauses(), iter(told)

    async def counter(messages):
        answer = next(waiting)
        if isinstance(answer, Exception):
            raise answer
        return answer

    client = desk_of(Scripted(), backoff=pauses.backoff(patience_seconds=1.5))
    client.fast.counter = counter
    return client.counting("fast"), pauses


async def test_a_count_that_got_lost_is_asked_again():
    lost = TransportError("the server is busy")
    chat, pauses = counting(lost, lost, PromptTokens(123, is_exact=True))
    assert await chat.count_tokens([HumanMessage("Where to?")]) == (123, True)
    assert pauses.slept == [0.5, 1.0]


async def test_a_count_that_stays_lost_stops_the_run_like_a_call():
    chat, _ = counting(*[TransportError("The server is gone.") for _ in range(9)])
    with pytest.raises(
        StoppedError, match=r"The server is gone\. It was asked 3 times, .* is saved"
    ):
        await chat.count_tokens([HumanMessage("Where to?")])


class Held(Scripted):
    """Answers once it is let; `asking` is set when it has been asked."""

    asking: asyncio.Event
    gate: asyncio.Event

    async def _agenerate(self, messages, *args, **told):
        self.asking.set()
        await self.gate.wait()
        return await super()._agenerate(messages, **({"step": HEED.name, "inputs": {}} | told))


@pytest.mark.parametrize("is_on_its_way", [True, False])
async def test_a_reply_on_its_way_when_its_thought_is_cancelled_is_kept_and_the_thought_ends(
    is_on_its_way, monkeypatch
):
    monkeypatch.setattr(model_client, "LAST_SECONDS", HANGING if is_on_its_way else 0.0)
    client = desk_of(Held(otherwise=fine, asking=asyncio.Event(), gate=asyncio.Event()))
    model = client.fast.model
    thought = asyncio.create_task(client.ask(question()))
    await model.asking.wait()
    thought.cancel()
    await asyncio.sleep(0)
    if is_on_its_way:
        model.gate.set()
    with pytest.raises(asyncio.CancelledError):
        await thought
    assert [call.reply for call in client.journal.calls.values()] == (
        ["fine"] if is_on_its_way else []
    )
    assert client.gates[0].in_flight == 0
