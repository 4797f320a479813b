"""Summary of an evaluation: counts by variant and step, and the comparisons of the variants."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from smolville.agents.errors import SettingError
from smolville.agents.wording import format_count, percent
from smolville.lab.evaluation.agreement import agreement
from smolville.lab.evaluation.comparison import Comparison, comparisons
from smolville.lab.evaluation.counts import (
    UNASKED,
    ComparedResult,
    VariantCounts,
    collect_free_texts,
    line_of,
)
from smolville.lab.evaluation.results import Evaluation, Result, VariantName
from smolville.lab.evaluation.sense_tally import SenseTally
from smolville.lab.evaluation.statistics import CONFIDENCE

MINIMUMS: Mapping[str, str] = {
    "objected": "answers were objected to",
    "clean": "first answers were clean",
    "first": "first answers were valid",
    "valid": "answers were valid after repairs",
    "fallback": "questions ended without a model's answer",
}
"""Shares for which a minimum can be required of every variant, or a maximum (`MAXIMUMS`)."""
MAXIMUMS = ("objected", "fallback")


@dataclass(frozen=True, kw_only=True)
class VariantSummary:
    """One variant's counts: for all its moments, and by step."""

    name: VariantName
    total: VariantCounts
    steps: Mapping[str, VariantCounts]
    """Counts by step, in the order in which the steps first occur."""

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return {
            "prompts": self.name.prompts,
            "model": self.name.model,
            **self.total.plain(),
            "steps": {step: line.plain() for step, line in self.steps.items()},
        }


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Summary of an evaluation."""

    variants: tuple[VariantSummary, ...]
    comparisons: tuple[Comparison, ...]
    """A comparison with another variant for every variant except the first."""
    moments: int
    turns: int
    repairs: int
    seconds: float
    tallies: tuple[SenseTally, ...] = ()
    """Agreement of the sense checks with the labels, for each folder that has labels."""

    @property
    def missing(self) -> int:
        """Questions without a result because the evaluation was interrupted."""
        return sum(variant.total.missing for variant in self.variants)

    @property
    def verdicts(self) -> tuple[str, ...]:
        """A sentence for each variant except the first: how it compares with the first."""
        names = [variant.name.label for variant in self.variants]
        return tuple(
            f"{names[each.variant]}, beside {names[each.against]}. {each.verdict_text}"
            for each in self.comparisons
        )

    @property
    def asked(self) -> str:
        """The question of the evaluation, in one sentence."""
        times = "once" if self.turns == 1 else f"{self.turns} times"
        each = f" with each of {len(self.variants)} variants" if len(self.variants) > 1 else ""
        repairs = (
            f"at most {format_count(self.repairs, 'repair')}" if self.repairs else "no repairs"
        )
        return f"{format_count(self.moments, 'moment')}, each asked {times}{each}; {repairs}."

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return {
            "moments": self.moments,
            "turns": self.turns,
            "repairs": self.repairs,
            "seconds": round(self.seconds, 1),
            "missing": self.missing,
            "confidence": CONFIDENCE,
            "variants": [variant.plain() for variant in self.variants],
            "comparisons": [each.plain() for each in self.comparisons],
            "labels": [each.plain() for each in self.tallies],
        }


def summarise(evaluation: Evaluation, tallies: Sequence[SenseTally] = ()) -> Summary:
    """Return an evaluation's counts, intervals and comparisons, together with the tallies."""
    results = results_by_variant(evaluation)
    return Summary(
        variants=tuple(
            _variant(evaluation, name, found)
            for name, found in zip(evaluation.variants, results, strict=True)
        ),
        comparisons=comparisons(results, [name.model for name in evaluation.variants]),
        moments=len(evaluation.moments),
        turns=evaluation.turns,
        repairs=evaluation.repairs,
        seconds=evaluation.seconds,
        tallies=tuple(tallies),
    )


def results_by_variant(evaluation: Evaluation) -> list[list[Result]]:
    """Return each variant's results in the order of moments and turns.

    When a question was answered twice, which can happen after an interruption, the later answer
    counts.
    """
    found = {(each.variant, each.moment, each.turn): each for each in evaluation.results}
    return [
        [
            found[variant, moment.id, turn]
            for moment in evaluation.moments
            for turn in range(evaluation.turns)
            if (variant, moment.id, turn) in found
        ]
        for variant in range(len(evaluation.variants))
    ]


def misses(summary: Summary, minimums: Mapping[str, float]) -> list[str]:
    """Return a sentence for each minimum that a variant misses, and each maximum that it exceeds.

    The keys of `minimums` are names in `MINIMUMS`, the values shares from 0 to 1. Prompts that did
    not fit the context count as objected to, as not valid, and as fallbacks. Raises SettingError
    for an unknown name.
    """
    unknown = [name for name in minimums if name not in MINIMUMS]
    if unknown:
        allowed = ", ".join(MINIMUMS)
        raise SettingError(f"{unknown[0]!r} is no minimum; there are {allowed}.")
    return [
        sentence
        for variant in summary.variants
        for name, asked in minimums.items()
        for sentence in _describe_missed_minimum(variant, name, asked)
    ]


def _describe_missed_minimum(variant: VariantSummary, name: str, asked: float) -> list[str]:
    """Return the sentence about a missed minimum, if it was missed."""
    line, label = variant.total, variant.name.label
    count = {
        "objected": line.objected.count,
        "clean": line.clean.count,
        "first": line.first.count,
        "valid": line.valid.count,
        "fallback": line.fallback.count + line.ends[UNASKED],
    }[name]
    if not line.asked:
        return [f"{label}: nothing was asked, so {name} cannot be told."]
    share = count / line.asked
    if share <= asked if name in MAXIMUMS else share >= asked:
        return []
    bound = "at most" if name in MAXIMUMS else "at least"
    return [
        f"{label}: {count} of {line.asked} {MINIMUMS[name]} ({percent(count, line.asked)}); "
        f"{bound} {100 * asked:g} % were asked for."
    ]


def _variant(evaluation: Evaluation, name: VariantName, results: list[Result]) -> VariantSummary:
    """Return one variant's counts."""
    stored = {moment.id: moment for moment in evaluation.moments}
    compared = [
        ComparedResult(
            each,
            agreement(stored[each.moment], each),
            collect_free_texts(stored[each.moment], each),
        )
        for each in results
    ]
    steps = list(dict.fromkeys(moment.step for moment in evaluation.moments))
    sizes = {step: sum(each.step == step for each in evaluation.moments) for step in steps}
    return VariantSummary(
        name=name,
        total=line_of(compared, len(evaluation.moments) * evaluation.turns),
        steps={
            step: line_of(
                [each for each in compared if stored[each.result.moment].step == step],
                sizes[step] * evaluation.turns,
            )
            for step in steps
        },
    )
