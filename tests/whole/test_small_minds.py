"""A real small chat model: what it says parses or is asked again, makes sense or is seen not to."""

import asyncio
from importlib.util import find_spec

import pytest

from benchmarks.weights import SMOLLM2, cache_folder
from smolville.graphs import heed_inner_voice
from smolville.graphs.loop.rules import Rules
from smolville.graphs.sense import MARKUP
from smolville.lab.evaluation.results import Evaluation
from smolville.lab.trial import try_model
from smolville.models.open import open_chat
from smolville.parsers.problem import SENSE_KINDS

WEIGHTS = cache_folder() / SMOLLM2.file
STEPS = (heed_inner_voice.STEP,)

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
def trial() -> Evaluation:
    """What SmolLM2 answers at one step, twice, with one repair."""

    async def tried() -> Evaluation:
        # Threads that wait for each other while other tests run keep cores busy with nothing.
        chat, _ = open_chat(f"gguf:{WEIGHTS}?threads=1", env={})
        try:
            return await try_model(chat, rules=Rules(repairs=1), steps=STEPS)
        finally:
            await chat.aclose()

    return asyncio.run(tried())


def test_what_it_says_is_accepted_or_falls_back_with_its_reasons(trial: Evaluation) -> None:
    assert len(trial.results) == 2
    assert any(each.outcome != "fallback" for each in trial.results)
    for each in trial.results:
        if each.outcome == "fallback":
            assert each.problems and each.attempts == 2 and each.odd == ()
        else:
            assert each.outcome is not None and MARKUP.search(str(each.answer)) is None
        assert set(each.odd_kinds) <= set(SENSE_KINDS)
