"""What a verdict is worth: a planted fault is found, and equal templates get no verdict.

The stand-in obeys lines that begin with `Check:` and nothing else of a template, so the fault is a
rule that was removed. Each seed of the stand-in errs elsewhere: it stands for a run of its own.
"""

import asyncio
import random
from collections import Counter
from dataclasses import replace

import pytest

from smolville.graphs.catalogue import STEPS
from smolville.lab.evaluation.evaluate import evaluate
from smolville.lab.evaluation.results import Evaluation, Result, VariantName
from smolville.lab.evaluation.summary import Verdict, summarise
from smolville.lab.moments.finding import select_moments
from smolville.lab.moments.moment import Moment
from smolville.prompts.folder import Texts, shipped_texts
from tests.lab.evaluation.asked import question, variant

CLUMSY = "standin:mistakes=0.6,seed={}"
RUNS = 6
ASKED = 60
CASES = 40


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
    """Twenty moments in so many runs, asked with a rule (even variants) and without it."""
    several = [
        variant(CLUMSY.format(run), texts, name)
        for run in range(RUNS)
        for name, texts in (("with it", reminded()), ("without", None))
    ]
    return asyncio.run(evaluate(question(select_moments(moments, limit=20), *several)))


def drawn(pool: Evaluation, case: int, which: tuple[int, int], later: int) -> Evaluation:
    """Sixty moments of the pool: one of the two beside one, which is that of so many runs later."""
    keys = [(id_, run) for id_ in pool.moments for run in range(RUNS)]
    chosen = random.Random(case).sample(keys, ASKED)
    known = {each.key: each for each in pool.results}

    def result(number: int, id_: str, run: int) -> Result:
        there = 2 * ((run + number * later) % RUNS) + which[number]
        return replace(known[id_, there, 0], moment=f"{run}/{id_}", variant=number)

    return replace(
        pool,
        variants=(VariantName(prompts="a", model="m"), VariantName(prompts="b", model="m")),
        moments={f"{run}/{id_}": pool.moments[id_] for id_, run in chosen},
        people={f"{run}/{id_}": f"{run}/{pool.people[id_]}" for id_, run in chosen},
        results=[result(number, id_, run) for id_, run in chosen for number in (0, 1)],
    )


def verdicts(pool: Evaluation, which: tuple[int, int], later: int = 0) -> list[Verdict]:
    """The verdicts on first answers, over many draws."""
    found = (summarise(drawn(pool, case, which, later)) for case in range(CASES))
    return [each.comparisons[0].contrasts["first"].verdict for each in found]


def test_a_rule_that_was_removed_is_found_with_sixty_moments(pool: Evaluation) -> None:
    found = verdicts(pool, (0, 1))
    assert found.count("worse") >= 0.9 * CASES, Counter(found)


def test_equal_templates_get_no_verdict(pool: Evaluation) -> None:
    """Of each run beside another; over all distances, so that no run is the better one."""
    found = [each for later in range(1, RUNS) for each in verdicts(pool, (1, 1), later)]
    assert found.count("better") + found.count("worse") <= len(found) / 20, Counter(found)
    assert "untold" in found
