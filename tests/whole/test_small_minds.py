"""A real small chat model: what it says parses or is asked again, makes sense or is seen not to."""

import asyncio
from importlib.util import find_spec

import pytest

from benchmarks.weights import SMOLLM2, cache_folder
from smolville.graphs import decompose, heed_inner_voice
from smolville.graphs.loop.rules import Rules, StepRule
from smolville.graphs.sense.copying import MARKUP
from smolville.lab.trial import ModelTrial, try_model
from smolville.models.open import open_chat
from smolville.parsers.problem import SENSE_KINDS

WEIGHTS = cache_folder() / SMOLLM2.file
STEPS = (heed_inner_voice.STEP, decompose.STEP)
RULES = Rules(repairs=1, steps={"decompose": StepRule(max_tokens=400)})
"""An answer of the longer step has 200 or 300 tokens; what goes round in circles is cut."""

pytestmark = [
    pytest.mark.weights,
    pytest.mark.skipif(
        not WEIGHTS.is_file(),
        reason="the weights of SmolLM2 are not here: `make weights` brings them",
    ),
    pytest.mark.skipif(
        find_spec("xllamacpp") is None,
        reason="nothing here reads GGUF files: install smolville[gguf]",
    ),
]


@pytest.fixture(scope="module")
def trial() -> ModelTrial:
    """What SmolLM2 answers at two steps, three times each, with one repair and few words."""

    async def tried() -> ModelTrial:
        # Threads that wait for each other while other tests run keep cores busy with nothing.
        chat, _ = open_chat(f"gguf:{WEIGHTS}?threads=1", env={})
        try:
            return await try_model(chat, rules=RULES, steps=STEPS)
        finally:
            await chat.aclose()

    return asyncio.run(tried())


def test_every_moment_comes_to_an_end(trial: ModelTrial) -> None:
    assert len(trial.tried) == 6
    assert all(each.outcome is not None for each in trial.tried)
    assert any(each.outcome != "fallback" for each in trial.tried)


def test_a_fallback_says_why(trial: ModelTrial) -> None:
    for each in trial.tried:
        assert bool(each.problems) == (each.outcome == "fallback")
        assert len(each.calls) == 2 or each.outcome != "fallback"


def test_no_day_is_lost_to_sums(trial: ModelTrial) -> None:
    said = [problem for each in trial.of("decompose") for problem in each.problems]
    assert not any("add up" in problem for problem in said)


def test_no_token_of_a_chat_template_reaches_an_answer(trial: ModelTrial) -> None:
    accepted = [each for each in trial.tried if each.outcome != "fallback"]
    for each in accepted:
        assert each.calls[-1].finish == "stop"
        assert MARKUP.search(each.calls[-1].reply) is None


def test_what_is_odd_is_of_a_kind_and_no_fallback(trial: ModelTrial) -> None:
    for each in trial.tried:
        assert set(each.odd_kinds) <= set(SENSE_KINDS)
        assert each.outcome != "fallback" or each.odd == ()
