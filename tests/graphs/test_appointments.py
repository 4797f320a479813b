"""What was agreed in a talk: in the plan of its day at once, met, missed, and spoken of again."""

from dataclasses import replace

import pytest

from smolville.agents.action import Talk, TalkLine
from smolville.agents.mind import Appointment, with_appointment
from smolville.agents.plan import Block, block_at, splice
from smolville.agents.times import at_of
from smolville.graphs import conclude_talk, plan_day
from smolville.graphs.agreed_plan import merged
from smolville.graphs.appointments import (
    IMPORTANCE,
    after_talk,
    agreed_soon,
    agreed_with,
)
from smolville.graphs.context import context_of
from smolville.graphs.frame import PROMISE, WAIT
from smolville.graphs.perceive import perceive
from smolville.graphs.react import noteworthy
from smolville.graphs.replan import window
from tests.agents.days import covers_day
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    ADA,
    BEN,
    body,
    context_for,
    day_plan,
    desk_of,
    doing,
    mind_of,
    person,
    run,
    seen,
    take,
    thinker,
    tick_at,
)
from tests.graphs.replies import good

TEN = 600
ROOM, LAWN = "Copper Kettle: counter room", "Willow Park: lawn"
ME, OTHER = ADA.name, BEN.name


def held(*lines: str, end: int = TEN) -> Talk:
    """A talk whose lines are said in turns."""
    spoken = tuple(
        TalkLine(speaker=(OTHER, ME)[at % 2], text=text, at=0) for at, text in enumerate(lines)
    )
    start = at_of(1, end - 5)
    return Talk(
        id="talk/1",
        participants=(OTHER, ME),
        place=ROOM,
        start=start,
        end=at_of(1, end),
        lines=spoken,
    )


def agreed(**more):
    """An agreement as a model answers it."""
    made = {"who": [ME], "what": "coming to the lantern party", "line": 2, "day": "tomorrow"}
    return made | {"time": "17:00", "place": None} | more


async def concluded(talk, *agreements, mind=None, minute=TEN, without=(), **more):
    """The state after a talk of which this was answered, and what was asked."""
    reply = good("conclude_talk", {}) | {"agreements": list(agreements)} | more
    model = Scripted(otherwise=lambda step, inputs: reply)
    around = Around(tick=tick_at(minute), own=body(None, ended_talk=talk))
    me = replace(thinker(around), without=frozenset(without))
    context = context_of(me, desk_of(model))
    done = await take(conclude_talk.STEP, context, mind or mind_of(day_plan()))
    return done, model


def me_at(minute, day=1, **more):
    return thinker(Around(tick=tick_at(minute, day=day), own=body(**more)))


PARTY = held(
    "I am giving a lantern party here tomorrow, from five to seven. Will you come?",
    "All right, I will come at five, right after I close.",
)


async def test_i_will_come_at_five_stands_in_the_plan_of_the_next_day():
    done, model = await concluded(PARTY, agreed(place=ROOM))
    asked = model.asked[0].told["inputs"]
    assert asked["dates"][:2] == ["Monday 6 May", "Tuesday 7 May"] and asked["places"][0] == ROOM
    (kept,) = done.mind.appointments
    assert (kept.day, kept.start, kept.end, kept.place) == (2, 1020, None, ROOM)
    assert kept.said == "All right, I will come at five, right after I close."
    assert done.mind.plan == day_plan() and done.disturbed == ""
    told = done.draft.memories[-1]
    assert told.text == (
        "For Ada Brook's plans: coming to the lantern party on Tuesday 7 May at 17:00 (Copper "
        "Kettle: counter room), agreed with Ben Hollis. Ada Brook said: "
        '"All right, I will come at five, right after I close."'
    )
    model = Scripted(otherwise=good)
    tomorrow = context_for(model, Around(tick=tick_at(0, day=2)))
    plan = (await take(plan_day.STEP, tomorrow, done.mind)).mind.plan
    block = block_at(plan.blocks, 1020)
    assert (block.source, block.activity) == (PROMISE, "coming to the lantern party")
    assert block.start == 1020 and block.spot is not None and block.spot.place == ROOM
    stands = model.asked[0].told["inputs"]["stands"]
    assert any(each["time"].startswith("17:00") for each in stands)


@pytest.mark.parametrize(
    ("lines", "answer", "told"),
    [
        (("I will come to your shop tomorrow at ten.", "Ten is good."),
         agreed(who=[OTHER, ME], what="looking at the map", time="10:00", place=ROOM),
         (2, 600, ROOM, (OTHER,))),
        (("Fetch him at half past four.", "Half past four it is."),
         agreed(what="fetching Idris", day="today", time="16:30"), (1, 990, "", ())),
        (("Bring the chairs to the park on Thursday.", "I will, some time that day."),
         agreed(what="bringing the chairs", day="Thursday 9 May", time=None, place=LAWN),
         (4, None, LAWN, ())),
    ],
)  # fmt: skip
async def test_what_was_said_is_what_is_recorded(lines, answer, told):
    done, _ = await concluded(held(*lines), answer)
    (kept,) = done.mind.appointments
    assert (kept.day, kept.start, kept.place, kept.partners) == told
    assert (kept.what, kept.said) == (answer["what"], lines[1])


async def test_what_is_agreed_for_today_is_in_todays_plan_with_its_own_words_and_place():
    today = agreed(who=[ME, OTHER], what="hanging the lanterns", day="today", time="15:00",
                   place=LAWN)  # fmt: skip
    done, _ = await concluded(held("Come to Willow Park at three.", "Three it is."), today)
    block = block_at(done.mind.plan.blocks, 900)
    assert (block.source, block.start, block.minutes) == (PROMISE, 900, WAIT)
    assert (block.activity, block.spot.place) == ("hanging the lanterns", LAWN)
    assert covers_day(done.mind.plan.blocks) and done.mind.plan.hours == day_plan().hours
    assert block_at(done.mind.plan.blocks, 930).activity == "baking cakes for tomorrow"
    assert [each.activity for each in merged(done.mind.plan.blocks)][5:8] == [
        "baking cakes for tomorrow",
        "hanging the lanterns",
        "baking cakes for tomorrow",
    ]
    assert done.disturbed == "", "three o'clock is not in this hour"


async def test_what_is_agreed_for_this_hour_asks_for_a_new_plan_up_to_its_time():
    today = agreed(who=[ME, OTHER], what="choosing lanterns", day="today", time="10:45")
    done, _ = await concluded(held("At a quarter to eleven?", "Yes, I will be there."), today)
    assert "choosing lanterns at 10:45" in done.disturbed
    rest = window(done.mind, at_of(1, TEN))
    assert rest is not None and (rest.start, rest.end) == (TEN, 645)


def dated_at(block: Block, plan=None):
    """Ada's day with something that was agreed."""
    blocks = (plan or day_plan()).blocks
    return day_plan(blocks=splice(blocks, block.start, block.end, [block]))


async def planned(mind, **more):
    """The plan of the second day."""
    model = Scripted(replies={"plan_day": [good("plan_day", {}) | more]})
    context = context_for(model, Around(tick=tick_at(0, day=2)))
    plan = (await take(plan_day.STEP, context, mind)).mind.plan
    assert covers_day(plan.blocks)
    return plan


async def test_agreements_of_one_hour_and_place_are_one_and_last_as_long_as_the_longest():
    party = meeting(day=2, start=1020, what="celebrating at the party", at=1)
    page = meeting(day=2, start=1020, what="reading a page aloud", who=(ME,), partners=(), at=2)
    chairs = meeting(day=2, start=1050, what="announcing the fair", who=(ME,), partners=(), at=3)
    mind = mind_of(day_plan(), appointments=(party, page, chairs))
    both = f"{party.what} and {page.what}"
    plan = await planned(mind)
    found = [(each.activity, each.start, each.end) for each in plan.blocks
             if each.source == PROMISE]  # fmt: skip
    assert found == [(both, 1020, 1050), (chairs.what, 1050, 1080)]
    dated = [{"what": "celebrating", "start": "17:00", "end": "19:00", "place": ROOM}]
    plan = await planned(mind, dated=dated)
    found = [(each.activity, each.start, each.end) for each in plan.blocks
             if each.source == PROMISE]  # fmt: skip
    assert found == [(f"{both} and {chairs.what}", 1020, 1140)]
    elsewhere = meeting(day=2, start=1080, what="locking the gate", place=LAWN, at=4)
    plan = await planned(replace(mind, appointments=(party, elsewhere)), dated=dated)
    assert block_at(plan.blocks, 1079).activity == party.what
    assert block_at(plan.blocks, 1080).activity == elsewhere.what


async def test_an_agreement_at_the_place_of_a_meal_or_game_joins_it():
    lunch = Block(start=750, minutes=30, activity="having lunch at the Copper Kettle",
                  source="duty")  # fmt: skip
    chess = Block(start=900, minutes=120, activity="playing chess at the Copper Kettle",
                  source="duty")  # fmt: skip
    mind = mind_of(dated_at(chess, dated_at(lunch)))
    brings = agreed(what="bringing lanterns", day="today", time="12:30", place=ROOM)
    tells = agreed(what="telling Idris", day="today", time="15:00", place=ROOM)
    done, _ = await concluded(held("Bring lanterns at lunch.", "I will."), brings, tells, mind=mind)
    found = [(each.activity, each.start, each.end) for each in done.mind.plan.blocks
             if each.source == PROMISE]  # fmt: skip
    assert found == [
        ("having lunch at the Copper Kettle and bringing lanterns", 750, 780),
        ("playing chess at the Copper Kettle and telling Idris", 900, 1020),
    ]
    assert covers_day(done.mind.plan.blocks)


async def test_a_meal_moves_to_the_nearest_gap_of_its_hours():
    habit = [replace(each, source="habit") if "lunch" in each.activity else each
             for each in day_plan().blocks]  # fmt: skip
    mind = mind_of(day_plan(blocks=habit))
    today = agreed(who=[ME, OTHER], what="meeting at the fountain", day="today", time="12:15")
    done, _ = await concluded(held("At a quarter past twelve?", "Yes."), today, mind=mind)
    lunch = [each for each in done.mind.plan.blocks if each.activity == "having lunch"]
    assert [(each.start, each.minutes) for each in lunch if each.minutes == 60]
    assert covers_day(done.mind.plan.blocks)
    assert block_at(done.mind.plan.blocks, 735).source == PROMISE


async def test_of_two_agreements_at_one_hour_the_first_stays_and_the_day_asks_about_the_other():
    first = Appointment(day=2, start=1020, partners=(), what="hosting a tasting", who=(ME,), at=9)
    mind = mind_of(day_plan(), appointments=(first,))
    done, _ = await concluded(PARTY, agreed(time="17:10"), mind=mind)
    assert [each.what for each in done.mind.appointments] == [first.what, agreed()["what"]]
    for go_to in ([], [1]):
        model = Scripted(replies={"plan_day": [good("plan_day", {}) | {"go_to": go_to}]})
        context = context_for(model, Around(tick=tick_at(0, day=2)))
        plan = (await take(plan_day.STEP, context, done.mind)).mind.plan
        (told,) = model.asked[0].told["inputs"]["promises"]
        assert (told["number"], told["time"]) == (1, "17:10")
        assert block_at(plan.blocks, 1025).activity == "hosting a tasting"


async def test_an_agreement_of_the_other_is_waited_for_and_no_work_of_mine():
    theirs = agreed(who=[OTHER], line=1, what="bringing the buns", time="10:30", day="today")
    done, _ = await concluded(held("I bring the buns at half past ten.", "Good."), theirs)
    (kept,) = done.mind.appointments
    assert kept.partners == (OTHER,) and not kept.is_of(ME)
    assert done.mind.plan == day_plan()
    assert done.draft.memories[-1].text == (
        "Ben Hollis agreed with Ada Brook: bringing the buns on Monday 6 May at 10:30. "
        'Ben Hollis said: "I bring the buns at half past ten."'
    )


def meeting(**more) -> Appointment:
    """Ada and Ben meet at three in the café."""
    made = {"day": 1, "start": 900, "partners": (OTHER,), "place": ROOM, "what": "reading maps"}
    made |= {"who": (ME, OTHER), "heard": (OTHER, ME), "speaker": OTHER, "said": "Three is good."}
    return Appointment(**(made | more))


async def looked(minute, *around_me, mind, place=ROOM, action=None, **more):
    own = body(action or doing(), place=place)
    around = Around(tick=tick_at(minute), own=own, seen=around_me, **more)
    done = await run(perceive, context_for(around=around), mind)
    return done["mind"], [each.text for each in done["draft"].memories]


async def test_who_waits_for_nobody_remembers_it_once_and_tells_it():
    mind = mind_of(day_plan(), appointments=(meeting(),))
    mind, told = await looked(920, mind=mind)
    assert told == [], "not yet half an hour"
    mind, told = await looked(931, mind=mind)
    waited = f"Ada Brook waited for Ben Hollis at {ROOM} from 15:00, and Ben Hollis did not come"
    assert told == [waited] and mind.gathered == IMPORTANCE
    again, told = await looked(940, mind=mind)
    assert told == [] and again.appointments == mind.appointments
    (line,) = agreed_with(me_at(600, day=2), mind, [OTHER])
    assert line == (
        f"you and Ben Hollis: reading maps, Monday 6 May at 15:00 ({ROOM}). Ben Hollis said: "
        '"Three is good." You waited there, and Ben Hollis did not come.'
    )
    known = with_appointment(mind.appointments, replace(meeting(), day=3, said="", who=()), 3)
    assert mind.appointments[0] in known, "it is kept until they have talked"
    after, _ = after_talk(me_at(600, day=2), mind, [OTHER])
    assert after.appointments == ()


async def test_who_was_elsewhere_has_not_waited_and_who_came_was_not_missed():
    mind = mind_of(day_plan(), appointments=(meeting(),))
    _, told = await looked(931, mind=mind, place=LAWN)
    assert told == []
    met, _ = await looked(905, person(), mind=mind)
    assert met.appointments[0].met == (OTHER,)
    _, told = await looked(931, mind=met)
    assert told == []
    assert "It came to nothing" in agreed_with(me_at(600, day=2), mind, [OTHER])[0]


def test_who_meets_by_agreement_is_seen_whatever_was_said_lately():
    at = at_of(1, 902)
    lately = {"talked": {OTHER: at - 1800}, "considered": {OTHER: at - 1500}}
    around = Around(tick=tick_at(902), own=body(doing()), seen=(person(),))
    me = thinker(around)
    mind = mind_of(day_plan(), appointments=(meeting(),), **lately)
    assert [each.subject for each in noteworthy(seen(mind), me)] == [OTHER]
    considered = replace(mind, considered={OTHER: at_of(1, 901)})
    assert noteworthy(seen(considered), me) == ()
    assert noteworthy(seen(mind_of(day_plan(), **lately)), me) == ()


def claim(**more) -> Appointment:
    return meeting(**more).told_to(ME, OTHER)


async def test_what_only_the_other_recorded_is_asked_about_and_shown_in_the_next_talk():
    around = Around(tick=tick_at(605), own=body(doing(), claims=(claim(day=2),)))
    done = await run(perceive, context_for(around=around), mind_of(day_plan()))
    mind = done["mind"]
    (kept,) = mind.appointments
    assert (kept.by, kept.partners) == (OTHER, (OTHER,))
    assert mind.plan == day_plan() and agreed_soon(me_at(700), mind) == ()
    (line,) = agreed_with(me_at(700), mind, [OTHER])
    assert line.startswith("Ben Hollis understood it so: you and Ben Hollis: reading maps")
    for go_to, source in (([], ""), ([1], PROMISE)):
        model = Scripted(replies={"plan_day": [good("plan_day", {}) | {"go_to": go_to}]})
        context = context_for(model, Around(tick=tick_at(0, day=2)))
        after = (await take(plan_day.STEP, context, mind)).mind
        (asked,) = model.asked[0].told["inputs"]["promises"]
        assert "as Ben Hollis understood it" in asked["activity"]
        found = block_at(after.plan.blocks, 900)
        assert (found.source == PROMISE) == bool(source)
        assert (after.appointments[0].by == "") == bool(source)


EVENING = "holding a reading evening with cake"


def reading(**more):
    return meeting(**({"day": 4, "start": None, "what": EVENING, "said": "On Thursday."} | more))


def test_what_is_agreed_anew_replaces_what_it_was():
    first = reading(at=1)
    hour = reading(at=2, start=1140, what="holding the reading evening", said="At seven.")
    later = reading(at=3, start=1170, what="holding the evening", said="Half past is better.")
    assert with_appointment((first,), hour, 1) == (hour,)
    assert with_appointment((hour,), first, 1) == (hour,)
    assert with_appointment((hour,), later, 1) == (later,)
    for other in (reading(at=3, start=1170, what="washing the cups", said="Then cups."),
                  reading(at=2, start=1170, said="At half past."),
                  replace(later, by=OTHER)):  # fmt: skip
        assert len(with_appointment((hour,), other, 1)) == 2
    line = reading(at=1, what="reading out a page")
    theirs = replace(line, start=1020, by=OTHER, what="a page, with feeling")
    assert with_appointment((line,), theirs, 1) == (replace(line, start=1020),)


async def test_what_the_mind_dates_gives_an_agreement_its_end_and_stands_itself():
    done, _ = await concluded(PARTY, agreed(place=ROOM))
    dated = [
        {"what": "attending the lantern party", "start": "17:00", "end": "19:00", "place": ROOM},
        {"what": "singing with the choir", "start": "20:00", "end": None, "place": LAWN},
    ]
    model = Scripted(replies={"plan_day": [good("plan_day", {}) | {"dated": dated}]})
    context = context_for(model, Around(tick=tick_at(0, day=2)))
    sings = "Ada Brook sings with the choir in Willow Park on Tuesday 7 May at 20:00."
    mind = (await take(plan_day.STEP, context, replace(done.mind, currently=sings))).mind
    found = {each.activity: (each.start, each.end) for each in mind.plan.blocks
             if each.source == PROMISE}  # fmt: skip
    assert found == {"coming to the lantern party": (1020, 1140),
                     "singing with the choir": (1200, 1260)}  # fmt: skip
    assert mind.appointments[0].end == 1140
    assert block_at(mind.plan.blocks, 1200).spot.place == LAWN


@pytest.mark.parametrize("minute", [600, 899])
def test_what_was_agreed_for_today_and_tomorrow_is_told_by_the_hour(minute):
    mind = mind_of(appointments=(meeting(), meeting(day=2, start=None), meeting(day=3)))
    assert agreed_soon(me_at(minute), mind) == (
        f"today, 15:00: you and Ben Hollis, reading maps ({ROOM})",
        f"tomorrow, at no certain hour: you and Ben Hollis, reading maps ({ROOM})",
    )
