"""Another day of a small model's mind: what is over goes, the rest and the usual day stay."""

from dataclasses import replace

from graphs.conditions import keeps_identity
from graphs.usual_day import still_on_mind, with_another_day
from tests.fixtures.scripted import Around
from tests.graphs.minds import ADA, day_plan, mind_of, seen, thinker, tick_at

PARTY = "Ada Brook is planning a dance on Tuesday, May 7th, 2024, from 5pm to 7pm."


def test_an_event_that_is_over_is_no_longer_on_the_mind_nor_what_hung_on_it():
    mind = f"Ada Brook misses the sea. {PARTY} She is collecting lanterns. Ada Brook likes chess."
    assert still_on_mind(mind, "Tuesday 7 May, 06:00") == mind
    rest = "Ada Brook misses the sea. Ada Brook likes chess."
    assert still_on_mind(mind, "Wednesday 8 May, 00:00") == rest
    assert still_on_mind(PARTY, "Wednesday 8 May, 00:00") == ""


def test_a_small_model_is_not_asked_what_a_new_day_must_hold():
    me = replace(thinker(Around(tick=tick_at(0, day=2))), is_narrow=True)
    mind = mind_of(day_plan(), requirement="Ada must finish somebody else's work.")
    assert keeps_identity(seen(mind), me) and not keeps_identity(seen(mind_of()), me)
    assert not keeps_identity(seen(mind), replace(me, is_narrow=False))
    another = with_another_day(mind, me)
    assert another.requirement == ADA.daily_requirement and another.currently == mind.currently
    later = replace(thinker(Around(tick=tick_at(0, day=40))), is_narrow=True)
    bored = with_another_day(replace(mind, currently=PARTY), later)
    assert bored.currently == "Ada takes the days as they come."
