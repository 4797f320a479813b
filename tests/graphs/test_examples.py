"""Examples of a step: which are shown, and where."""

import json
import re

import pytest

from smolville.graphs.catalogue import OTHER_SAMPLES, SAMPLES, STEPS
from smolville.models.tokens import estimate_tokens
from smolville.prompts.examples import shipped_cases
from smolville.prompts.folder import FOLDER
from tests.fixtures.scripted import Scripted
from tests.graphs.minds import ask, calls_of, context_for
from tests.graphs.replies import good

EACH = pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
WITH_CASES = [step for step in STEPS if shipped_cases(step.name)]
EACH_WITH_CASES = pytest.mark.parametrize("step", WITH_CASES, ids=lambda step: step.name)


async def _asked(step, *replies, around=None, **client):
    model = Scripted(replies={step.name: list(replies)}, otherwise=good)
    context = context_for(model, around, **client)
    return await ask(step, context), model, calls_of(context)


@EACH_WITH_CASES
def test_shipped_cases_have_answers_that_are_right(step):
    cases = shipped_cases(step.name)
    assert len(cases) >= 3
    for each in cases:
        answer = step.answer.model_validate(each.answer)
        assert step.parser.read(answer.model_dump_json()).mends == ()
        assert each.case == each.case.strip() and "\n\n" not in each.case
        assert estimate_tokens(each.case) + estimate_tokens(answer.model_dump_json()) <= 320
    assert len({each.case for each in cases}) == len(cases)


def test_every_file_of_cases_belongs_to_a_step():
    names = {path.stem for path in (FOLDER / "examples").iterdir()}
    assert names == {step.name for step in WITH_CASES}
    assert shipped_cases("no_such_step") == ()


@EACH
async def test_without_examples_not_a_byte_of_any_prompt_changes(step):
    inputs = SAMPLES[step.name]
    _, model, (call,) = await _asked(step, examples=0)
    assert [m.text for m in model.asked[0].messages] == [m.text for m in step.prompt.render(inputs)]
    assert (call.examples, call.template) == ("[]", step.prompt.version)


@EACH_WITH_CASES
async def test_the_same_examples_stand_behind_the_format_whoever_is_asked(step):
    _, model, (call,) = await _asked(step, examples=2)
    plain = step.prompt.render(SAMPLES[step.name])
    system, *others = (message.text for message in model.asked[0].messages)
    assert others == [message.text for message in plain[1:]]
    form = step.parser.get_format_instructions()
    before, shown, after = (
        text for text in re.split(r"(EXAMPLES of .*YOUR case\.\n\n)", system, flags=re.S)
    )
    assert before.endswith(f"{form}\n\n")
    assert before.rstrip() + "\n\n" + after == plain[0].text
    rows = json.loads(call.examples)
    assert [row["case"] for row in rows] == [each.case for each in shipped_cases(step.name)[:2]]
    for row in rows:
        assert row["answer"] in shown
        assert all(line in shown for line in row["case"].splitlines())
    other = step.prompt.render(OTHER_SAMPLES[step.name], [(r["case"], r["answer"]) for r in rows])
    assert other[0].text.startswith(before + shown)


@EACH
def test_nobody_and_no_place_of_the_shipped_town_is_in_an_example(step):
    town = FOLDER.parent / "towns" / "smolville"
    people = [path.stem.split("_") for path in (town / "personas").glob("*.toml")]
    names = {name.title() for each in people for name in each}
    layers = json.loads((town / "map.tmj").read_text(encoding="utf-8"))["layers"]
    sectors = {
        each["name"] for layer in layers if layer["name"] == "sectors" for each in layer["objects"]
    }
    assert len(names) > 25 and len(sectors) > 9
    texts = [each.case + json.dumps(each.answer) for each in shipped_cases(step.name)]
    told = " ".join([*texts, step.parser.get_format_instructions()])
    assert not names & set(re.findall(r"\w+", told))
    assert not [sector for sector in sectors if sector in told]
