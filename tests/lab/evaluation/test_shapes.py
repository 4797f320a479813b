"""What a variant is asked: whole answers, or choices that code prepares."""

import asyncio
from dataclasses import replace

import pytest

from agents.errors import RunError
from lab.evaluation.asking import ready
from lab.evaluation.evaluate import evaluate
from lab.evaluation.spec import asked_of, template_sets, variants_of
from lab.evaluation.summary import summarise
from lab.moments.moment import Moment
from tests.lab.evaluation.asked import question, variant


def test_whole_and_narrow_questions_are_compared_on_the_same_moments(
    moments: list[Moment],
) -> None:
    chat = variant("standin").chat
    sets = template_sets(())
    both = variants_of(sets, [chat], lambda chat: ("full", "narrow"))
    assert [each.name.label for each in both] == [
        "shipped · standin",
        "shipped · standin · narrow",
    ]
    few = [each for each in moments if each.step in ("react", "decompose", "rate_importance")]
    left_out: list[str] = []
    asked = replace(question(few, *both), moments=asked_of(map(ready, few), both, left_out.extend))
    assert left_out == ["rate_importance"]
    found = asyncio.run(evaluate(asked))
    tokens = {
        which: sum(each.prompt_tokens or 0 for each in found.results if each.variant == which)
        for which in (0, 1)
    }
    assert 0 < tokens[1] < tokens[0]
    assert {each.moment for each in found.results if each.variant == 1} == {
        each.id for each in few if each.step != "rate_importance"
    }
    (compared,) = summarise(found).comparisons
    assert (compared.variant, compared.against) == (1, 0)
    ratings = [each for each in few if each.step == "rate_importance"]
    with pytest.raises(RunError, match="Nothing is left to ask"):
        asked_of(map(ready, ratings), both, left_out.extend)
