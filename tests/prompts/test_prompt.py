"""A prompt as a Runnable: what goes in and what comes out."""

import inspect

import pytest
from jinja2 import Environment
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_core.runnables import RunnableLambda

from graphs.samples import SAMPLES
from prompts.contract import PromptContractError
from prompts.prompt import Prompt

SAMPLE = SAMPLES["say"]


def _prompt(**more):
    return Prompt("say", type(SAMPLE), "Write JSON.", **more)


class Watcher(BaseCallbackHandler):
    """Keeps what a trace would show of the runs it sees."""

    def __init__(self):
        self.started = []

    def on_chain_start(self, serialized, inputs, **more):
        self.started.append((more["name"], more["run_type"], inputs))


def test_an_input_becomes_a_system_and_a_human_message():
    system, human = _prompt().invoke(SAMPLE)
    assert isinstance(system, SystemMessage) and isinstance(human, HumanMessage)
    assert "You are Rosa Marin, 46 years old." in system.text
    assert "Better every day." in human.text


async def test_asking_later_gives_the_same_messages():
    assert await _prompt().ainvoke(SAMPLE) == _prompt().invoke(SAMPLE)


def test_a_trace_shows_the_prompt_by_its_step():
    watcher = Watcher()
    _prompt().invoke(SAMPLE, {"callbacks": [watcher]})
    assert watcher.started == [("say", "prompt", SAMPLE)]


def test_a_prompt_goes_before_a_model_in_a_chain():
    chain = _prompt() | RunnableLambda(len)
    assert chain.invoke(SAMPLE) == 2
    assert chain.get_input_schema() is type(SAMPLE)


def test_an_input_of_another_step_is_refused():
    with pytest.raises(TypeError, match="the prompt 'say' takes SayInput, not ReactInput"):
        _prompt().invoke(SAMPLES["react"])


def test_a_template_is_compiled_once_however_often_it_is_rendered(monkeypatch):
    def never(*_, **__):
        raise AssertionError("a template is compiled again")

    prompts = {step: Prompt(step, type(each), "Write JSON.") for step, each in SAMPLES.items()}
    first = {step: prompt.render(SAMPLES[step]) for step, prompt in prompts.items()}
    monkeypatch.setattr(Environment, "compile", never)
    assert {step: prompt.render(SAMPLES[step]) for step, prompt in prompts.items()} == first


def test_a_wrong_attribute_is_named_with_file_and_line(overlay):
    edited = overlay("_who.jinja", "ABOUT YOU\nYou are {{ me.nickname }}.\n")
    with pytest.raises(PromptContractError) as caught:
        _prompt(environment=edited).invoke(SAMPLE)
    assert str(caught.value).startswith("_who.jinja, line 2: ")
    assert "`Who` has no `nickname` (did you mean `name`?)" in str(caught.value)


@pytest.mark.parametrize("reach", ["me.model_dump()", "me.parse_file('x')", "me.__class__"])
def test_a_template_reaches_nothing_but_fields(overlay, reach):
    edited = overlay("_who.jinja", "You are {{ " + reach + " }}.\n")
    with pytest.raises(PromptContractError, match="unsafe"):
        _prompt(environment=edited).invoke(SAMPLE)


def test_an_edited_partial_changes_the_text_and_the_version(overlay):
    edited = overlay("_who.jinja", "ABOUT YOU\nYou are {{ me.name }}, and nobody else.\n")
    prompt = _prompt(environment=edited)
    assert "and nobody else." in prompt.render(SAMPLE)[0].text
    assert prompt.version != _prompt().version


def test_a_second_edit_is_seen(overlay):
    versions = set()
    for text in ("You are {{ me.name }}.\n", "Your name is {{ me.name }}.\n"):
        versions.add(_prompt(environment=overlay("_who.jinja", text)).version)
    assert len(versions) == 2


def test_a_version_is_eight_hex_digits_and_differs_between_steps():
    versions = {step: Prompt(step, type(each), "").version for step, each in SAMPLES.items()}
    assert all(len(each) == 8 and int(each, 16) >= 0 for each in versions.values())
    assert len(set(versions.values())) == len(versions)


def test_the_version_does_not_depend_on_the_answers_instructions():
    assert Prompt("say", type(SAMPLE), "One.").version == Prompt("say", type(SAMPLE), "").version


def test_an_input_model_is_all_that_a_prompt_is_told_of_the_town():
    assert list(inspect.signature(Prompt).parameters) == [
        "name",
        "input_type",
        "answer_instructions",
        "environment",
    ]
