"""The rules of all steps: clean answers, always the same, to what the messages show and no more."""

import pytest
from langchain_core.messages import HumanMessage, SystemMessage

from smolville.graphs.catalogue import OTHER_SAMPLES, SAMPLES
from smolville.models.standin.model import StandInError, build
from tests.fixtures.standin_call import standin_call

PAIRS = [
    (step, samples[step])
    for samples in (SAMPLES, OTHER_SAMPLES)
    for step in sorted(samples)
    if getattr(samples[step], "memories", True)
    or step not in ("rate_importance", "reflect_insights")
]
EMPTY = [SystemMessage(content="Answer with JSON."), HumanMessage(content="What do you do?")]


@pytest.mark.parametrize(("step", "inputs"), PAIRS)
def test_every_sample_reads_clean(town, step, inputs):
    assert town.ask(step, inputs).answer


@pytest.mark.parametrize(("step", "inputs"), PAIRS)
def test_the_same_question_has_the_same_answer(town, step, inputs):
    assert town.ask(step, inputs).text == town.ask(step, inputs, model=build({}, 1)).text


@pytest.mark.parametrize("step", sorted(set(SAMPLES) - {"react"}))
def test_an_emptied_template_is_an_error(town, step):
    with pytest.raises(StandInError, match="do not show"):
        town.model.invoke(EMPTY, **standin_call(step, SAMPLES[step]))


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
        town.model.invoke(shown, **standin_call(step, inputs), seed=1)


def test_a_person_in_sight_who_is_not_shown_is_not_talked_to(town):
    call = standin_call("react", SAMPLES["react"])
    shown = [SystemMessage(content="You are Rosa Marin."), HumanMessage(content="Nobody is there.")]
    raised = 0
    for seed in range(20):
        try:
            town.seeded(seed).invoke(shown, **call)
        except StandInError:
            raised += 1
    assert raised


def test_what_it_means_to_say_depends_on_its_own_seed_only(town):
    def said(spec_seed, seed):
        model = town.seeded(spec_seed)
        return town.ask("plan_hours", SAMPLES["plan_hours"], model=model, seed=seed).text

    assert said(4, 1) == said(4, 2)
    assert said(4, 1) != said(5, 1)
