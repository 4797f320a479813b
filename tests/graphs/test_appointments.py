"""What is agreed to in a talk: read by rule, the same by both sides, and kept in the plan."""

from dataclasses import replace

import pytest

from agents.action import Talk, TalkLine
from agents.mind import Appointment, with_appointment
from agents.plan import block_at, covers_day
from agents.times import at_of
from graphs.appointments import has_agreed, keep_appointments, read_appointments, todays
from graphs.components import APPOINTMENTS
from graphs.context import who_of
from graphs.day_rules import USUAL_RULES
from graphs.frame.day import PROMISE
from graphs.plan_day import asked_about, fallback, lay_out_day
from graphs.prompt_inputs import RecalledMemory
from tests.fixtures.scripted import Around
from tests.graphs.minds import (
    ADA,
    BEN,
    body,
    context_for,
    day_plan,
    mind_of,
    run,
    seen,
    thinker,
    tick_at,
)

TEN = 600
COME = "Will you come to the Copper Kettle tomorrow at five?"
YES = "Thank you, I will gladly come."


def _talk(*lines, place="Willow Park: lawn", who=(ADA.name, BEN.name)):
    spoken = tuple(
        TalkLine(speaker=who[at % len(who)], text=text, at=0) for at, text in enumerate(lines)
    )
    start, end = at_of(1, TEN - 5), at_of(1, TEN)
    return Talk(id="talk/1", participants=who, place=place, start=start, end=end, lines=spoken)


def _read(talk, persona=ADA, minute=TEN):
    me = thinker(Around(tick=tick_at(minute), own=body()), persona=persona)
    return read_appointments(me, mind_of(day_plan()), talk)


def test_both_sides_read_the_same_appointment_with_place_partner_and_time():
    (mine,) = _read(_talk(COME, YES))
    (theirs,) = _read(_talk(COME, YES), persona=BEN)
    assert mine.partners == (BEN.name,) and theirs.partners == (ADA.name,)
    assert replace(mine, partners=()) == replace(theirs, partners=())
    assert (mine.day, mine.start, mine.end) == (2, 1020, 1070)
    assert mine.place == "Copper Kettle: counter room"
    assert mine.activity == "meeting Ben Hollis at the Copper Kettle"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("Let's meet at six tonight.", "Sure, see you then."), (1, 1080, "Willow Park")),
        (("Shall we have lunch on Wednesday at 12:30?", "I'd love to."), (3, 750, "Willow Park")),
        (("Come to the café at 4pm.", "Yes, I'll be there."), (1, 960, "café")),
        (("Join us at the Copper Kettle at noon.", "Count me in!"), (1, 720, "Copper Kettle")),
    ],
)
def test_plain_words_name_day_time_and_place(lines, told):
    (found,) = _read(_talk(*lines))
    assert (found.day, found.start, found.where) == (*told[:2], f"the {told[2]}")


@pytest.mark.parametrize(
    "lines",
    [
        (COME, "That sounds nice. I will see if I can make it."),
        (COME, "No, I am busy tomorrow."),
        (COME, "How is your mother?"),
        (COME,),
        ("I bake bread tomorrow at five.", YES),
        ("Come to the Copper Kettle some day.", YES),
        ("Come to the Copper Kettle at 9:30 am.", YES),
        ("We met at the Copper Kettle yesterday at five, let's not.", YES),
    ],
)
def test_nothing_is_agreed_without_an_invitation_to_a_time_ahead_and_a_yes(lines):
    assert _read(_talk(*lines)) == ()


def test_of_three_those_meet_who_agreed():
    who = (ADA.name, BEN.name, "Cora Vance")
    talk = _talk(COME, YES, "Maybe another time.", who=who)
    assert [each.partners for each in _read(talk)] == [(BEN.name,)]
    cora = BEN.model_copy(update={"name": "Cora Vance"})
    assert _read(talk, persona=cora) == ()
    both = _talk(COME, YES, "Sure, I will come.", who=who)
    assert [each.partners for each in _read(both)] == [(BEN.name, "Cora Vance")]


async def _kept(talk, mind=None, minute=TEN):
    around = Around(tick=tick_at(minute), own=body(ended_talk=talk))
    mind = mind or mind_of(day_plan())
    return await run(keep_appointments, context_for(around=around), mind, disturbed="a promise")


async def test_what_is_agreed_for_today_is_laid_into_the_plan_and_nothing_is_replanned():
    done = await _kept(_talk("Come to the Copper Kettle at three.", YES))
    block = block_at(done["mind"].plan.blocks, 900)
    assert (block.source, block.minutes) == (PROMISE, 50) and block.spot is not None
    assert block.activity == "meeting Ben Hollis at the Copper Kettle"
    assert block.spot.place == "Copper Kettle: counter room"
    assert covers_day(done["mind"].plan.blocks) and done["disturbed"] == ""


async def test_what_is_agreed_for_another_day_is_remembered_and_kept_by_the_frame_of_that_day():
    done = await _kept(_talk(COME, YES))
    mind = done["mind"]
    assert mind.plan == day_plan() and done["disturbed"] == "a promise"
    (told,) = done["draft"].memories
    assert told.text == (
        "For Ada Brook's plans: meeting Ben Hollis at the Copper Kettle on Tuesday 7 May at 17:00."
    )
    tomorrow = thinker(Around(tick=tick_at(0, day=2), own=body()))
    rules = replace(USUAL_RULES, agreed=todays(tomorrow, mind))
    memory = RecalledMemory(number=1, when="yesterday 10:00", text=told.text)
    inputs = asked_about(
        who_of(ADA, ADA.currently), "Tuesday 7 May", ADA.daily_requirement, (memory,), rules
    )
    assert inputs.promises == ()
    assert any(each.time.startswith("17:00") for each in inputs.stands)
    block = block_at(lay_out_day(inputs, fallback(inputs), rules), 1020)
    assert (block.source, block.activity) == (PROMISE, "meeting Ben Hollis at the Copper Kettle")
    assert block.spot is not None and block.spot.place == "Copper Kettle: counter room"


def test_a_mind_without_appointments_keeps_none():
    around = Around(tick=tick_at(TEN), own=body(ended_talk=_talk(COME, YES)))
    me = thinker(around)
    assert has_agreed(seen(mind_of(day_plan())), me)
    left_out = replace(me, without=frozenset([APPOINTMENTS.name]))
    assert not has_agreed(seen(mind_of(day_plan())), left_out)


def _appointment(start, where="the Lawn", day=2, partner="Ben Hollis"):
    return Appointment(day=day, start=start, end=start + 50, partners=(partner,), where=where)


def test_appointments_at_one_time_and_place_are_joined_and_the_first_agreed_counts():
    known = with_appointment((), _appointment(600), today=1)
    joined = with_appointment(known, _appointment(600, partner="Cora Vance"), today=1)
    assert [each.partners for each in joined] == [("Ben Hollis", "Cora Vance")]
    assert with_appointment(known, _appointment(620, where="the Square"), today=1) == known
    later = with_appointment(known, _appointment(540), today=1)
    assert [each.start for each in later] == [540, 600]
    assert with_appointment(known, _appointment(600, day=4), today=3)[0].day == 4
