"""Whoever watches hears who asks what, before it is answered, and nothing else changes."""

from smolville.graphs.loop.ledger import AskEvent, OnAsk
from smolville.graphs.mind import build_mind, think
from tests.fixtures.scripted import Around, Scripted
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
