"""A goal is in question soon after something bears on it; the difference is kept."""

from dataclasses import replace

import pytest

from smolville.agents.action import Talk, TalkLine
from smolville.agents.mind import Goal
from smolville.agents.times import at_of
from smolville.graphs.components import GOALS
from smolville.graphs.mind import build_mind, build_motivation, think
from smolville.graphs.revise_goal import PAUSE, is_due
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    ADA,
    body,
    context_for,
    day_plan,
    doing,
    memory,
    mind_of,
    seen,
    tick_at,
)
from tests.graphs.replies import good

SOUP = Goal(text="Ada wants to hold a soup evening at the café.")
SWIM = Goal(text="Ada wants to learn swimming in the lake.")
AT = at_of(1, 600)
FULL = "Ben Hollis said that the soup evening will be full."
TALK = memory(1, FULL, AT, kind="talk", importance=5)
OTHER = memory(2, "Cora Vance is writing a novel.", AT, kind="talk", importance=8)
LETTER = memory(3, "A letter for Ada Brook says: the soup evening is full.", AT, subject="letter")
PLAN = memory(4, "Ada Brook plans the soup evening.", AT, kind="thought", predicate="plan")
SEED = replace(TALK, id="Ada Brook/0/hear_whispers/0/0", kind="thought", created=0, tick=0)
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
    done = await build_motivation().ainvoke(state, context=context, version="v2")
    return done.value.mind, model


@pytest.mark.parametrize(
    ("made", "more", "due"),
    [
        ((TALK,), {}, True),
        ((replace(TALK, kind="thought"),), {}, True),
        ((LETTER,), {}, True),
        ((OTHER,), {}, False),
        ((), {}, False),
        ((TALK,), {"goals": ()}, False),
        ((TALK,), {"goals": (replace(SOUP, since=AT),)}, False),
        ((TALK,), {"goal_asked": AT - PAUSE + 1}, False),
        ((TALK,), {"goal_asked": AT - PAUSE}, True),
        ((replace(TALK, importance=4),), {}, False),
        ((replace(TALK, kind="dream"),), {}, False),
        ((PLAN,), {}, False),
        ((SEED,), {}, False),
    ],
)
def test_a_goal_is_in_question_when_something_of_weight_has_happened_that_concerns_it(
    made, more, due
) -> None:
    me = _context()[0].of(ADA.name)
    assert is_due(_state(*made, **more), me) == due
    assert not is_due(_state(*made, **more), replace(me, without=frozenset({GOALS.name})))


READING = Goal(text="Ada is deciding whether to start a weekly reading evening in the shop.")
SAID = "Then start your reading evening. Thursday it is!"
HELD = Talk(
    id="t",
    participants=("Ben Hollis", "Ada Brook"),
    place="Copper Kettle: counter room",
    start=at_of(1, 512),
    end=at_of(1, 522),
    lines=(
        TalkLine(speaker="Ada Brook", text="Shall I start a reading evening?", at=at_of(1, 512)),
        TalkLine(speaker="Ben Hollis", text=SAID, at=at_of(1, 521)),
    ),
    ended_by="Ben Hollis",
)
CONCLUDED = {
    "summary": "Ben Hollis told Ada to start the reading evening on Thursday.",
    **{"keep": [2], "agreements": [], "in_confidence": [], "feeling": "glad"},
}
DECIDED = {
    **{"reason": "It is decided.", "decision": "change"},
    "goal": "Ada wants to hold her first reading evening on Thursday.",
}


async def _thought(minute, mind, memories=(), day=1, **more):
    model = Scripted(
        replies={"conclude_talk": [CONCLUDED], "revise_goal": [DECIDED]}, otherwise=good
    )
    around = Around(tick=tick_at(minute, day), **more)
    done = await think(build_mind(), context_for(model, around, memories=memories), ADA.name, mind)
    return done, model


async def test_a_goal_is_asked_about_when_the_talk_that_decides_it_is_over() -> None:
    whispers = ("inner_voice: You are thinking of starting a weekly reading evening in the shop.",)
    done, model = await _thought(0, mind_of(goals=(READING,)), why=whispers, own=body(None))
    assert "plan_day" in model.steps() and "revise_goal" not in model.steps(), "nothing happened"
    before = done.draft.memories

    own = body(doing(), ended_talk=HELD)
    mind = replace(done.mind, plan=day_plan())
    done, model = await _thought(522, mind, before, why=("talk_ended",), own=own)
    assert model.steps()[:2] == ["conclude_talk", "revise_goal"]
    shown = [each["text"] for each in model.asked[1].told["inputs"]["memories"]]
    assert any("Thursday it is!" in each for each in shown)
    assert not set(shown) & {each.text for each in before}
    assert [each.text for each in done.mind.goals] == [DECIDED["goal"]]


async def test_on_a_new_day_a_goal_is_asked_about_before_the_day_is_planned() -> None:
    late = memory(1, f'Ben Hollis said: "{SAID}"', at_of(1, 1410), kind="thought", importance=6)
    mind = mind_of(day_plan(), goals=(READING,), goal_asked=at_of(1, 1400))
    done, model = await _thought(0, mind, [late], day=2, own=body(None))
    steps = model.steps()
    assert steps.index("revise_goal") < steps.index("revise_identity") < steps.index("plan_day")
    told = next(each.told["inputs"] for each in model.asked if each.step == "plan_day")
    assert told["goal"] == DECIDED["goal"]
    assert done.mind.goal_asked == at_of(2, 0)


async def test_a_change_keeps_the_difference_and_its_reason() -> None:
    mind, _ = await _revised(CHANGE, state=_state(TALK))
    assert [each.text for each in mind.goals] == ["Ada wants two soup evenings.", SWIM.text]
    (change,) = mind.goal_changes
    assert (change.kind, change.before, change.after) == ("changed", SOUP.text, CHANGE["goal"])
    assert (change.because, change.reason) == ((TALK.id,), "It is full.")


async def test_a_change_to_nothing_is_repaired_and_a_fallback_keeps_the_goal() -> None:
    mind, model = await _revised({**CHANGE, "goal": None}, CHANGE, state=_state(TALK))
    assert "`goal`" in model.asked[1].last and len(mind.goal_changes) == 1
    mind, _ = await _revised(*["?"] * 9, state=_state(TALK))
    assert (mind.goals, mind.goal_changes) == ((SOUP, SWIM), ())
