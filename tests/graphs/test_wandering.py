"""What comes up by itself: a dream in sleep, and one new idea at the start of a day."""

from dataclasses import replace

from smolville.agents.action import Action
from smolville.agents.mind import Idea
from smolville.graphs import dream
from smolville.graphs.context import context_of
from smolville.graphs.dream import DRAWN, LEAST
from smolville.graphs.mind import build_mind, think
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    ADA,
    body,
    day_plan,
    desk_of,
    doing,
    memory,
    mind_of,
    thinker,
    tick_at,
)
from tests.graphs.replies import good

PAST = [
    *(memory(n, f"Ben Hollis is buying bread number {n}.", at=10 * n) for n in range(LEAST)),
    memory(80, "A heron stood on the roof of the town hall.", at=900),
]
SLEEPING = Action(kind="sleep", activity="sleeping", place=f"{ADA.home}: bed", start=0, end=200_000)
MIDNIGHT = Around(tick=tick_at(0, day=2), why=("new_day",), own=body(SLEEPING))


async def _thought(around=MIDNIGHT, mind=None, memories=PAST, without=(), seed=7):
    model = Scripted(otherwise=good)
    me = replace(thinker(around, memories=memories), without=frozenset(without))
    context = context_of(me, desk_of(model, seed=seed))
    return await think(build_mind(), context, ADA.name, mind or mind_of(day_plan()))


async def test_who_sleeps_dreams_of_memories_that_are_its_evidence():
    done = await _thought()
    assert done.path[:2] == ["feel_needs", "perceive"]
    assert done.path[2:6] == ["draw_for_dream", "dream", "draw_for_wander", "wander"]
    (made,) = [each for each in done.draft.memories if each.kind == "dream"]
    assert made.text.startswith("Ada Brook dreamt: I rowed")
    assert made.importance == dream.IMPORTANCE
    drawn = done.draws[0]
    assert made.evidence == drawn.memories
    assert len(set(drawn.memories)) == DRAWN
    assert (drawn.step, drawn.among) == ("dream", len(PAST))
    assert done.mind.dreamt == 2


async def test_nobody_dreams_twice_a_day_awake_or_with_little_to_remember():
    awake = replace(MIDNIGHT, own=body(doing()))
    for again in (
        await _thought(mind=mind_of(day_plan(), dreamt=2)),
        await _thought(around=awake),
        await _thought(memories=PAST[: LEAST - 1]),
        await _thought(without={"dreams"}),
    ):
        assert "dream" not in again.path


async def test_an_idea_is_one_wish_more_and_is_remembered_with_what_gave_it():
    done = await _thought()
    idea = Idea(day=2, activity="singing to the bread while it rises", part="morning")
    assert done.mind.idea == idea
    wants = [what for part, what in done.mind.plan.wishes if part == "morning"]
    assert wants == ["baking a cake", idea.activity]
    (made,) = [each for each in done.draft.memories if idea.activity in each.text][:1]
    assert made.kind == "thought"
    assert made.evidence == done.draws[1].memories
