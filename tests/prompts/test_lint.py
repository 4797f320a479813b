"""What every file in the prompts folder keeps to; a new template is tested by existing."""

from itertools import takewhile

import pytest
from jinja2 import nodes

from smolville.graphs.catalogue import ENTITY, OTHER_SAMPLES, SAMPLES
from smolville.models.tokens import estimate_tokens
from smolville.prompts.contract import BoundTemplate
from smolville.prompts.environment import open_environment
from smolville.prompts.facts import read_facts
from smolville.prompts.folder import FOLDER, shipped_texts
from smolville.prompts.lint import lint

FILES = sorted(path.name for path in FOLDER.glob("*.jinja"))
STEPS = sorted(name.removesuffix(".jinja") for name in FILES if not name.startswith("_"))
STEPS.remove("repair")
MOST_STABLE = 700
"""Tokens of what all agents share of one prompt: a day has 75,000 for about 70 calls."""
MOST = 1300


OF_ENTITIES = [step.name for step in ENTITY]
"""Steps that nobody is asked at: their prompts show the town where others show a person."""
BLOCKS = {step: read_facts(open_environment(), f"{step}.jinja").blocks for step in STEPS}
"""The blocks of each step's template; in a talk that is shown as turns the system text asks."""


def _text(name):
    return (FOLDER / name).read_text(encoding="utf-8")


def _block(step, name):
    tree = open_environment().parse(_text(f"{step}.jinja"))
    return next(block for block in tree.find_all(nodes.Block) if block.name == name)


def test_there_is_a_sample_of_every_prompt():
    assert sorted(SAMPLES) == sorted(OTHER_SAMPLES) == STEPS


def test_nothing_is_wrong_with_the_shipped_templates():
    bound = [
        BoundTemplate(
            *(f"{step}.jinja", type(sample).__name__, frozenset(type(sample).model_fields)),
            may_turn=step == "say",
        )
        for step, sample in SAMPLES.items()
    ]
    assert lint(shipped_texts(), FILES, bound) == []


@pytest.mark.parametrize("step", STEPS)
def test_a_prompt_is_bound_to_the_input_model_of_its_step(step, answer_of):
    kind = type(SAMPLES[step])
    assert kind is type(OTHER_SAMPLES[step])
    assert kind.__name__ == step.title().replace("_", "") + "Input"
    assert kind.__module__ == answer_of(step).__module__ == f"smolville.parsers.{step}"


@pytest.mark.parametrize("step", STEPS)
def test_the_rules_come_first_then_the_format_then_who_one_is(step):
    shown = _block(step, "system").body
    who = next(at for at, node in enumerate(shown) if isinstance(node, nodes.Include))
    before = [name.name for node in shown[:who] for name in node.find_all(nodes.Name)]
    assert {*before} == {"format"}
    partial = "_setting.jinja" if step in OF_ENTITIES else "_who.jinja"
    assert shown[who].template.value == partial
    assert shown[who + 1 :] == [] or "turn" in BLOCKS[step]


@pytest.mark.parametrize("step", STEPS)
def test_what_all_agents_share_is_byte_equal(step, prompt_of):
    prompt = prompt_of(step)
    systems = [prompt.render(each[step])[0].text for each in (SAMPLES, OTHER_SAMPLES)]
    shared = "".join(
        one for one, _ in takewhile(lambda pair: pair[0] == pair[1], zip(*systems, strict=False))
    )
    town, who = "\n\nTHE TOWN\nThe town of ", "\n\nABOUT YOU\nYou are "
    assert shared.endswith(town if step in OF_ENTITIES else who)
    assert prompt.answer_instructions in shared
    assert estimate_tokens(shared) <= MOST_STABLE


@pytest.mark.parametrize("step", STEPS)
def test_the_last_sentence_asks_for_json_only(step, prompt_of):
    asks = 0 if "turn" in BLOCKS[step] else -1
    question = prompt_of(step).render(SAMPLES[step])[asks].text.splitlines()[-1]
    assert question.endswith("? Answer with the JSON only.")


@pytest.mark.parametrize("step", STEPS)
def test_a_sample_is_within_the_small_models_budget(step, prompt_of):
    messages = prompt_of(step).render(SAMPLES[step])
    assert sum(estimate_tokens(message.text) for message in messages) <= MOST
