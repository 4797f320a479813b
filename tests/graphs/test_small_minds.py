"""What code decides for a small model: places, wishes, goals, happenings."""

from dataclasses import replace

import pytest

from agents.chance import fraction
from agents.entities import PLOT, WORLD
from agents.goals import Goal
from agents.mind import KnownPlace
from agents.plan import Block, covers_day, lay_out, splice
from agents.times import at_of
from graphs import revise_goal
from graphs.activities.ideas import fitting_ideas, with_wishes
from graphs.activities.kinds import kinds, length_of
from graphs.concerns import things_in
from graphs.conditions import wants_replan
from graphs.frame.day import FREE, OPEN, frame
from graphs.frame.happenings import DatedEvent
from graphs.frame.life import Duty, Life
from graphs.loop.rules import Rules
from graphs.named_spots import open_buildings, spots_for
from graphs.reflections import prepare_insights
from graphs.settled_places import with_named_places
from graphs.talk_memories import PastTalk
from models.standin.rule import Dice
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    HOURS,
    PLACES,
    body,
    context_for,
    day_plan,
    mind_of,
    seen,
    tick_at,
)
from tests.graphs.test_entities import STORY, Entity
from tests.graphs.test_prepared import memories
from tests.graphs.test_speech_acts import BOOK, person

TOWN = {
    **PLACES,
    "Willow Park: pond walk": KnownPlace(objects=("pond",)),
    "Riverside Park: field": KnownPlace(objects=("bench",)),
    "Hill House: storeroom": KnownPlace(objects=("shelf",)),
}


def thinker(at=600, **more):
    """Ada with a small model, at a minute of the first day, in a town with two parks."""
    around = Around(tick=tick_at(at), own=body())
    context = context_for(Scripted(), around)
    return replace(context.of("Ada Brook"), is_narrow=True, **more)


def mind_with(activity, start=600, minutes=60):
    """A mind whose plan has one activity without a place."""
    blocks = splice(HOURS, start, start + minutes, lay_out(start, [(activity, minutes)], ""))
    blocks = tuple(replace(each, part_of="") for each in blocks)
    return replace(mind_of(day_plan(blocks=blocks)), places=TOWN)


def block_of(mind, activity):
    """The block of an activity in a mind's plan."""
    return next(each for each in mind.plan.blocks if each.activity == activity)


def test_where_two_parks_suit_each_is_offered_once_without_an_object_to_run_at():
    mind, me = mind_with("going for a run"), thinker()
    block = block_of(mind, "going for a run")
    found = open_buildings(me, mind, block, spots_for(me, mind, block))
    assert {each.place.partition(":")[0] for each in found} == {"Willow Park", "Riverside Park"}
    assert [each.number for each in found] == [1, 2]
    assert {each.object for each in found} == {""}


def test_where_one_building_fits_nobody_is_asked():
    mind, me = mind_with("cooking and eating dinner"), thinker()
    done = with_named_places(me, mind)
    assert block_of(done, "cooking and eating dinner").spot.place.startswith("Fern Cottage")
    run = with_named_places(me, mind_with("going for a run"))
    assert block_of(run, "going for a run").spot is None


def gap(start, minutes):
    """A gap of a day."""
    return Block(start=start, minutes=minutes, activity=FREE, source=OPEN)


@pytest.mark.parametrize("start", [420, 780, 1020, 1230])
def test_ideas_for_a_gap_can_fill_it_and_suit_the_hour(start):
    found = fitting_ideas(gap(start, 90), "having lunch", person("Ada Brook"), set(), Dice("x"))
    assert found
    assert not any("coffee" in each or "shopping" in each for each in found)
    assert start >= 1200 or not any("night" in each for each in found)


def test_who_does_not_write_is_not_told_to_and_who_does_may():
    def ideas(about):
        me = person("Ada Brook").model_copy(update={"learned": about})
        taken = {each.name for each in kinds()} - {"writing", "rest"}
        return fitting_ideas(gap(840, 90), "", me, taken, Dice("x"))

    assert not any("writing" in each or "manuscript" in each for each in ideas("reads a novel"))
    assert any("writing" in each or "manuscript" in each for each in ideas("is a novel writer"))


def test_a_wish_fills_its_gap_as_long_as_such_things_take():
    blocks = (
        Block(start=0, minutes=600, activity="sleeping"),
        gap(600, 240),
        Block(start=840, minutes=600, activity="sleeping"),
    )
    done = with_wishes(blocks, ((600, "going for a walk"),), person("Ada Brook"))
    assert covers_day(done)
    walk, left = done[1], done[2]
    assert (walk.activity, walk.source) == ("going for a walk", "")
    assert 60 <= walk.minutes <= 135 and left.source == OPEN
    short = (replace(blocks[0], minutes=750), gap(750, 90), blocks[2])
    assert with_wishes(short, ((750, "going for a walk"),), person("Ada Brook"))[1].minutes == 90


def test_two_hours_are_not_called_one():
    taken = {each.name for each in kinds()} - {"rest"}
    for key in range(12):
        ideas = fitting_ideas(gap(1200, 120), "", person("Ada Brook"), set(taken), Dice(key))
        assert ideas and not any("hour" in each for each in ideas)


def test_every_task_has_a_length_in_each_of_its_wordings():
    assert all(each.lengths.keys() <= {*each.tasks, *each.parts_of(999)} for each in kinds())
    assert length_of("taking a quick shower") == length_of("taking a hot shower")
    assert length_of("paying and packing the bag").is_needed
    assert not length_of("choosing cheese").is_needed


def test_a_goal_is_kept_and_an_hour_goes_on_without_asking_a_small_model():
    mind = replace(mind_of(day_plan()), goals=(Goal(text="Ada Brook bakes for all.", since=0),))
    model = Scripted()
    context = context_for(model, Around(tick=tick_at(600), own=body()))
    me = replace(context.of("Ada Brook"), is_narrow=True)
    state = seen(mind, disturbed="A talk has just ended.")
    assert wants_replan(state, context.of("Ada Brook")) and not wants_replan(state, me)
    assert not revise_goal.is_due(state, me)


@pytest.mark.parametrize("name", [WORLD, PLOT])
async def test_the_world_and_the_plot_take_their_turns_by_rule(name):
    tick = at_of(1, 360) // 10
    seed = next(each for each in range(99) if fraction(each, WORLD, tick, "kinds") < 0.5)
    entity = Entity(name, seed=seed)
    entity.client.rules = Rules(shapes="narrow")
    done = await entity.turn()
    assert entity.model.asked == [] and done.path[-1].endswith("_by_rule")
    assert done.made
    if name == PLOT:
        assert done.made[-1].text == f"News: {STORY.acts[0].summary}"
        assert done.mind.act == 1


def test_what_one_wonders_about_names_the_work_and_leaves_the_reasons_out():
    told = f'Ben Hollis said: "{BOOK} I like it."'
    found = [each.text for each in prepare_insights(person("Ada Brook"), memories(BOOK, told))]
    assert "I wonder how Ben Hollis gets on with writing a book about mosses." in found
    assert "It is time that I got on with writing a book about mosses." in found
    asked = "Ada Brook asked Ben Hollis, who is still writing a book about mosses, how it is going."
    since = prepare_insights(
        person("Ada Brook"), memories(BOOK, told), [PastTalk("Ben Hollis", asked)]
    )
    assert [each.text for each in since] == [each for each in found if "wonder" not in each]


@pytest.mark.parametrize(
    ("dinner", "eaten"),
    [((1080, 1140), 1140), ((990, 1050), 990), ((1170, 1230), 1170), ((960, 1110), 960)],
)
def test_a_meal_that_a_promise_leaves_no_time_for_is_eaten_after_it(dinner, eaten):
    meal = Duty(start=dinner[0], end=dinner[1], activity="having dinner at home", meal="dinner")
    party = DatedEvent(
        start=1020, end=1140, what="the dance", is_party=True, is_own=False, source="A dance."
    )
    life = Life(wake=420, bed=1320, meals=(meal,), duties=())
    day = frame(life, (party,), 420)
    starts = [each.start for each in day if each.activity == meal.activity]
    assert starts[:1] == [eaten] and day[-1].end == 1440


@pytest.mark.parametrize(
    ("listed", "things"),
    [
        ("paper lanterns, buns and someone to play", ["paper lanterns", "buns", "someone to play"]),
        ("a tenor and suspect that Ben Hollis is one", ["a tenor"]),
        ("flour, but do not know from where", ["flour"]),
    ],
)
def test_the_things_of_a_need_end_where_another_sentence_begins(listed, things):
    assert things_in(listed) == things
