"""Each of the steps: it answers, it is repaired, it gives up."""

import json

import pytest

from smolville.agents.errors import StoppedError
from smolville.graphs.catalogue import OTHER_SAMPLES, SAMPLES, STEPS
from smolville.models.chat import fit_roles
from smolville.models.standin.mistakes import KINDS
from smolville.models.standin.model import StandIn
from smolville.models.tokens import estimate_prompt
from smolville.prompts.examples import first_cases
from tests.fixtures.chat_templates import SYSTEM_ROLE, write_by
from tests.fixtures.scripted import Scripted
from tests.graphs.minds import ask, context_for, records
from tests.graphs.replies import bad, good, wrong

MOST_TOKENS, SMALL_CONTEXT = 2000, 4096
ROLES = {"system": "system", "human": "user", "ai": "assistant"}
BY_NAME = {step.name: step for step in STEPS}
EACH = pytest.mark.parametrize("name", sorted(BY_NAME))


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
async def test_a_strict_run_stops_and_names_step_and_problem(name):
    step = BY_NAME[name]
    context = context_for(Scripted(otherwise=bad), repairs=1, strict=True)
    with pytest.raises(StoppedError) as caught:
        await ask(step, context)
    told = str(caught.value)
    assert f"`{name}`" in told and "Ada Brook" in told and wrong(name) in told
    assert "after 2 calls" in told


OPTIONAL = {("plan_hours", "missing")}
"""Slips that leave out what a step does not have to be told: what is done during work."""
UNSEEN = ("copied", "forgotten")
"""Slips that may pass: a copied number, and what only a reader misses."""


@EACH
async def test_every_slip_of_a_small_model_is_mended_or_repaired(name):
    step = BY_NAME[name]
    meant = await ask(step, context_for(StandIn(seed=3, grounded=False)))
    (usual,) = records(meant)
    for kind in KINDS:
        model = StandIn(seed=3, rates={kind: 1.0}, grounded=False)
        ended = await ask(step, context_for(model))
        (record,) = records(ended)
        assert (record.outcome != "fallback", record.odd) == (True, usual.odd), kind
        is_seen = kind not in UNSEEN and (name, kind) not in OPTIONAL
        is_plain = is_seen and not ended.finished[0].readings[0].mends
        assert ended.answer == meant.answer or not is_plain, kind


@EACH
def test_choices_are_enums_and_lists_are_capped_in_the_schema_of_a_call(name):
    step = BY_NAME[name]
    choices = step.choices(SAMPLES[name])
    schema = step.answer.call_schema(choices)
    assert json.dumps(schema).count('"type": "array"') == json.dumps(schema).count('"maxItems"')
    for path, values in choices.items():
        if path.endswith(".length"):
            part = schema["properties"][path.removesuffix(".length")]
            assert (part["minItems"], part["maxItems"]) == (min(values), max(values))
            continue
        part = schema
        for key in path.replace("[]", ".[]").split("."):
            options = part.get("anyOf", [part])
            part = options[0]["items"] if key == "[]" else options[0]["properties"][key]
        assert [*values] == part.get("anyOf", [part])[0]["enum"], path


def _crowded(step, inputs):
    """The inputs with twelve entries in each list, of a person of whom twice as much is known."""
    more = {name: (getattr(inputs, name) * 12)[:12] for name in step.sheds}
    if me := getattr(inputs, "me", None):
        more["me"] = me.model_copy(
            update={"learned": me.learned * 2, "currently": me.currently * 2}
        )
    return inputs.model_copy(update=more)


@EACH
async def test_a_question_and_its_repair_fit_every_chat_template_and_the_context(name):
    step, model = BY_NAME[name], Scripted(otherwise=bad)
    await ask(step, context_for(model, examples=1))
    other = step.prompt.render(OTHER_SAMPLES[name], first_cases(name, step.answer, 1))
    crowded = step.prompt.render(_crowded(step, SAMPLES[name]), first_cases(name, step.answer, 1))
    questions = [model.asked[0].messages, other, crowded]
    assert max(map(estimate_prompt, questions)) <= MOST_TOKENS
    for messages in (*questions, *(asked.messages for asked in model.asked[1:])):
        assert estimate_prompt(messages) + step.max_tokens <= SMALL_CONTEXT
        for text, has_system in SYSTEM_ROLE.values():
            sent = fit_roles(messages, has_system)
            turns = [{"role": ROLES[each.type], "content": str(each.text)} for each in sent]
            written = write_by(text, turns)
            assert all(str(message.text).strip() in written for message in messages)
