"""What a verdict is worth: a planted fault is found, and equal templates get no verdict.

The stand-in obeys lines that begin with `Check:` and nothing else of a template, so the fault is a
rule that was removed. Another turn of a moment stands for the same moment in another run.
"""

import asyncio
import random
from dataclasses import replace

import pytest

from smolville.graphs.catalogue import STEPS
from smolville.lab.evaluation.evaluate import evaluate
from smolville.lab.evaluation.results import Evaluation, Result
from smolville.lab.evaluation.summary import Verdict, summarise
from smolville.lab.moments.finding import select_moments
from smolville.lab.moments.moment import Moment
from smolville.prompts.folder import Texts, shipped_texts
from tests.lab.evaluation.asked import question, variant

CLUMSY = "standin:mistakes=0.6"
RUNS = 8
ASKED = 60
CASES = 20


def reminded() -> Texts:
    """The shipped templates, each with one rule more: whole JSON, with every field."""
    texts = dict(shipped_texts())
    for step in STEPS:
        fields = ", ".join(f"`{name}`" for name in step.answer.model_fields)
        rule = f"Check: the JSON has {fields}, and is never cut short."
        file = f"{step.name}.jinja"
        texts[file] = texts[file].replace("{{ format }}", f"{rule}\n{{{{ format }}}}", 1)
    return texts


@pytest.fixture(scope="module")
def pool(moments: list[Moment]) -> Evaluation:
    """Thirty moments in so many runs, asked with a rule and without it."""
    with_it = variant(CLUMSY, reminded(), "with it")
    asked = question(select_moments(moments, limit=30), with_it, variant(CLUMSY), turns=RUNS)
    return asyncio.run(evaluate(asked))


def drawn(pool: Evaluation, case: int, other: int, later: int) -> Evaluation:
    """Sixty moments of the pool, with variant 0 beside another, or beside itself in later runs."""
    keys = [(id_, run) for id_ in pool.moments for run in range(RUNS)]
    chosen = random.Random(case).sample(keys, ASKED)
    known = {each.key: each for each in pool.results}

    def result(number: int, id_: str, run: int, which: int, turn: int) -> Result:
        found = known[id_, which, turn % RUNS]
        return replace(found, moment=f"{run}/{id_}", variant=number, turn=0)

    return replace(
        pool,
        moments={f"{run}/{id_}": pool.moments[id_] for id_, run in chosen},
        people={f"{run}/{id_}": f"{run}/{pool.people[id_]}" for id_, run in chosen},
        turns=1,
        results=[
            result(number, id_, run, which, turn)
            for id_, run in chosen
            for number, which, turn in ((0, 0, run), (1, other, run + later))
        ],
    )


def verdicts(pool: Evaluation, other: int, later: int) -> list[Verdict]:
    """The verdicts on first answers, over many draws."""
    found = (summarise(drawn(pool, case, other, later)) for case in range(CASES))
    return [each.comparisons[0].contrasts["first"].verdict for each in found]


def test_a_rule_that_was_removed_is_found_with_sixty_moments(pool: Evaluation) -> None:
    found = verdicts(pool, other=1, later=0)
    assert found.count("worse") >= 0.9 * CASES, found


def test_equal_templates_get_no_verdict(pool: Evaluation) -> None:
    for which in (0, 1):
        equal = replace(pool, results=[each for each in pool.results if each.variant == which])
        equal = replace(equal, results=[replace(each, variant=0) for each in equal.results])
        found = verdicts(equal, other=0, later=1)
        assert sum(each in ("better", "worse") for each in found) <= 1, found
