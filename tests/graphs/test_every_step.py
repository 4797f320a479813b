"""Each of the steps: it answers, it is repaired, it gives up."""

import pytest

from agents.errors import StoppedError
from graphs.catalogue import STEPS
from graphs.samples import SAMPLES
from models.standin import StandIn
from tests.fixtures.scripted import Scripted
from tests.graphs.minds import thought_of
from tests.graphs.replies import WRONG, bad, good

BY_NAME = {step.name: step for step in STEPS}
EACH = pytest.mark.parametrize("name", sorted(BY_NAME))


def _sample(name):
    inputs = SAMPLES[name]
    return BY_NAME[name], inputs, inputs.model_dump(mode="json")


def test_each_step_has_a_sample():
    assert set(BY_NAME) == set(SAMPLES) == set(WRONG)


@EACH
async def test_a_step_answers(name):
    step, inputs, plain = _sample(name)
    model = Scripted(replies={name: [good(name, plain)]})
    thought = thought_of(model)
    taken = await step.take(thought, inputs)
    assert (taken.outcome, taken.is_fallback, len(model.asked)) == ("clean", False, 1)
    read = step.parser.read(taken.answer.model_dump_json(), step.context(inputs))
    assert read.value == taken.answer
    (record,) = thought.ledger.steps
    assert (record.step, record.outcome, record.attempts) == (name, "clean", 1)
    assert record.answer == taken.answer.model_dump_json() and record.problems == ()


@EACH
async def test_a_step_is_repaired(name):
    step, inputs, plain = _sample(name)
    model = Scripted(replies={name: [bad(name, plain), good(name, plain)]})
    thought = thought_of(model)
    taken = await step.take(thought, inputs)
    assert taken.outcome == "repaired"
    first, second = model.asked
    assert WRONG[name] in second.last
    assert first.roles == ["system", "human"]
    assert second.roles == ["system", "human", "ai", "human"]
    assert [m.text for m in second.messages[:2]] == [m.text for m in first.messages]
    (record,) = thought.ledger.steps
    assert (record.outcome, record.attempts) == ("repaired", 2)
    assert [reading.accepted for reading in thought.ledger.readings] == [False, True]
    assert any(WRONG[name] in problem for problem in thought.ledger.readings[0].problems)


@EACH
async def test_a_step_gives_up(name):
    step, inputs, _ = _sample(name)
    model = Scripted(otherwise=bad)
    thought = thought_of(model)
    taken = await step.take(thought, inputs)
    assert (taken.outcome, taken.is_fallback, len(model.asked)) == ("fallback", True, 4)
    assert taken.answer == step.fallback(inputs)
    (record,) = thought.ledger.steps
    assert (record.outcome, record.attempts) == ("fallback", 4)
    assert any(WRONG[name] in problem for problem in record.problems)


@EACH
def test_a_fallback_obeys_the_rules_of_the_answer(name):
    step, inputs, _ = _sample(name)
    context = {**step.context(inputs), "choices": dict(step.choices(inputs))}
    read = step.parser.read(step.fallback(inputs).model_dump_json(), context)
    assert (read.value, read.problems, read.mends) == (step.fallback(inputs), (), ())


@EACH
async def test_without_repairs_there_is_no_second_call(name):
    step, inputs, _ = _sample(name)
    model = Scripted(otherwise=bad)
    taken = await step.take(thought_of(model, repairs=0), inputs)
    assert (taken.outcome, len(model.asked)) == ("fallback", 1)


@EACH
async def test_a_strict_run_stops_and_names_step_and_problem(name):
    step, inputs, _ = _sample(name)
    thought = thought_of(Scripted(otherwise=bad), repairs=1, strict=True)
    with pytest.raises(StoppedError) as caught:
        await step.take(thought, inputs)
    told = str(caught.value)
    assert f"`{name}`" in told and "Ada Brook" in told and WRONG[name] in told
    assert "after 2 calls" in told
    assert thought.ledger.steps == []


@EACH
async def test_the_stand_in_answers_a_step_clean(name):
    step, inputs, _ = _sample(name)
    taken = await step.take(thought_of(StandIn(seed=7)), inputs)
    assert taken.outcome == "clean"
