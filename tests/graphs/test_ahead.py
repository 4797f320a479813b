"""What is asked ahead of time is kept for whoever asks the same, and for nobody else."""

import asyncio
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from smolville.graphs.loop.ahead_client import AheadClient, ahead_client
from smolville.graphs.loop.ledger import CallKey, MemoryJournal
from smolville.graphs.loop.model_client import ModelClient
from smolville.models.errors import TransportError
from tests.fixtures.scripted import Scripted
from tests.graphs.minds import desk_of
from tests.graphs.questions import question

OTHER = [HumanMessage("Where to, now that Ben is here?")]


class Held(Scripted):
    """Answers only once it is let."""

    gate: asyncio.Event
    lost: int = 0
    """How many calls get lost before the first one is answered."""

    async def _agenerate(self, messages: Any, *args: Any, **told: Any) -> Any:
        await self.gate.wait()
        if self.lost:
            self.lost -= 1
            raise TransportError("it hung up.")
        return await super()._agenerate(messages, **({"step": "say", "inputs": {}} | told))


def fine(step: str, inputs: Any) -> str:
    """A reply that nobody reads."""
    return "fine"


@pytest.fixture
def model() -> Held:
    """A model that answers as soon as its gate is open."""
    return Held(otherwise=fine, gate=asyncio.Event())


@pytest.fixture
def notes() -> list[tuple[CallKey, bool]]:
    """What became of the calls made ahead."""
    return []


@pytest.fixture
def client(model: Held, notes: list[tuple[CallKey, bool]]) -> ModelClient:
    """A client of a server with four slots."""
    made = desk_of(model)
    made.fast.slots = made.strong.slots = 4
    made.ahead.note = lambda key, is_used: notes.append((key, is_used))
    return made


@pytest.fixture
def ahead(client: ModelClient) -> AheadClient:
    """The same client, for thoughts made ahead."""
    return ahead_client(client)


async def sent(asking: "asyncio.Task[Any]") -> None:
    """Let a call come as far as it can."""
    for _ in range(10):
        await asyncio.sleep(0)
    assert not asking.done()


async def test_a_reply_asked_ahead_serves_the_thought_that_asks_the_same(
    model: Held, client: ModelClient, ahead: AheadClient, notes: list[Any]
) -> None:
    model.gate.set()
    before = await ahead.ask(question())
    journal = client.journal
    assert isinstance(journal, MemoryJournal)
    assert journal.calls == {}
    call = await client.ask(question())
    assert len(model.asked) == 1
    assert journal.calls == {call.key: call} == {before.key: before}
    assert notes == [(call.key, True)]


async def test_a_thought_waits_for_the_reply_that_is_on_its_way(
    model: Held, client: ModelClient, ahead: AheadClient
) -> None:
    early = asyncio.create_task(ahead.ask(question()))
    await sent(early)
    early.cancel()
    asking = asyncio.create_task(client.ask(question()))
    await sent(asking)
    model.gate.set()
    assert (await asking).reply == "fine"
    assert len(model.asked) == 1


async def test_a_thought_that_asks_anything_else_asks_the_model(
    model: Held, client: ModelClient, ahead: AheadClient, notes: list[Any]
) -> None:
    model.gate.set()
    early = await ahead.ask(question())
    late = await client.ask(question(messages=OTHER))
    assert early.messages_hash != late.messages_hash
    assert len(model.asked) == 2
    client.ahead.drop("Ada Brook", early.key.tick - 1)
    assert notes == [], "it is for a tick that is still to come"
    client.ahead.drop("Ada Brook", early.key.tick)
    assert notes == [(early.key, False)]


async def test_a_call_that_was_lost_ahead_is_asked_as_any_other(
    model: Held, client: ModelClient, ahead: AheadClient, notes: list[Any]
) -> None:
    model.gate.set()
    model.lost = 1
    with pytest.raises(TransportError):
        await ahead.ask(question())
    call = await client.ask(question())
    assert (call.reply, call.retries) == ("fine", 0)
    assert notes == []


async def test_what_still_waits_for_a_slot_is_asked_as_any_other(
    model: Held, client: ModelClient, ahead: AheadClient, notes: list[Any]
) -> None:
    busy = [
        asyncio.create_task(client.ask(question(agent=name))) for name in ("Ben", "Cora", "Dan")
    ]
    early = asyncio.create_task(ahead.ask(question()))
    await sent(early)
    asking = asyncio.create_task(client.ask(question()))
    await sent(asking)
    (gate,) = client.gates
    assert gate.in_flight == 4, "the fourth slot is kept free for what is needed now"
    model.gate.set()
    await asyncio.gather(*busy, asking)
    with pytest.raises(asyncio.CancelledError):
        await early
    assert len(model.asked) == 4
    assert notes == []


async def test_with_one_slot_nothing_is_asked_ahead(
    model: Held, client: ModelClient, ahead: AheadClient
) -> None:
    model.gate.set()
    client.fast.slots = 1
    early = asyncio.create_task(ahead.ask(question()))
    await sent(early)
    await client.ask(question(agent="Ben Hollis"))
    await sent(early)
    assert len(model.asked) == 1
    client.ahead.drop("Ada Brook", 5)
    with pytest.raises(asyncio.CancelledError):
        await early
