"""Past evaluations: put together where they asked the same, and the best set among them."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from smolville.agents.errors import RunError
from smolville.lab.evaluation.past import PastEvaluation, best_sets, compare_two
from smolville.lab.evaluation.results import Evaluation, Result, VariantName
from smolville.lab.evaluation.scores import STORED
from smolville.lab.prompting.sets import NamedSet

PEOPLE = range(12)
SHIPPED, MINE, LATER, WORST = (
    NamedSet(name=name, texts={"say.jinja": name}) for name in ("shipped", "mine", "later", "worst")
)
GOOD: dict[str, Callable[[int], bool]] = {
    "shipped": lambda person: person < 3,
    "mine": lambda person: person < 11,
    "later": lambda person: True,
    "worst": lambda person: False,
}
"""Of whom the first answer is valid, with each set."""


def past(
    *sets: NamedSet, model: str = "standin", asked: str = "1", repairs: int = 3
) -> PastEvaluation:
    """An evaluation of one line of each person."""
    ids = [f"town/{person:08x}" for person in PEOPLE]
    results = [
        Result(
            moment=ids[person],
            variant=variant,
            turn=0,
            outcome="clean" if GOOD[own.name](person) else "repaired",
        )
        for variant, own in enumerate(sets)
        for person in PEOPLE
    ]
    return PastEvaluation(
        path=Path("1.jsonl"),
        when=datetime.now(UTC),
        sources=("town",),
        evaluation=Evaluation(
            variants=tuple(VariantName(prompts=own.name, model=model) for own in sets),
            moments=dict.fromkeys(ids, "say"),
            people={id_: id_ for id_ in ids},
            turns=1,
            results=results,
            repairs=repairs,
        ),
        sets=sets,
        questions=dict.fromkeys(ids, asked),
        settings={"repairs": repairs},
    )


def test_a_later_edit_is_compared_with_an_earlier_one() -> None:
    both, summary = compare_two(past(SHIPPED, MINE), past(SHIPPED, LATER))
    assert [each.prompts for each in both.variants] == ["mine", "later", "shipped"]
    assert len(both.results) == 3 * len(PEOPLE)
    later, shipped = summary.comparisons
    assert later.contrasts["first"].points == pytest.approx(100 / 12, abs=0.01)
    assert shipped.contrasts["first"].verdict == "worse"


def test_edits_of_one_folder_are_told_apart() -> None:
    edited = NamedSet(name="mine", texts={"say.jinja": "again"})
    both, _ = compare_two(past(SHIPPED, MINE), past(SHIPPED, edited))
    assert [each.prompts for each in both.variants] == [
        f"mine {MINE.version}",
        f"mine {edited.version}",
        "shipped",
    ]


def test_a_run_lived_again_under_its_name_asks_other_questions() -> None:
    with pytest.raises(RunError, match="have no moment in common"):
        compare_two(past(SHIPPED, MINE), past(SHIPPED, LATER, asked="2"))


def test_the_best_set_leads_over_the_shipped_one_in_all_evaluations() -> None:
    pasts = [past(WORST, MINE), past(SHIPPED, WORST), past(SHIPPED, LATER)]
    (best,) = best_sets("say", pasts, SHIPPED.version)
    assert best.found is LATER and best.base is SHIPPED
    assert (best.tried, best.measure) == (3, "first")
    with pytest.raises(RunError, match="No evaluation has asked moments of the step 'react'"):
        best_sets("react", pasts, SHIPPED.version)


def test_nothing_is_best_within_chance_and_other_settings_do_not_count() -> None:
    pasts = [past(SHIPPED, WORST), past(SHIPPED, MINE, repairs=0)]
    (best,) = best_sets("say", pasts, SHIPPED.version)
    assert best.found is None and best.tried == 1


def test_a_score_of_ones_own_decides_before_the_measures() -> None:
    scored = past(SHIPPED, WORST, MINE)
    gossip = {each.key: float(each.variant == 1) for each in scored.evaluation.results}
    stored = {(id_, STORED, 0): 0.5 for id_ in scored.evaluation.moments}
    scored = replace(scored, scores={"gossip": gossip | stored})
    assert scored.summary.scores["gossip"]["as it was"].share == 0.5
    (best,) = best_sets("say", [scored], SHIPPED.version)
    assert (best.found, best.measure) == (WORST, "gossip")
    (best,) = best_sets("say", [scored], MINE.version)
    assert best.found is None, "what gossips more, but is valid less often than mine"


def test_each_model_has_its_best_set() -> None:
    pasts = [past(SHIPPED, MINE), past(SHIPPED, WORST, model="other")]
    assert [(each.model, each.found) for each in best_sets("say", pasts, SHIPPED.version)] == [
        ("standin", MINE),
        ("other", None),
    ]
