"""A prompt as a Runnable: what goes in and what comes out."""

import json

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from smolville.graphs.catalogue import SAMPLES
from smolville.prompts.contract import PromptContractError
from smolville.prompts.folder import shipped_texts
from smolville.prompts.prompt import Prompt

SAMPLE = SAMPLES["say"]


def _prompt(**more):
    return Prompt("say", type(SAMPLE), "Write JSON.", **more)


def test_an_input_becomes_a_system_and_a_human_message():
    sample = SAMPLES["react"]
    system, human = Prompt("react", type(sample), "Write JSON.").invoke(sample)
    assert isinstance(system, SystemMessage) and isinstance(human, HumanMessage)
    assert "You are Rosa Marin, 46 years old." in system.text
    assert "IN SIGHT:" in human.text


def test_a_talk_becomes_turns_in_which_ones_own_lines_are_answers():
    system, opening, own, human = _prompt().invoke(SAMPLE)
    assert opening == _prompt().invoke(SAMPLE.model_copy(update={"lines": ()}))[-1]
    assert "You are Rosa Marin, 46 years old." in system.text
    assert isinstance(own, AIMessage) and isinstance(human, HumanMessage)
    assert json.loads(own.text) == {"text": SAMPLE.lines[0].text, "ends": False}
    assert human.text == "Better every day. I know four dances by heart now."


def test_a_template_without_turns_shows_a_talk_as_one_text(overlay):
    text = shipped_texts()["say.jinja"]
    human = '{% block human %}{{ talk_lines(lines, "Nobody.") }}{% endblock %}'
    edited = overlay("say.jinja", text[: text.index("{% block turn %}")] + human)
    system, talk = _prompt(environment=edited).invoke(SAMPLE)
    assert system == _prompt().invoke(SAMPLE)[0]
    assert talk.text.splitlines() == [f"{line.speaker}: {line.text}" for line in SAMPLE.lines]


def test_an_input_of_another_step_is_refused():
    with pytest.raises(TypeError, match="the prompt 'say' takes SayInput, not ReactInput"):
        _prompt().invoke(SAMPLES["react"])


def test_a_wrong_attribute_is_named_with_file_and_line(overlay):
    edited = overlay("_who.jinja", "ABOUT YOU\nYou are {{ me.nickname }}.\n")
    with pytest.raises(PromptContractError) as caught:
        _prompt(environment=edited).invoke(SAMPLE)
    assert str(caught.value).startswith("_who.jinja, line 2: ")
    assert "`PersonaInput` has no `nickname` (did you mean `name`?)" in str(caught.value)


@pytest.mark.parametrize("reach", ["me.model_dump()", "me.parse_file('x')", "me.__class__"])
def test_a_template_reaches_nothing_but_fields(overlay, reach):
    edited = overlay("_who.jinja", "You are {{ " + reach + " }}.\n")
    with pytest.raises(PromptContractError, match="unsafe"):
        _prompt(environment=edited).invoke(SAMPLE)
