"""The stand-in as a chat model: called like any other, by the rule of the call, out of traces."""

import json
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import HumanMessage, SystemMessage

from smolville.models.standin.model import StandIn, StandInError, build, check_grounded
from smolville.models.standin.rule import Dice, RuleAnswer

INPUTS = {"name": "Rosa Marin", "weather": "rain", "wardrobe": ["coat", "cap", "scarf", "boots"]}
MESSAGES = [
    SystemMessage(content="You are Rosa Marin. Answer with JSON."),
    HumanMessage(content=f"It is rain. You have: {', '.join(INPUTS['wardrobe'])}."),
]
HIDING = [MESSAGES[0], HumanMessage(content="What do you wear?")]


def dress(dice: Dice) -> RuleAnswer:
    """A rule for INPUTS."""
    worn = dice.pick(INPUTS["wardrobe"], "worn")
    return RuleAnswer({"reason": "It suits Rosa Marin.", "outfit": worn}, (worn,))


CALL: dict[str, Any] = {"step": "choose_outfit", "inputs": INPUTS, "rule": dress}


def said(model: StandIn, **more: Any) -> str:
    """What a model answers to the call."""
    return str(model.invoke(MESSAGES, **(CALL | more)).content)


async def test_it_answers_by_the_rule_with_and_without_waiting():
    model = build({}, 1)
    assert json.loads(said(model))["outfit"] in INPUTS["wardrobe"]
    assert (await model.ainvoke(MESSAGES, **CALL)).content == said(model)


def test_what_it_means_to_say_depends_on_its_own_seed_the_step_and_the_inputs_only():
    assert said(StandIn(seed=4), seed=1) == said(build({"seed": "4"}, 1), seed=2)
    assert len({said(StandIn(seed=seed)) for seed in range(20)}) == len(INPUTS["wardrobe"])
    model = StandIn(seed=4)
    assert len({said(model, step=f"step_{n}") for n in range(20)}) > 1
    assert len({said(model, inputs={**INPUTS, "day": n}) for n in range(20)}) > 1


def test_it_counts_tokens_and_says_what_it_is():
    model = build({}, 1)
    usage = model.invoke(MESSAGES, **CALL).usage_metadata
    assert usage is not None
    assert usage["input_tokens"] > 10 and usage["output_tokens"] > 5
    assert usage["total_tokens"] == usage["input_tokens"] + usage["output_tokens"]
    assert model._llm_type == "smolville-standin"
    assert model.wants_inputs


def test_a_small_allowance_cuts_the_reply():
    message = build({}, 1).invoke(MESSAGES, **CALL, max_tokens=5)
    assert message.response_metadata["finish_reason"] == "length"
    with pytest.raises(json.JSONDecodeError):
        json.loads(str(message.content))


@pytest.mark.parametrize("lacking", [["step"], ["inputs"], ["rule"], ["step", "inputs", "rule"]])
def test_it_refuses_what_is_no_step(lacking):
    call = {name: value for name, value in CALL.items() if name not in lacking}
    with pytest.raises(StandInError, match="call it with step=, inputs= and rule="):
        build({}, 1).invoke(MESSAGES, **call)


def test_what_the_messages_do_not_show_is_not_said():
    with pytest.raises(StandInError, match="the rendered messages do not show it"):
        build({}, 1).invoke(HIDING, **CALL)
    assert build({"grounded": "0"}, 1).invoke(HIDING, **CALL).content


def test_a_name_of_the_inputs_is_held_to_the_messages_too():
    nameless = [SystemMessage(content="Answer with JSON."), MESSAGES[1]]
    with pytest.raises(StandInError, match="with the name 'Rosa'"):
        build({}, 1).invoke(nameless, **CALL)


def test_a_word_that_begins_sentences_is_no_name_that_the_messages_must_show():
    asks, names = ({"text": f"{word} is well?"} for word in ("How", "Rosa"))
    check_grounded("say", RuleAnswer(asks), {"said": "How are you?"}, "Answer with JSON.")
    with pytest.raises(StandInError, match="with the name 'Rosa'"):
        check_grounded("say", RuleAnswer(names), {"said": "Here is Rosa."}, "Answer with JSON.")


class Listener(BaseCallbackHandler):
    """Keeps what a trace would see."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def on_chat_model_start(self, serialized: Any, messages: Any, **kwargs: Any) -> None:
        """Keep everything but the messages."""
        self.seen.append((serialized, kwargs))


def test_the_inputs_and_the_rule_stay_out_of_traces():
    listener = Listener()
    build({}, 1).invoke(MESSAGES, {"callbacks": [listener]}, **CALL)
    told = str(listener.seen)
    assert "'step': 'choose_outfit'" in told
    assert "Rosa Marin" not in told and "rule" not in told and "dress" not in told
