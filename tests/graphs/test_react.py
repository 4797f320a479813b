"""What is done about whoever comes into sight: four choices, cool-downs, and the night."""

from dataclasses import replace

import pytest

from smolville.agents.mind import Impression
from smolville.agents.plan import block_at
from smolville.graphs.react import CONSIDER_AGAIN, QUIET, STEP, TALK_AGAIN, noteworthy
from tests.agents.days import covers_day
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    body,
    context_for,
    day_plan,
    doing,
    memory,
    mind_of,
    person,
    seen,
    take,
    thing,
    thinker,
    tick_at,
)

AT = 600
SECONDS = AT * 60
BEN, CORA = person(), person("Cora Vance", "writing at a table", until=37_800)


def _around(minute=AT, action=None, **more):
    return Around(tick=tick_at(minute), own=body(action or doing()), **more)


async def _reacted(reply=None, mind=None, fresh=(BEN,), memories=(), otherwise=None, action=None):
    model = Scripted(replies={"react": [reply] if reply else []}, otherwise=otherwise)
    context = context_for(model, _around(action=action), memories=memories)
    return await take(STEP, context, mind or mind_of(day_plan()), fresh=fresh), model


def _reply(choice, **more):
    return {"reason": "it is time", "choice": choice} | more


async def test_one_call_is_made_for_all_newcomers():
    mind = mind_of(
        day_plan(),
        talked={"Cora Vance": 10_000},
        impressions={"Cora Vance": Impression(relationship="a friend", summary="her novel")},
    )
    past = memory(0, "Ben Hollis owes Ada Brook a sack of flour.", at=12_000)
    done, model = await _reacted(_reply("continue"), mind, (BEN, CORA, thing()), [past])
    (asked,) = model.asked
    inputs = asked.told["inputs"]
    ben, cora = inputs["people"]
    assert (ben["name"], ben["doing"], ben["last_talk"]) == (
        *("Ben Hollis", "buying bread"),
        "not yet today",
    )
    assert ben["relationship"] == "Ada Brook buys her flour from Ben Hollis."
    assert (cora["relationship"], cora["until"]) == ("a friend", "10:30")
    assert cora["last_talk"] == "today 02:46: her novel"
    assert inputs["events"] == ["Copper Kettle: counter room: stove is on fire"]
    assert [each["text"] for each in inputs["memories"]] == [past.text]
    assert (inputs["doing"], inputs["until"]) == ("wiping the counter", "00:00")
    assert done.mind.considered == {"Ben Hollis": SECONDS, "Cora Vance": SECONDS}


async def test_going_on_changes_nothing_but_who_was_considered():
    done, _ = await _reacted(_reply("continue"))
    assert (done.intent, done.changed, done.draft.memories) == (None, False, ())
    assert done.mind == mind_of(day_plan(), considered={"Ben Hollis": SECONDS})
    assert done.declined == ("Ben Hollis",)


async def test_a_wish_to_talk_is_an_intent_and_no_more():
    done, _ = await _reacted(_reply("talk", person="Ben"))
    intent = done.intent
    assert (intent.start_talk, intent.action, intent.reason) == ("Ben Hollis", None, "it is time")
    assert done.mind.talked == {}


async def test_waiting_is_an_action_here_until_then():
    ben = person(activity="using the espresso machine")
    mine = doing("cleaning the espresso machine")
    reply = _reply("wait", person="Ben Hollis", minutes=10)
    done, _ = await _reacted(reply, fresh=(ben,), action=mine)
    action = done.intent.action
    assert (action.kind, action.start, action.end) == ("wait", SECONDS, SECONDS + 600)
    assert (action.place, action.partners) == ("Copper Kettle: counter room", ("Ben Hollis",))
    assert done.mind.plan == day_plan()


async def test_something_else_is_put_into_the_plan():
    done, _ = await _reacted(_reply("other", minutes=20, activity="putting out the fire"))
    blocks = done.mind.plan.blocks
    now = block_at(blocks, AT)
    assert covers_day(blocks) and done.changed
    assert (now.activity, now.start, now.minutes) == ("putting out the fire", AT, 20)
    assert block_at(blocks, AT + 20).activity == "serving guests in the café"
    assert done.mind.plan.hours == day_plan().hours


LAWN = "Willow Park: lawn"
"""A place where Ada is no host."""


def _noted(mind=None, percept=BEN, minute=AT, action=None, place=LAWN, is_fresh=True):
    percept = replace(percept, place=place)
    state = seen(mind or mind_of(day_plan()), fresh=(percept,) if is_fresh else ())
    own = body(action or doing(), place=place)
    found = noteworthy(state, thinker(Around(tick=tick_at(minute), own=own, seen=(percept,))))
    return tuple(replace(each, place=BEN.place) for each in found)


def test_somebody_who_can_talk_and_something_unusual_are_noteworthy():
    assert _noted() == (BEN,)
    assert _noted(percept=thing()) == (thing(),)
    assert _noted(percept=replace(BEN, can_talk=False)) == ()


@pytest.mark.parametrize(("minute", "seen"), [(1379, 1), (1380, 0), (1439, 0), (30, 1)])
def test_nobody_begins_to_talk_late_at_night(minute, seen):
    assert len(_noted(minute=minute)) == seen


@pytest.mark.parametrize(
    ("field", "who", "ago", "seen"),
    [
        ("considered", "Ben Hollis", CONSIDER_AGAIN, 1),
        ("considered", "Ben Hollis", CONSIDER_AGAIN - 1, 0),
        ("considered", "Cora Vance", 1, 1),
        ("talked", "Ben Hollis", TALK_AGAIN, 0),
        ("talked", "Ben Hollis", SECONDS + TALK_AGAIN, 1),
        ("talked", "Ben Hollis", TALK_AGAIN - 1, 0),
        ("talked", "Cora Vance", QUIET, 1),
        ("talked", "Cora Vance", QUIET - 1, 0),
    ],
)
def test_somebody_is_considered_again_after_a_while(field, who, ago, seen):
    mind = mind_of(day_plan(), **{field: {who: SECONDS - ago}})
    assert len(_noted(mind)) == seen


NEWS = memory(0, "The mill burnt down.", at=SECONDS - 60, importance=8)


@pytest.mark.parametrize(
    ("closeness", "minutes", "is_there"),
    [(0.85, 53, False), (0.85, 55, True), (0.35, 80, False), (0.35, 90, True), (None, 76, True)],
)
def test_two_who_stay_in_one_room_are_there_for_each_other_again(closeness, minutes, is_there):
    ago = SECONDS - 60 * minutes
    known = {"Ben Hollis": Impression(relationship="A friend.", closeness=closeness)}
    for field in ("talked", "considered"):
        talked = {"talked": {"Ben Hollis": ago}} | {field: {"Ben Hollis": ago}}
        mind = mind_of(day_plan(), impressions=known, **talked)
        own = body(doing(), place=LAWN)
        for place, can_talk in ((LAWN, is_there), ("Willow Park: pond", False)):
            ben = replace(BEN, place=place)
            me = thinker(Around(tick=tick_at(AT), own=own, seen=(ben,)), memories=[NEWS])
            assert (noteworthy(seen(mind), me) == (ben,)) == can_talk


@pytest.mark.parametrize(
    ("place", "ago", "before", "is_noticed"),
    [
        (BEN.place, CONSIDER_AGAIN, {}, True),
        (LAWN, CONSIDER_AGAIN, {}, False),
        (BEN.place, CONSIDER_AGAIN - 1, {}, False),
        (BEN.place, CONSIDER_AGAIN, {"Ben Hollis|Ben Hollis is reading|0": SECONDS - 600}, False),
    ],
    ids=["at work", "elsewhere", "just talked", "was there before"],
)
def test_a_host_notices_guests_who_come_in_soon_after_a_talk(place, ago, before, is_noticed):
    talked = {"Cora Vance": SECONDS - 60, "Ben Hollis": SECONDS - ago}
    mind = mind_of(day_plan(), talked=talked, seen=before)
    assert (_noted(mind, place=place) == (BEN,)) == is_noticed


@pytest.mark.parametrize(
    ("text", "more", "is_asked"),
    [
        ("Cora Vance wrote a novel about the mill.", {"kind": "thought", "importance": 6}, True),
        ("Cora Vance is sweeping the floor", {"importance": 3}, False),
        ("Ada Brook is counting the money of the soup evening", {"importance": 6}, False),
        ('Ben Hollis said: "The mill is sold."', {"kind": "thought", "importance": 6}, False),
    ],
)
def test_whoever_has_no_news_since_todays_last_talk_goes_on_without_being_asked(
    text, more, is_asked
):
    mind = mind_of(day_plan(), talked={"Ben Hollis": SECONDS - TALK_AGAIN})
    past = memory(0, text, at=SECONDS - 60, subject=" ".join(text.split()[:2]), **more)
    me = thinker(Around(tick=tick_at(AT), own=body(doing(), place=LAWN)), memories=[past])
    assert (noteworthy(seen(mind, fresh=(BEN,)), me) == (BEN,)) == is_asked
    assert noteworthy(seen(mind, fresh=(CORA,)), me) == (CORA,)
