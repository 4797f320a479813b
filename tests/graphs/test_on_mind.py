"""What is on somebody's mind: the latest talks and thoughts before the town's history."""

from dataclasses import replace

from smolville.agents.memory import BY_RULE
from smolville.agents.times import DAY_SECONDS
from smolville.graphs.recall import ON_MIND, on_mind
from tests.fixtures.scripted import Around
from tests.graphs.minds import memory, thinker

PARTY = "giving a lantern party for the whole town"
SEED = "I want to invite everyone to the lantern party and have not told anyone about it yet."
TALKS = (
    "Ada Brook talked with Ben Hollis: Ben comes to the lantern party and brings lanterns.",
    "Ada wonders who plays music at the lantern party.",
    "For Ada Brook's plans: hanging the lanterns for the party on Monday 6 May at 16:30.",
)


def _seed(n):
    return replace(memory(n, SEED, kind="thought"), id=f"Ada Brook/0/{BY_RULE}/{n}/0")


async def _told(*memories, at=DAY_SECONDS // 2):
    found = await on_mind(thinker(Around(tick=at // 10), memories=memories), PARTY)
    assert found.record is not None
    assert found.record.ids == tuple(each.memory.id for each in found.found)
    return [each.memory.text for each in found.found]


async def test_a_wish_of_the_beginning_gives_way_to_what_was_said_since():
    later = [memory(n, text, at=3600 * n, kind="thought") for n, text in enumerate(TALKS, 8)]
    assert await _told(_seed(1)) == [SEED]
    assert await _told(_seed(1), later[0]) == [SEED, TALKS[0]]
    assert await _told(_seed(1), *later) == list(TALKS)


async def test_the_last_day_comes_before_earlier_days():
    old = [memory(n, f"{TALKS[0]} {n}", at=3600 * n, kind="talk") for n in range(3 * ON_MIND)]
    new = memory(90, "Ada is to buy bread.", at=2 * DAY_SECONDS, kind="thought")
    assert new.text in await _told(*old, new, at=2 * DAY_SECONDS + 3600)


async def test_deeds_and_plans_of_days_are_not_on_the_mind():
    deed = memory(1, "Ada Brook is hanging lanterns for the party", at=3600)
    plan = memory(2, "This is Ada's plan: the lantern party", kind="thought", predicate="plan")
    assert await _told(deed, plan) == []
