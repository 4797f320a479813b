"""The stand-in as a chat model: called like any other, by the rule of the call, out of traces."""

import json
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import HumanMessage, SystemMessage

from smolville.models.standin.mistakes import MISTAKES
from smolville.models.standin.model import StandIn, StandInError, build
from smolville.models.standin.rule import Dice, RuleAnswer

INPUTS = {"name": "Rosa Marin", "weather": "rain", "wardrobe": ["coat", "cap", "scarf", "boots"]}
MESSAGES = [
    SystemMessage(content="You are Rosa Marin. Answer with JSON."),
    HumanMessage(content=f"It is rain. You have: {', '.join(INPUTS['wardrobe'])}."),
]


def dress(dice: Dice) -> RuleAnswer:
    """A rule for INPUTS."""
    worn = dice.pick(INPUTS["wardrobe"], "worn")
    return RuleAnswer({"reason": "It suits Rosa Marin.", "outfit": worn}, (worn,))


CALL: dict[str, Any] = {"step": "choose_outfit", "inputs": INPUTS, "rule": dress}


def said(model: StandIn, **more: Any) -> str:
    """What a model answers to the call."""
    return str(model.invoke(MESSAGES, **(CALL | more)).content)


async def test_its_answer_depends_on_its_own_seed_the_step_and_the_inputs_only():
    assert said(StandIn(seed=4), seed=1) == said(build({"seed": "4"}, 1), seed=2)
    assert (await StandIn(seed=4).ainvoke(MESSAGES, **CALL)).content == said(StandIn(seed=4))
    assert len({said(StandIn(seed=seed)) for seed in range(20)}) == len(INPUTS["wardrobe"])
    assert len({said(StandIn(), step=f"step_{n}") for n in range(20)}) > 1
    assert len({said(StandIn(), inputs={**INPUTS, "day": n}) for n in range(20)}) > 1


def test_it_counts_tokens_and_a_small_allowance_cuts_the_reply():
    usage = build({}, 1).invoke(MESSAGES, **CALL).usage_metadata
    assert usage is not None
    assert usage["input_tokens"] > 10 and usage["output_tokens"] > 5
    assert usage["total_tokens"] == usage["input_tokens"] + usage["output_tokens"]
    cut = build({}, 1).invoke(MESSAGES, **CALL, max_tokens=5)
    assert cut.response_metadata["finish_reason"] == "length"
    with pytest.raises(json.JSONDecodeError):
        json.loads(str(cut.content))


def test_what_was_meant_stands_beside_the_text_only():
    reply = build({"missing": "1"}, 1).invoke(MESSAGES, **CALL)
    assert json.loads(reply.response_metadata["intended"]).keys() == {"reason", "outfit"}
    assert reply.response_metadata["field"] not in str(reply.content)


@pytest.mark.parametrize("lacking", ["step", "inputs", "rule"])
def test_it_refuses_what_is_no_step(lacking):
    call = {name: value for name, value in CALL.items() if name != lacking}
    with pytest.raises(StandInError, match="call it with step=, inputs= and rule="):
        build({}, 1).invoke(MESSAGES, **call)


def test_what_the_messages_do_not_show_is_not_said():
    hiding = [MESSAGES[0], HumanMessage(content="What do you wear?")]
    with pytest.raises(StandInError, match="the rendered messages do not show it"):
        build({}, 1).invoke(hiding, **CALL)
    assert StandIn(grounded=False).invoke(hiding, **CALL).content


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


def test_rates_are_shared_evenly_and_a_kind_may_have_its_own():
    model = build({"mistakes": "0.16", "missing": "0.1", "copied": "0.2"}, 1)
    assert set(model.rates) == {*MISTAKES, "copied"}
    assert [model.rates[kind] for kind in ("fences", "missing", "copied")] == [0.02, 0.1, 0.2]
    assert build({}, 1).rates == {} and build({}, 1).seed == 1


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ({"mistake": "0.2"}, "no setting 'mistake'; it knows seed, mistakes"),
        ({"mistakes": "1.5"}, "mistakes=1.5 is no share"),
        ({"fences": "0.7", "missing": "0.7"}, "add up to more than 1"),
        ({"seed": "x"}, "seed=x is no whole number"),
    ],
)
def test_a_setting_that_cannot_be_read_is_named(args, told):
    with pytest.raises(ValueError, match=told):
        build(args, 1)
