"""Answers that are lists: what is right is kept, only the rest is asked again."""

import json

import pytest

from smolville.graphs import ground_block, rate_importance, reflect_insights
from smolville.graphs.catalogue import SAMPLES
from tests.fixtures.scripted import Cut, Scripted
from tests.graphs.minds import ask, context_for
from tests.graphs.replies import good

RATE = rate_importance.STEP
GROUND = ground_block.STEP
INSIGHTS = reflect_insights.STEP


def _ratings(*numbers, importance=4):
    return [{"number": n, "reason": "so", "importance": importance} for n in numbers]


async def _asked(step, *replies):
    model = Scripted(replies={step.name: list(replies)})
    return await ask(step, context_for(model)), model


async def test_only_the_failed_items_are_asked_again_and_merged():
    first = {"ratings": [*_ratings(1, 2), *_ratings(3, 4, importance=12)]}
    second = {"ratings": _ratings(3, 4, importance=9)}
    ended, model = await _asked(RATE, first, second)
    assert ended.outcome == "repaired"
    assert {each.number: each.importance for each in ended.answer.ratings} == {
        1: 4, 2: 4, 3: 9, 4: 9,
    }  # fmt: skip
    asked = model.asked[1]
    assert "only for these numbers: 3, 4" in asked.last
    numbers = asked.told["schema"]["properties"]["ratings"]["items"]["properties"]["number"]
    assert numbers["enum"] == [3, 4]


async def test_what_was_right_before_cannot_be_spoilt_by_a_repair():
    first = {"ratings": [*_ratings(1, 2, 3), *_ratings(4, importance=0)]}
    second = {"ratings": [*_ratings(1, importance=99), *_ratings(4, importance=5)]}
    ended, _ = await _asked(RATE, first, second)
    assert ended.outcome == "repaired"
    found = {each.number: each.importance for each in ended.answer.ratings}
    assert found == {1: 4, 2: 4, 3: 4, 4: 5}


async def test_whole_items_of_a_cut_list_are_kept():
    whole = json.dumps({"ratings": _ratings(1, 2, 3, 4)})
    cut = Cut(whole[: whole.index('"number": 3') + 20])
    ended, model = await _asked(RATE, cut, {"ratings": _ratings(3, 4)})
    assert ended.outcome == "repaired"
    assert "only for these numbers: 3, 4" in model.asked[1].last
    assert "cut off" in model.asked[1].last


async def test_a_list_that_never_gets_whole_falls_back_as_a_whole():
    model = Scripted(otherwise=lambda step, inputs: {"ratings": _ratings(1)})
    ended = await ask(RATE, context_for(model))
    assert ended.answer == RATE.fallback(SAMPLES[RATE.name])
    assert (ended.outcome, len(model.asked)) == ("fallback", 4)


async def test_a_number_that_was_not_offered_is_asked_again_with_the_places():
    plain = SAMPLES[GROUND.name].model_dump(mode="json")
    first = good("ground_block", plain)
    ended, model = await _asked(GROUND, first | {"B": 99}, first)
    assert ended.outcome == "repaired"
    assert "`B`: got 99" in model.asked[1].last
    assert "1 (Marin Café: counter room)" in model.asked[1].last
    assert ended.answer.model_dump() == first


def _insights(*because):
    return [
        {"insight": f"I would rather have {n} friends than one.", "because": each, "importance": 5}
        for n, each in enumerate(because)
    ]


async def test_when_nothing_can_be_asked_any_more_the_right_insights_are_kept():
    wrong = {"insights": _insights([1, 2], [98, 99])}
    ended, model = await _asked(INSIGHTS, *[wrong] * 4)
    assert (ended.outcome, len(ended.answer.insights)) == ("repaired", 1)
    assert len(model.asked) == 4
    assert "took only the items that are right" in ended.finished[0].readings[-1].mends


@pytest.mark.parametrize("second", [1, 4])
async def test_too_many_insights_are_repaired_by_fewer(second):
    six = {"insights": _insights(*[[1]] * 6)}
    fewer = {"insights": _insights(*[[2]] * second)}
    ended, _ = await _asked(INSIGHTS, six, fewer)
    assert ended.outcome == "repaired"
    assert [each.because for each in ended.answer.insights] == [[2]] * second


@pytest.mark.parametrize("end", ["", "}", "]}", "]} And so on and so on"])
async def test_a_cut_reply_completes_no_list_even_with_every_item_in_it(end):
    whole = json.dumps({"ratings": _ratings(1, 2, 3, 4)}).removesuffix("]}")
    cut = Cut(whole + end)
    ended, model = await _asked(RATE, cut, {"ratings": _ratings(4)})
    assert ended.outcome == "repaired"
    assert "only for these numbers: 4" in model.asked[1].last
