"""The stand-in as a chat model: called like any other, honest, deterministic, out of traces."""

import json
from typing import Any, get_type_hints

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import HumanMessage, SystemMessage

from graphs.samples import OTHER_SAMPLES, SAMPLES
from models.standin import STEPS, StandIn, StandInError, build
from models.standin import inputs as given

PAIRS = [
    (step, samples[step])
    for samples in (SAMPLES, OTHER_SAMPLES)
    for step in sorted(samples)
    if getattr(samples[step], "memories", True)
    or step not in ("rate_importance", "reflect_insights")
]


def test_it_answers_every_step(town):
    assert set(STEPS) == set(SAMPLES)


@pytest.mark.parametrize(("step", "inputs"), PAIRS)
def test_every_sample_reads_clean(town, step, inputs):
    assert town.ask(step, inputs).answer


@pytest.mark.parametrize(("step", "inputs"), PAIRS)
def test_the_same_question_has_the_same_answer(town, step, inputs):
    assert town.ask(step, inputs).text == town.ask(step, inputs, model=build({}, 1)).text


def test_the_types_of_the_inputs_are_those_of_the_steps(town):
    for name, step in town.steps.items():
        words = "".join(part.capitalize() for part in name.split("_"))
        assert set(get_type_hints(getattr(given, words))) == set(step.inputs.model_fields), name


def test_the_types_of_the_cards_are_those_of_the_prompts():
    from graphs import cards

    pairs = {
        "Who": cards.Who,
        "Recalled": cards.Recalled,
        "Place": cards.PlaceCard,
        "Sector": cards.SectorCard,
        "Task": cards.TaskCard,
        "Planned": cards.PlannedCard,
        "Person": cards.PersonCard,
        "Said": cards.Said,
    }
    for name, card in pairs.items():
        assert set(get_type_hints(getattr(given, name))) == set(card.model_fields), name


async def test_it_is_asked_without_waiting_too(town):
    inputs = SAMPLES["plan_day"]
    message = await town.model.ainvoke(
        town.messages("plan_day", inputs),
        step="plan_day",
        inputs=inputs.model_dump(mode="json"),
        seed=1,
    )
    assert message.content == town.ask("plan_day", inputs).text


def test_it_counts_tokens_and_says_what_it_is(town):
    message = town.ask("plan_day", SAMPLES["plan_day"]).message
    usage = message.usage_metadata
    assert usage is not None
    assert usage["input_tokens"] > 300
    assert usage["total_tokens"] == usage["input_tokens"] + usage["output_tokens"]
    assert town.model._llm_type == "smolville-standin"
    assert town.model.wants_inputs


def test_a_small_allowance_cuts_the_reply(town):
    inputs = SAMPLES["plan_hours"]
    message = town.model.invoke(
        town.messages("plan_hours", inputs),
        step="plan_hours",
        inputs=inputs.model_dump(mode="json"),
        max_tokens=20,
    )
    assert message.response_metadata["finish_reason"] == "length"
    with pytest.raises(json.JSONDecodeError):
        json.loads(message.content)


def test_it_refuses_what_is_no_step(town):
    with pytest.raises(StandInError, match="call it with step= and inputs="):
        town.model.invoke([HumanMessage(content="Hello?")])


class Listener(BaseCallbackHandler):
    """Keeps what a trace would see."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def on_chat_model_start(self, serialized: Any, messages: Any, **kwargs: Any) -> None:
        """Keep everything but the messages."""
        self.seen.append((serialized, kwargs))


def test_the_inputs_stay_out_of_traces(town):
    inputs, listener = SAMPLES["say"], Listener()
    town.model.invoke(
        town.messages("say", inputs),
        {"callbacks": [listener]},
        step="say",
        inputs=inputs.model_dump(mode="json"),
    )
    assert "'step': 'say'" in str(listener.seen)
    assert inputs.me.name not in str(listener.seen)


EMPTY = [SystemMessage(content="Answer with JSON."), HumanMessage(content="What do you do?")]


@pytest.mark.parametrize("step", sorted(set(SAMPLES) - {"react"}))
def test_an_emptied_template_is_an_error(town, step):
    with pytest.raises(StandInError, match="do not show"):
        town.model.invoke(EMPTY, step=step, inputs=SAMPLES[step].model_dump(mode="json"))


def test_an_emptied_template_passes_where_grounding_is_off():
    model = build({"grounded": "0"}, 1)
    inputs = SAMPLES["plan_day"].model_dump(mode="json")
    assert model.invoke(EMPTY, step="plan_day", inputs=inputs).content


@pytest.mark.parametrize(
    ("step", "hidden"),
    [
        ("ground_block", "counter"),
        ("conclude_talk", "Milo Varga"),
        ("rate_importance", "walnut cake"),
        ("reflect_insights", "coffee machine"),
        ("heed_inner_voice", "dance"),
        ("plan_day", "21:30"),
    ],
)
def test_what_the_messages_hide_is_not_used(town, step, hidden):
    inputs = SAMPLES[step]
    shown = [
        type(message)(content=str(message.content).replace(hidden, "").split("\nMEMORIES")[0])
        for message in town.messages(step, inputs)
    ]
    if step == "plan_day":
        shown = shown[1:]
    with pytest.raises(StandInError):
        town.model.invoke(shown, step=step, inputs=inputs.model_dump(mode="json"), seed=1)


def test_a_person_in_sight_who_is_not_shown_is_not_talked_to(town):
    inputs = SAMPLES["react"].model_dump(mode="json")
    shown = [SystemMessage(content="You are Rosa Marin."), HumanMessage(content="Nobody is there.")]
    raised = 0
    for seed in range(20):
        try:
            town.seeded(seed).invoke(shown, step="react", inputs=inputs)
        except StandInError:
            raised += 1
    assert raised


def test_what_it_means_to_say_depends_on_its_own_seed_only(town):
    inputs = SAMPLES["plan_hours"]
    messages, given_inputs = town.messages("plan_hours", inputs), inputs.model_dump(mode="json")

    def said(model, seed):
        return model.invoke(messages, step="plan_hours", inputs=given_inputs, seed=seed).content

    assert said(StandIn(seed=4), 1) == said(build({"seed": "4"}, 1), 2)
    assert said(StandIn(seed=4), 1) != said(StandIn(seed=5), 1)
