"""The loop of a step: mends, cut replies, warmth, seeds, escalation, strictness."""

import json
from collections import Counter

import pytest

from smolville.graphs import heed_inner_voice, say
from smolville.graphs.catalogue import SAMPLES, STEPS
from smolville.graphs.draft import Draft
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.graphs.loop.rules import StepRule
from smolville.models.errors import UnreadableReply
from smolville.models.standin.model import StandIn
from tests.fixtures.scripted import Cut, Scripted
from tests.graphs.minds import ask, calls_of, context_for
from tests.graphs.replies import bad, good

HEED = heed_inner_voice.STEP
GOOD = good("heed_inner_voice", {})
BAD = bad("heed_inner_voice", {})


async def _asked(*replies, step=HEED, **client):
    model = Scripted(replies={step.name: list(replies)})
    context = context_for(model, **client)
    return await ask(step, context), model, context


async def test_an_answer_that_is_mended_says_so():
    ended, *_ = await _asked(f"Sure!\n```json\n{json.dumps(GOOD)}\n```")
    assert (ended.outcome, ended.answer.importance) == ("mended", 6)
    assert ended.finished[0].readings[0].mends != ()


async def test_a_cut_reply_is_a_problem_even_when_it_looks_whole():
    ended, model, _ = await _asked(Cut(json.dumps(GOOD)), GOOD)
    assert ended.outcome == "repaired"
    assert "cut off" in model.asked[1].last and "shorter" in model.asked[1].last


async def test_an_identical_wrong_answer_raises_the_temperature():
    ended, model, _ = await _asked(BAD, BAD, BAD, GOOD)
    assert ended.outcome == "repaired"
    assert [asked.told["temperature"] for asked in model.asked] == [0.5, 0.5, 0.75, 1.0]


async def test_another_wrong_answer_leaves_the_temperature():
    _, model, _ = await _asked(BAD, GOOD | {"importance": 13}, GOOD)
    assert {asked.told["temperature"] for asked in model.asked} == {0.5}


async def test_seeds_differ_per_attempt_and_are_the_same_in_another_run():
    _, model, _ = await _asked(BAD, BAD, BAD, BAD)
    seeds = [asked.told["seed"] for asked in model.asked]
    assert len(set(seeds)) == 4 and all(0 <= seed < 2**31 for seed in seeds)
    _, again, _ = await _asked(BAD, BAD, BAD, BAD)
    assert [asked.told["seed"] for asked in again.asked] == seeds
    _, other, _ = await _asked(BAD, BAD, BAD, BAD, seed=8)
    assert not set(seeds) & {asked.told["seed"] for asked in other.asked}


async def test_the_last_repair_goes_to_the_strong_model():
    strong = Scripted(replies={HEED.name: [GOOD]})
    ended, model, context = await _asked(BAD, BAD, BAD, strong=strong)
    assert (ended.outcome, len(model.asked), len(strong.asked)) == ("escalated", 3, 1)
    tiers = [call.tier for call in calls_of(context)]
    assert tiers == ["fast", "fast", "fast", "strong"]


async def test_an_operators_rule_for_a_step_is_obeyed():
    rule = StepRule(tier="strong", temperature=0.1, max_tokens=77)
    strong = Scripted(replies={HEED.name: [BAD, GOOD]})
    ended, model, context = await _asked(strong=strong, steps={HEED.name: rule})
    assert (ended.outcome, model.asked) == ("repaired", [])
    for call in calls_of(context):
        assert (call.tier, call.temperature, call.max_tokens) == ("strong", 0.1, 77)


async def test_a_strong_step_that_is_moved_to_the_fast_model_is_escalated_again():
    plain = SAMPLES["say"].model_dump(mode="json")
    strong = Scripted(replies={"say": [good("say", plain)]})
    ended, model, _ = await _asked(
        *[bad("say", plain)] * 3,
        step=say.STEP,
        strong=strong,
        steps={"say": StepRule(tier="fast")},
    )
    assert (ended.outcome, len(model.asked), len(strong.asked)) == ("escalated", 3, 1)


async def test_a_reply_the_server_could_not_read_is_repaired():
    lost = UnreadableReply("the server could not read its model's reply: peg-native format")
    ended, model, context = await _asked(lost, GOOD)
    assert (ended.outcome, len(model.asked)) == ("repaired", 2)
    second = model.asked[1]
    assert "could not be read at all" in second.last
    assert "peg-native" not in second.messages[2].text, "the server's words are not the model's"
    finishes = [call.finish for call in calls_of(context)]
    assert finishes == ["unreadable", "stop"]


async def test_what_a_server_passes_on_of_such_a_reply_is_the_reply():
    wrote = json.dumps(GOOD)
    lost = UnreadableReply("error parsing tool call", raw=f"{wrote[:-1]} or not")
    ended, model, context = await _asked(lost, GOOD)
    assert (ended.outcome, len(model.asked)) == ("repaired", 2)
    assert model.asked[1].messages[2].text == lost.raw == calls_of(context)[0].reply
    ended, model, _ = await _asked(UnreadableReply("error", raw=f"We need JSON. {wrote}"))
    assert (ended.outcome, len(model.asked)) == ("mended", 1)


@pytest.mark.parametrize("rate", ["0.0", "0.6"])
async def test_outcomes_sum_to_steps_and_attempts_to_calls(rate):
    context = context_for(StandIn(seed=3, rates={"missing": float(rate)}))
    draft, finished = Draft(), []
    for step in [*STEPS, *STEPS]:
        ended = await ask(step, context, draft=draft)
        draft = ended.draft
        finished += ended.finished
    counted = Counter(each.record.outcome for each in finished)
    assert set(counted) <= set(OUTCOMES) and len(finished) == 2 * len(STEPS)
    attempts = sum(each.record.attempts for each in finished)
    readings = [reading.key for each in finished for reading in each.readings]
    assert attempts == len(calls_of(context)) == len(readings)
    assert set(readings) == {call.key for call in calls_of(context)}
    assert (counted["repaired"] > 0) is (rate != "0.0")
