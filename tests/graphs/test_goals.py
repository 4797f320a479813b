"""A goal is in question once a day at most, when something concerns it; the difference is kept."""

from dataclasses import replace

import pytest

from agents.goals import Goal
from graphs.components import GOALS
from graphs.mind import build_phase
from graphs.phases import MOTIVATION
from graphs.plan_day import STEP as PLAN_DAY
from graphs.revise_goal import is_due
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    ADA,
    body,
    context_for,
    day_plan,
    memory,
    mind_of,
    seen,
    take,
    tick_at,
)
from tests.graphs.replies import good

SOUP = Goal(text="Ada wants to hold a soup evening at the café.")
SWIM = Goal(text="Ada wants to learn swimming in the lake.")
TALK = memory(1, "Ben Hollis said that the soup evening will be full.", kind="talk")
OTHER = memory(2, "Cora Vance is writing a novel.", kind="talk")
KEEP = {"reason": "It goes well.", "decision": "keep", "goal": None}
DONE = {"reason": "It was held.", "decision": "done", "goal": None}
CHANGE = {"reason": "It is full.", "decision": "change", "goal": "Ada wants two soup evenings."}


def _state(*made, goals=(SOUP, SWIM), **more):
    state = seen(mind_of(day_plan(), goals=goals, **more))
    return replace(state, draft=replace(state.draft, memories=made))


def _context(*replies, memories=()):
    model = Scripted(replies={"revise_goal": list(replies)}, otherwise=good)
    around = Around(tick=tick_at(600), own=body())
    return context_for(model, around, memories=memories), model


async def _revised(*replies, state):
    context, model = _context(*replies)
    done = await build_phase(MOTIVATION).ainvoke(state, context=context, version="v2")
    return done.value.mind, model


@pytest.mark.parametrize(
    ("made", "more", "due"),
    [
        ((TALK,), {}, True),
        ((OTHER,), {}, False),
        ((), {}, False),
        ((TALK,), {"goals": ()}, False),
        ((TALK,), {"goal_day": 1}, False),
        ((replace(TALK, kind="event"),), {}, False),
    ],
)
def test_a_goal_is_in_question_when_a_new_insight_or_talk_concerns_it(made, more, due) -> None:
    me = _context()[0].of(ADA.name)
    assert is_due(_state(*made, **more), me) == due
    assert not is_due(_state(*made, **more), replace(me, without=frozenset({GOALS.name})))


def test_after_a_night_memories_of_the_day_before_count_too() -> None:
    me = _context(memories=[TALK])[0].of(ADA.name)
    state = _state()
    assert not is_due(state, me)
    assert is_due(replace(state, draft=state.draft.count_use("revise_identity")), me)


async def test_what_is_kept_stays_and_is_not_asked_about_again_that_day() -> None:
    mind, model = await _revised(KEEP, state=_state(TALK))
    assert (mind.goals, mind.goal_changes, mind.goal_day) == ((SOUP, SWIM), (), 1)
    inputs = model.asked[0].told["inputs"]
    assert inputs["goal"] == SOUP.text
    assert [each["text"] for each in inputs["memories"]] == [TALK.text]


async def test_a_change_keeps_the_difference_and_its_reason() -> None:
    mind, _ = await _revised(CHANGE, state=_state(TALK))
    assert [each.text for each in mind.goals] == ["Ada wants two soup evenings.", SWIM.text]
    (change,) = mind.goal_changes
    assert (change.kind, change.before, change.after) == ("changed", SOUP.text, CHANGE["goal"])
    assert (change.because, change.reason) == ((TALK.id,), "It is full.")


async def test_a_goal_that_is_reached_goes() -> None:
    mind, _ = await _revised(DONE, state=_state(TALK))
    assert mind.goals == (SWIM,)
    assert [(each.kind, each.after) for each in mind.goal_changes] == [("done", "")]


async def test_a_change_to_nothing_is_repaired_and_a_fallback_keeps_the_goal() -> None:
    mind, model = await _revised({**CHANGE, "goal": None}, CHANGE, state=_state(TALK))
    assert "`goal`" in model.asked[1].last and len(mind.goal_changes) == 1
    mind, _ = await _revised(*["?"] * 9, state=_state(TALK))
    assert (mind.goals, mind.goal_changes) == ((SOUP, SWIM), ())


async def test_a_days_plan_knows_the_goals() -> None:
    context, model = _context()
    await take(PLAN_DAY, context, mind_of(goals=(SOUP, SWIM)))
    assert model.asked[0].told["inputs"]["goal"] == f"{SOUP.text} {SWIM.text}"
    assert f"Your goal: {SOUP.text}" in model.asked[0].messages[-1].text
