"""Whoever watches hears who asks what, before it is answered, and nothing else changes."""

import asyncio

from smolville.graphs.loop.ledger import AskEvent, OnAsk
from smolville.graphs.mind import build_mind, think
from tests.fixtures.scripted import Around, Scripted
from tests.fixtures.waiting import HANGING
from tests.graphs.minds import ADA, context_for, mind_of
from tests.graphs.replies import bad, good

AT_DAWN = Around(tick=360, why=("new_day",))


def _clumsy():
    """Answers of which every first one is wrong."""
    asked: list[str] = []

    def answers(step, inputs):
        asked.append(step)
        return (bad if asked.count(step) == 1 else good)(step, inputs)

    return Scripted(otherwise=answers)


async def _thought(asks: OnAsk | None, model=None, **client):
    context = context_for(model or _clumsy(), AT_DAWN, asks=asks, **client)
    return await think(build_mind(), context, ADA.name, mind_of())


async def test_a_thought_is_the_same_when_watched_and_tells_each_try():
    heard: list[AskEvent] = []
    plain, told = await _thought(None), await _thought(heard.append)
    assert told == plain
    steps = [each.record for each in plain.finished]
    assert {"plan_day", "plan_hours"} <= {record.step for record in steps}
    assert heard == [
        AskEvent(ADA.name, record.step, record.ordinal, attempt)
        for record in steps
        for attempt in range(record.attempts)
    ]
    assert {event.attempt for event in heard} == {0, 1}


class Patient(Scripted):
    """Answers a question only once the listener was told of it."""

    heard: list[AskEvent]

    async def _agenerate(self, messages, *_, **told):
        async with asyncio.timeout(HANGING):
            while len(self.heard) <= len(self.asked):
                await asyncio.sleep(0)
        return await super()._agenerate(messages, **told)


async def test_a_try_is_told_before_it_is_answered():
    heard: list[AskEvent] = []
    # What is validated is copied; the model must see the very list.
    model = Patient(otherwise=good, heard=[])
    model.heard = heard
    await _thought(heard.append, model)
    assert [event.step for event in heard] == model.steps() != []
