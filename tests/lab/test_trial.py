"""A model on a fixed set of moments: what is asked, what is counted, what is told."""

from dataclasses import replace
from typing import Any

import pytest

from smolville.graphs.catalogue import STEPS
from smolville.graphs.loop.rules import Rules
from smolville.graphs.loop.step import AnyStep
from smolville.lab.evaluation.results import Evaluation
from smolville.lab.evaluation.summary import VariantSummary, summarise
from smolville.lab.trial import markdown, samples_of, setup_of, try_model
from smolville.models.chat import Chat
from smolville.models.open import open_chat
from smolville.models.request import ModelSettings
from tests.fixtures.ollama_server import OllamaFake

EACH = pytest.mark.parametrize("step", STEPS, ids=[step.name for step in STEPS])
FEW = [step for step in STEPS if step.name in ("decompose", "say")]


def standin(**settings: Any) -> Chat:
    """The stand-in, perhaps with mistakes."""
    told = ",".join(f"{name}={value}" for name, value in settings.items())
    return open_chat(f"standin:{told}" if told else "standin", env={})[0]


def counted(trial: Evaluation) -> VariantSummary:
    """The counts of a trial, which all add up."""
    (told,) = summarise(trial).variants
    assert list(told.steps) == list(dict.fromkeys(trial.moments.values()))
    for line in (*told.steps.values(), told.total):
        assert sum(line.ends.values()) == line.asked
    assert sum(line.asked for line in told.steps.values()) == told.total.asked
    return told


@EACH
def test_every_moment_can_be_answered(step: AnyStep) -> None:
    moments = list(samples_of(step))
    assert moments
    assert len(set(map(str, moments))) == len(moments)
    for inputs in moments:
        context = {**step.context(inputs), "choices": dict(step.choices(inputs))}
        step.answer.call_schema(step.choices(inputs))
        read = step.parser.read(step.fallback(inputs).model_dump_json(), context)
        assert read.value == step.fallback(inputs)


async def test_the_stand_in_answers_every_moment_clean() -> None:
    chat = standin()
    trial = await try_model(chat)
    counted(trial)
    lines = markdown(trial, setup_of(chat, Rules(), None)).splitlines()
    assert len(trial.results) >= 30
    assert set(trial.moments.values()) == {step.name for step in STEPS}
    assert {each.outcome for each in trial.results} == {"clean"}
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 2 + len(STEPS) + 1
    assert {line.count("|") for line in table} == {table[0].count("|")}


async def test_mistakes_are_counted_and_told_and_a_trial_repeats_itself() -> None:
    chat, rules = standin(mistakes=0.9), Rules(repairs=0)
    trial, again = [await try_model(chat, rules=rules) for _ in range(2)]
    assert [each.outcome for each in trial.results] == [each.outcome for each in again.results]
    told = counted(trial)
    assert told.total.ends["fallback"] > 0 and told.total.ends["mended"] > 0
    text = markdown(trial, setup_of(chat, rules, None))
    assert text.startswith(
        "**stand-in** (standin); not constrained to a JSON schema; repairs 0, examples 0; "
    )
    assert "| **total** |" in text
    failed = [each for each in trial.results if not each.is_valid]
    assert all(each.problems and f"- `{each.moment}`: " in text for each in failed)


async def test_what_is_odd_is_counted_by_step_and_told() -> None:
    chat = standin()
    trial = await try_model(chat, steps=FEW)
    first, *rest = trial.results
    odd = replace(first, odd=("`place`: a sofa is not slept in.",), odd_kinds=("place",))
    trial = replace(trial, results=[odd, *rest])
    told = counted(trial)
    assert (told.total.shares["odd"].count, told.total.odd_kinds) == (1, {"place": 1})
    text = markdown(trial, setup_of(chat, Rules(), None))
    assert "; objected to: 1; " in text and "Odd answers, with what makes no sense" in text
    assert f"- `{first.moment}`: `place`: a sofa" in text


async def test_a_real_server_is_tried_constrained(llamacpp_url: str) -> None:
    chat, _ = open_chat(f"llamacpp:{llamacpp_url}", env={})
    try:
        trial = await try_model(chat, rules=Rules(repairs=1), steps=FEW)
    finally:
        await chat.aclose()
    setup = setup_of(chat, Rules(), None)
    assert (setup["model"], setup["quantization"]) == ("tiny.gguf", "all F32")
    assert setup["constrained"] and counted(trial).total.asked
    assert llamacpp_url not in markdown(trial, setup), "an address is nobody's business"


async def test_what_does_not_fit_the_context_is_counted_apart(ollama_server: OllamaFake) -> None:
    env = {"OLLAMA_HOST": ollama_server.url}
    chat, _ = open_chat("ollama:tiny", settings=ModelSettings(num_ctx=400), env=env)
    try:
        trial = await try_model(chat, rules=Rules(repairs=0), steps=FEW)
    finally:
        await chat.aclose()
    assert all(each.outcome is None for each in trial.results)
    told = markdown(trial, setup_of(chat, Rules(), None))
    assert "did not fit the model's context" in told
