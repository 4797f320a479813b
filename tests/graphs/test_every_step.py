"""Each of the steps: it answers, it is repaired, it gives up."""

import pytest

from agents.errors import StoppedError
from graphs.catalogue import SAMPLES, STEPS
from models.standin.model import StandIn
from prompts.folder import FOLDER
from tests.fixtures.scripted import Scripted
from tests.graphs.minds import ask, context_for, records
from tests.graphs.replies import FIXED, MADE, SHIPPED, WRONG, bad, good, wrong

BY_NAME = {step.name: step for step in STEPS}
EACH = pytest.mark.parametrize("name", sorted(BY_NAME))


def test_nothing_about_a_shipped_step_is_left_to_a_default():
    assert set(BY_NAME) >= SHIPPED
    assert {*MADE, *FIXED} >= SHIPPED
    assert set(WRONG) >= SHIPPED
    assert {path.stem for path in (FOLDER / "examples").iterdir()} >= SHIPPED


@EACH
async def test_a_step_answers(name):
    step, inputs = BY_NAME[name], SAMPLES[name]
    model = Scripted(replies={name: [good(name, inputs.model_dump(mode="json"))]})
    context = context_for(model)
    ended = await ask(step, context)
    assert (ended.outcome, len(model.asked)) == ("clean", 1)
    read = step.parser.read(ended.answer.model_dump_json(), step.context(inputs))
    assert read.value == ended.answer
    (record,) = records(ended)
    assert (record.step, record.outcome, record.attempts) == (name, "clean", 1)
    assert record.answer == ended.answer.model_dump_json() and record.problems == ()


@EACH
async def test_a_step_is_repaired(name):
    step, plain = BY_NAME[name], SAMPLES[name].model_dump(mode="json")
    model = Scripted(replies={name: [bad(name, plain), good(name, plain)]})
    context = context_for(model)
    ended = await ask(step, context)
    assert ended.outcome == "repaired"
    first, second = model.asked
    assert wrong(name) in second.last
    assert first.roles == ["system", "human"] + ["ai", "human"] * (name == "say")
    assert second.roles == [*first.roles, "ai", "human"]
    assert [m.text for m in second.messages[:-2]] == [m.text for m in first.messages]
    (record,) = records(ended)
    assert (record.outcome, record.attempts) == ("repaired", 2)
    first, second = ended.finished[0].readings
    assert [first.accepted, second.accepted] == [False, True]
    assert any(wrong(name) in problem for problem in first.problems)


@EACH
async def test_a_step_gives_up(name):
    step, inputs = BY_NAME[name], SAMPLES[name]
    model = Scripted(otherwise=bad)
    context = context_for(model)
    ended = await ask(step, context)
    assert (ended.outcome, len(model.asked)) == ("fallback", 4)
    assert ended.answer == step.fallback(inputs)
    (record,) = records(ended)
    assert (record.outcome, record.attempts) == ("fallback", 4)
    assert any(wrong(name) in problem for problem in record.problems)


@EACH
def test_a_fallback_obeys_the_rules_of_the_answer(name):
    step, inputs = BY_NAME[name], SAMPLES[name]
    context = {**step.context(inputs), "choices": dict(step.choices(inputs))}
    read = step.parser.read(step.fallback(inputs).model_dump_json(), context)
    assert (read.value, read.problems, read.mends) == (step.fallback(inputs), (), ())


@EACH
async def test_without_repairs_there_is_no_second_call(name):
    step = BY_NAME[name]
    model = Scripted(otherwise=bad)
    ended = await ask(step, context_for(model, repairs=0))
    assert (ended.outcome, len(model.asked)) == ("fallback", 1)


@EACH
async def test_a_strict_run_stops_and_names_step_and_problem(name):
    step = BY_NAME[name]
    context = context_for(Scripted(otherwise=bad), repairs=1, strict=True)
    with pytest.raises(StoppedError) as caught:
        await ask(step, context)
    told = str(caught.value)
    assert f"`{name}`" in told and "Ada Brook" in told and wrong(name) in told
    assert "after 2 calls" in told


@EACH
async def test_the_stand_in_answers_a_step_clean(name):
    step = BY_NAME[name]
    ended = await ask(step, context_for(StandIn(seed=7)))
    assert ended.outcome == "clean"
