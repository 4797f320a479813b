"""An evaluation summed up: a line per variant and step, and what may be said of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.errors import SettingError
from lab.evaluation.agreement import agreement
from lab.evaluation.comparison import Comparison, comparisons
from lab.evaluation.line import UNASKED, Line, Told, line_of
from lab.evaluation.results import Evaluation, Result, VariantName
from lab.evaluation.sense_tally import SenseTally
from lab.evaluation.statistics import CONFIDENCE
from lab.evaluation.wording import said
from world.telling.shares import many, percent

MINIMUMS: Mapping[str, str] = {
    "sensible": "answers were sensible",
    "clean": "first answers were clean",
    "first": "first answers were valid",
    "valid": "answers were valid after repairs",
    "fallback": "questions ended without a model's answer",
}
"""What may be asked of every variant: at least such a share; of `fallback` at most."""


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One variant: all its moments, and those of each step."""

    name: VariantName
    total: Line
    steps: Mapping[str, Line]
    """In the order in which the steps first occur."""

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
    """What an evaluation came to."""

    variants: tuple[Variant, ...]
    comparisons: tuple[Comparison, ...]
    """Every variant but the first beside another one."""
    moments: int
    turns: int
    repairs: int
    seconds: float
    tallies: tuple[SenseTally, ...] = ()
    """How the checks agree with the labels of the folders that have any."""

    @property
    def missing(self) -> int:
        """Questions without a result: the evaluation was interrupted."""
        return sum(variant.total.missing for variant in self.variants)

    @property
    def verdicts(self) -> tuple[str, ...]:
        """A sentence for each other variant."""
        names = [variant.name.label for variant in self.variants]
        return tuple(
            f"{names[each.variant]}, beside {names[each.against]}. {each.told}"
            for each in self.comparisons
        )

    @property
    def asked(self) -> str:
        """What was asked, in one sentence."""
        times = "once" if self.turns == 1 else f"{self.turns} times"
        each = f" with each of {len(self.variants)} variants" if len(self.variants) > 1 else ""
        repairs = f"at most {many(self.repairs, 'repair')}" if self.repairs else "no repairs"
        return f"{many(self.moments, 'moment')}, each asked {times}{each}; {repairs}."

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
    """Return an evaluation's counts, intervals and comparisons, with what labels say of checks."""
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

    Where a question was answered twice, as may be after an interruption, the later one counts.
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
    """Return a sentence for each minimum that a variant misses; `fallback` is a maximum.

    Names are those of `MINIMUMS`, shares 0 to 1. What did not fit the context counts as neither
    sensible nor valid, and with the fallbacks. SettingError for another name.
    """
    unknown = [name for name in minimums if name not in MINIMUMS]
    if unknown:
        allowed = ", ".join(MINIMUMS)
        raise SettingError(f"{unknown[0]!r} is no minimum; there are {allowed}.")
    return [
        sentence
        for variant in summary.variants
        for name, asked in minimums.items()
        for sentence in _missed(variant, name, asked)
    ]


def _missed(variant: Variant, name: str, asked: float) -> list[str]:
    """Return the sentence, if there is one."""
    line, label = variant.total, variant.name.label
    count = {
        "sensible": line.sensible.count,
        "clean": line.clean.count,
        "first": line.first.count,
        "valid": line.valid.count,
        "fallback": line.fallback.count + line.ends[UNASKED],
    }[name]
    if not line.asked:
        return [f"{label}: nothing was asked, so {name} cannot be told."]
    share = count / line.asked
    if share <= asked if name == "fallback" else share >= asked:
        return []
    bound = "at most" if name == "fallback" else "at least"
    return [
        f"{label}: {count} of {line.asked} {MINIMUMS[name]} ({percent(count, line.asked)}); "
        f"{bound} {100 * asked:g} % were asked for."
    ]


def _variant(evaluation: Evaluation, name: VariantName, results: list[Result]) -> Variant:
    """Return one variant's lines."""
    stored = {moment.id: moment for moment in evaluation.moments}
    told = [
        Told(each, agreement(stored[each.moment], each), said(stored[each.moment], each))
        for each in results
    ]
    steps = list(dict.fromkeys(moment.step for moment in evaluation.moments))
    sizes = {step: sum(each.step == step for each in evaluation.moments) for step in steps}
    return Variant(
        name=name,
        total=line_of(told, len(evaluation.moments) * evaluation.turns),
        steps={
            step: line_of(
                [each for each in told if stored[each.result.moment].step == step],
                sizes[step] * evaluation.turns,
            )
            for step in steps
        },
    )
