"""Memories wait until there are enough of them, or until a reflection could be due."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from pydantic import Field

from smolville.graphs.mind import build_mind, build_rating, think
from smolville.graphs.rate_importance import MOST, STEP, choose_unrated, is_due, keep_ratings
from smolville.graphs.scenes import MILO, ROSA
from smolville.models.standin.rule import Dice
from smolville.parsers.prompt_inputs import RecalledMemory
from smolville.parsers.rate_importance import RateImportanceInput
from tests.fixtures.scripted import Around, Scripted
from tests.fixtures.waiting import HANGING
from tests.graphs.minds import (
    ADA,
    body,
    context_for,
    day_plan,
    doing,
    memory,
    mind_of,
    person,
    records,
    run,
    seen,
    thinker,
    tick_at,
)
from tests.graphs.replies import bad, good

PAST = [memory(n, f"Thing number {n} happened.") for n in range(20)]
IDS = tuple(each.id for each in PAST)
AROUND = Around(tick=100_000)


async def _rated(otherwise, count=20):
    """Choose, rate and keep: the nodes of three phases, one after another."""
    model = Scripted(otherwise=otherwise)
    context = context_for(model, AROUND, memories=PAST)
    chosen = await run(choose_unrated, context, mind_of(unrated=IDS[:count], gathered=10.0))
    start = seen(chosen["mind"], rating=chosen["rating"])
    told = await build_rating().ainvoke(start, context=context)
    kept = await run(
        keep_ratings, context, chosen["mind"], rating=chosen["rating"], rated=told["rated"]
    )
    return seen(kept["mind"], draft=kept["draft"]), told, model


async def test_the_oldest_sixteen_are_rated_and_the_rest_waits():
    done, _, model = await _rated(good)
    assert len(model.asked[0].told["inputs"]["memories"]) == MOST == 16
    rates = done.draft.changes
    assert {change.kind for change in rates} == {"rate"}
    assert [change.id for change in rates] == list(IDS[:MOST])
    assert [change.value for change in rates] == [1 + n % 9 for n in range(1, 17)]
    assert {change.reason for change in rates} == {""}
    assert done.mind.unrated == IDS[MOST:]
    assert done.mind.gathered == 10 + sum(change.value for change in rates)


def test_everybody_rates_for_themselves_the_same_event_by_what_is_on_their_mind():
    music = RecalledMemory(number=1, when="today 09:00", text="A music stall opens at the fair.")

    def rated(scene):
        shown = RateImportanceInput(me=scene.me, memories=(music,))
        system = STEP.prompt.render(shown)[0].text
        assert scene.me.currently in system
        return STEP.standin(shown, Dice(1)).answer["ratings"][0]["importance"]

    assert "spring fair" in ROSA.me.currently and "fair" not in MILO.me.currently
    assert rated(ROSA) > rated(MILO)


async def test_a_fallback_leaves_them_provisional_and_asks_no_more():
    done, told, _ = await _rated(bad)
    assert done.draft.changes == () and done.mind.unrated == IDS[MOST:]
    assert done.mind.gathered == 10 + 16 * 3.0
    assert [each.record.outcome for each in told["finished"]] == ["fallback"]


class Together(Scripted):
    """Answers two steps only once both are asked, and one of them before the other."""

    first: str
    meet: Any = Field(default_factory=lambda: asyncio.Barrier(2))
    answered: Any = Field(default_factory=asyncio.Event)

    async def _agenerate(self, messages: list[Any], *_: Any, **told: Any) -> Any:
        if told["step"] not in ("rate_importance", "react"):
            return await super()._agenerate(messages, **told)
        async with asyncio.timeout(HANGING):
            await self.meet.wait()
            if told["step"] != self.first:
                await self.answered.wait()
        self.answered.set()
        return await super()._agenerate(messages, **told)


async def _decided(first: str) -> tuple[Any, Sequence[str]]:
    """A thought in which memories are rated while somebody in sight is thought about."""
    near = Around(tick=tick_at(600), why=("sight",), own=body(doing()), seen=(person(),))
    model = Together(otherwise=good, first=first)
    context = context_for(model, near, memories=PAST)
    context.client.fast = replace(context.client.fast, slots=2)
    mind = mind_of(day_plan(), unrated=IDS, gathered=float(ADA.reflection_threshold))
    return await think(build_mind(), context, ADA.name, mind), model.steps()


@pytest.mark.parametrize("first", ["react", "rate_importance"])
async def test_memories_are_rated_while_a_reaction_is_decided_whichever_is_answered_first(first):
    done, asked = await _decided(first)
    assert asked[0] == first
    assert sorted(asked[:2]) == ["rate_importance", "react"]
    assert asked[2:] == ["reflect_questions", "reflect_insights"], "which need the ratings"
    assert [record.step for record in records(done)] == [
        *("rate_importance", "react"),
        *("reflect_questions", "reflect_insights"),
    ]
    kinds = [change.kind for change in done.draft.changes]
    assert kinds.count("rate") == MOST
    assert done.mind.unrated[: 20 - MOST] == IDS[MOST:] and done.mind.considered


def _is_due(count, gathered=0.0, kind="event", **more):
    memories = [replace(each, kind=kind) for each in PAST]
    mind = mind_of(unrated=IDS[:count], gathered=gathered, **more)
    return is_due(seen(mind), thinker(AROUND, memories=memories))


def test_a_few_are_enough_when_a_reflection_could_be_due():
    close = float(ADA.reflection_threshold - 10)
    assert not _is_due(3, close) and _is_due(4, close)
    assert _is_due(2, close, kind="thought"), "a thought counts for 5 until it is rated"
