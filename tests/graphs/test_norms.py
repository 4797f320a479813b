"""A choice that breaks a rule of the town is asked again, and never changed in silence."""

from dataclasses import replace

import pytest

from smolville.agents.norms import Hours, RuleScope, TownRule
from smolville.agents.plan import Block, block_at, lay_out, splice
from smolville.agents.times import at_of
from smolville.graphs.components import NORMS
from smolville.graphs.mind import build_action
from smolville.parsers.problem import rule_in
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    ADA,
    HOURS,
    body,
    context_for,
    day_plan,
    live,
    mind_of,
    records,
    spot,
    tick_at,
)
from tests.graphs.replies import good

AT = 480
CAFE = "Copper Kettle"
TEXT = "Nobody stands behind the counter."
CLOSED = TownRule(text=TEXT, where=(CAFE,))
TASK = [("zorbing about", 120)]


def _mind(tasks=TASK, **more):
    blocks = lay_out(AT, tasks, "zorbing")
    return mind_of(day_plan(blocks=splice(HOURS, AT, AT + 120, blocks)), **more)


async def _lived(*rules, mind=None, minute=AT, without=(), otherwise=good, own=None, **replies):
    model = Scripted(otherwise=otherwise, replies={k: list(v) for k, v in replies.items()})
    context = context_for(model, Around(tick=tick_at(minute), own=own or body()))
    me = replace(context.of(ADA.name), norms=rules, without=frozenset(without))
    context = replace(context, thinkers={ADA.name: me})
    done = await live(build_action(), context, mind or _mind())
    return done, model


def _numbers(model, call=0):
    """The number of each room offered, by its address."""
    places = model.asked[call].told["inputs"]["places"]
    return {f"{each['sector']}: {each['room']}": each["number"] for each in places}


def _forbidden(model):
    return [each.get("rule", "") for each in model.asked[0].told["inputs"]["places"]]


def _spot(done, minute=AT):
    return block_at(done.mind.plan.blocks, minute).spot


async def _choices(*rules):
    """The first room in the café and the first one elsewhere, by number."""
    _, model = await _lived(*rules)
    numbers = _numbers(model)
    inside = next(n for place, n in numbers.items() if place.startswith(CAFE))
    return inside, next(n for place, n in numbers.items() if not place.startswith(CAFE))


async def test_without_rules_prompt_and_inputs_are_as_they_were():
    _, model = await _lived()
    _, ruled = await _lived(replace(CLOSED, where=("Plum Cottage",)))
    assert model.asked[0].told["inputs"] == ruled.asked[0].told["inputs"]
    assert "not allowed" not in model.asked[0].last
    assert model.asked[0].last == ruled.asked[0].last


async def test_a_person_is_told_the_rule_at_the_spots_that_it_forbids():
    _, model = await _lived(CLOSED)
    assert set(_forbidden(model)) == {"", TEXT}
    assert f"(not allowed now for A: {TEXT})" in model.asked[0].last


async def test_a_choice_that_breaks_a_rule_is_a_problem_for_repair():
    wrong, right = await _choices(CLOSED)
    done, model = await _lived(CLOSED, ground_block=[{"A": wrong}, {"A": right}])
    (record,) = records(done)
    assert (record.outcome, record.attempts) == ("repaired", 2)
    (problem,) = done.finished[0].readings[0].problems
    assert problem.startswith(f'`A`: got {wrong}, which breaks a rule: "{TEXT}" Choose another')
    assert (rule_in(problem), done.finished[0].readings[0].kinds) == (TEXT, ("rule",))
    assert problem in model.asked[1].last
    assert not _spot(done).place.startswith(CAFE)


async def test_who_breaks_the_rule_each_time_falls_back_to_a_lawful_spot():
    wrong, _ = await _choices(CLOSED)
    done, _ = await _lived(CLOSED, ground_block=[{"A": wrong}] * 9)
    assert [record.outcome for record in records(done)] == ["fallback"]
    assert _spot(done).fallback == "ground_block"
    assert not _spot(done).place.startswith(CAFE)


async def test_where_no_spot_is_lawful_one_goes_home_rather_than_break_the_rule():
    everywhere = replace(CLOSED, where=(CAFE, "Willow Park", "Fern Cottage: kitchen"))
    done, _ = await _lived(everywhere, ground_block=[{"A": 0}])
    assert _spot(done).place == ADA.home


@pytest.mark.parametrize(
    ("rule", "is_told"),
    [
        (replace(CLOSED, who=RuleScope(names=("Ben Hollis",))), False),
        (replace(CLOSED, who=RuleScope(work=CAFE, is_others=True)), False),
        (replace(CLOSED, what=("zorb",)), True),
        (replace(CLOSED, what=("cook",)), False),
        (replace(CLOSED, what=("cook", "zorbing about")), True),
        (replace(CLOSED, when=(Hours(start=420, end=540),)), True),
        (replace(CLOSED, when=(Hours(start=540, end=600),)), False),
        (replace(CLOSED, when=(Hours(start=1320, end=500),)), True),
        (replace(CLOSED, when=(Hours(start=420, end=540, day=0),)), True),
        (replace(CLOSED, when=(Hours(start=420, end=540, day=1),)), False),
        (replace(CLOSED, when=(Hours(start=420, end=540),), is_outside=True), False),
    ],
)
async def test_only_rules_that_concern_person_task_and_time_are_told(rule, is_told):
    _, model = await _lived(rule)
    assert (TEXT in model.asked[0].last) == is_told


async def test_without_norms_no_rule_is_told_or_kept():
    _, model = await _lived(CLOSED, without=[NORMS.name])
    assert TEXT not in model.asked[0].last


SERVING = Block(
    start=AT, minutes=60, activity="serving soup", part_of="zorbing", spot=spot(by_rule=True)
)
EVENING = replace(CLOSED, when=(Hours(start=500, end=600),))


def _serving():
    return mind_of(day_plan(blocks=splice(HOURS, AT, AT + 60, [SERVING])))


async def test_an_action_ends_when_a_rule_begins():
    done, _ = await _lived(EVENING, mind=_serving())
    action = done.intent.action
    assert (action.place, action.end) == (SERVING.spot.place, at_of(1, 500))
    done, _ = await _lived(mind=_serving())
    assert done.intent.action.end == at_of(1, AT + 60)
