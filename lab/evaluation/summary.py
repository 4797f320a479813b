"""Summary of an evaluation: counts by variant and step, and the comparisons of the variants."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean, median
from typing import Literal

from smolville.agents.errors import SettingError
from smolville.agents.wording import format_count, percent
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.graphs.sense.words import words_of
from smolville.lab.evaluation.agreement import agreement, free_texts
from smolville.lab.evaluation.results import Evaluation, Result, VariantName
from smolville.lab.evaluation.statistics import (
    CONFIDENCE,
    LEVEL,
    Share,
    format_p,
    holm,
    share_of,
    sign_flip,
)

UNASKED = "unasked"
"""Outcome of a moment whose prompt does not fit the model's context."""
ENDS: tuple[str, ...] = (*OUTCOMES, UNASKED)
"""All possible outcomes of a moment; their counts add up to the questions asked."""
MEASURES: Mapping[str, Callable[[Result], bool]] = {
    "objected": lambda result: result.is_objected_to,
    "odd": lambda result: result.is_valid and result.is_objected_to,
    "clean": lambda result: result.outcome == "clean",
    "first": lambda result: result.is_first_valid,
    "valid": lambda result: result.is_valid,
    "fallback": lambda result: result.outcome == "fallback",
}
"""Shares of the questions asked. A prompt that does not fit the context has no valid answer."""
LIMITS: Mapping[str, str] = {
    "objected": "answers were objected to",
    "clean": "first answers were clean",
    "first": "first answers were valid",
    "valid": "answers were valid after repairs",
    "fallback": "questions ended without a model's answer",
}
"""Shares for which a minimum can be required of every variant, or a maximum (`MAXIMUMS`)."""
MAXIMUMS = ("objected", "fallback")
COMPARED = ("objected", "first", "valid")
"""Measures by which variants are compared, the most important first."""
BAD = ("objected",)
"""Of these, the ones of which less is better."""

Verdict = Literal["better", "worse", "same", "untold"]
"""`same` if no moment differs; `untold` if the difference may be due to chance."""


@dataclass(frozen=True, kw_only=True)
class VariantCounts:
    """The counts of one variant, for all moments or those of one step."""

    asked: int
    """Questions asked: moments times turns, minus the missing ones."""
    missing: int
    """Questions without a result because the evaluation was interrupted."""
    ends: Mapping[str, int]
    """Number of questions by outcome, in the order of `ENDS`."""
    shares: Mapping[str, Share]
    """The share of each of `MEASURES`; `again` of answers said again to another moment."""
    prompt_tokens: float | None
    """Mean number per question, over all its calls; None if the server does not count."""
    completion_tokens: float | None
    milliseconds: float | None
    """Median time per question, over all its calls."""
    agreement: float | None
    """Mean share of decisions that equal those of the stored answer."""
    words: float | None
    """Mean number of words in an answer's free texts; None if no answer has any."""
    kinds: Mapping[str, int]
    """Problems of first answers by kind, most frequent first."""
    odd_kinds: Mapping[str, int]
    """Oddities of accepted answers by kind, most frequent first."""

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        shares = {name: each.plain() for name, each in self.shares.items()}
        rest = {
            name: round(value, 4) if isinstance(value, float) else value
            for name, value in vars(self).items()
            if name not in ("ends", "shares", "kinds")
        }
        return {**rest, **shares, "outcomes": dict(self.ends), "problems": dict(self.kinds)}


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """A paired difference of one measure between two variants."""

    pairs: int
    """Number of questions (moment and turn) that were asked with both variants."""
    points: float
    """Lead of the variant over the other variant, in percentage points."""
    better: int
    """Number of moments for which the variant is better than the other, over all turns."""
    worse: int
    p: float
    """p-value of the exact sign-flip test."""
    adjusted: float
    """The same p-value, adjusted for all variants compared (Holm)."""

    @property
    def verdict(self) -> Verdict:
        """The verdict on the difference."""
        if not self.better and not self.worse:
            return "same"
        if self.adjusted >= LEVEL:
            return "untold"
        return "better" if self.points > 0 else "worse"

    @property
    def verdict_text(self) -> str:
        """The verdict in plain words."""
        sign = "−" if self.points < 0 else "+" if self.points > 0 else ""
        points = f"{abs(self.points):.1f} points"
        match self.verdict:
            case "same":
                return "no difference at all" if self.pairs else "nothing to compare"
            case "untold":
                told = f"{sign}{points}, {format_p(self.adjusted)}"
                return f"no difference that could be told apart from chance ({told})"
            case verdict:
                return f"{verdict} by {points} ({format_p(self.adjusted)})"


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Comparison of one variant with another."""

    variant: int
    """Index among the evaluation's variants."""
    against: int
    """Index of the variant it is compared with."""
    contrasts: Mapping[str, Contrast]
    """The difference in each measure of `COMPARED`; better is fewer objections."""

    @property
    def verdict_text(self) -> str:
        """The verdict in one sentence, without the names."""
        objected, first, valid = (self.contrasts[name].verdict_text for name in COMPARED)
        return f"Objected to: {objected}; valid at once: {first}; after repairs: {valid}."

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return {
            "variant": self.variant,
            "against": self.against,
            **{
                name: {**asdict(each), "verdict": each.verdict}
                for name, each in self.contrasts.items()
            },
            "sentence": self.verdict_text,
        }


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
            **asdict(self.name),
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

    @property
    def missing(self) -> int:
        """Questions without a result because the evaluation was interrupted."""
        return sum(variant.total.missing for variant in self.variants)

    @property
    def asked(self) -> str:
        """The question of the evaluation, in one sentence."""
        times = "once" if self.turns == 1 else f"{self.turns} times"
        each = f" with each of {len(self.variants)} variants" if len(self.variants) > 1 else ""
        repairs = (
            f"at most {format_count(self.repairs, 'repair')}" if self.repairs else "no repairs"
        )
        return f"{format_count(self.moments, 'moment')}, each asked {times}{each}; {repairs}."

    @property
    def verdicts(self) -> tuple[str, ...]:
        """A sentence for each comparison, with the numbers of the variants."""
        return tuple(
            f"{each.variant + 1} beside {each.against + 1}. {each.verdict_text}"
            for each in self.comparisons
        )

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
        }


def summarise(evaluation: Evaluation) -> Summary:
    """Return an evaluation's counts, intervals and comparisons."""
    results = results_by_variant(evaluation)
    return Summary(
        variants=tuple(
            _variant(evaluation, name, found)
            for name, found in zip(evaluation.variants, results, strict=True)
        ),
        comparisons=compare(results, [name.model for name in evaluation.variants]),
        moments=len(evaluation.moments),
        turns=evaluation.turns,
        repairs=evaluation.repairs,
        seconds=evaluation.seconds,
    )


def results_by_variant(evaluation: Evaluation) -> list[list[Result]]:
    """Return each variant's results in the order of moments and turns."""
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


def compare(results: Sequence[Sequence[Result]], models: Sequence[str]) -> tuple[Comparison, ...]:
    """Return the comparison of every variant except the first; `results` are given by variant.

    To compare templates, a variant is compared with the first variant that has the same model. To
    compare models, the first variant of each model is compared with the very first variant.
    """
    against = {
        each: same if (same := models.index(models[each])) < each else 0
        for each in range(1, len(results))
    }
    contrasts = {name: _contrasts(results, against, name) for name in COMPARED}
    return tuple(
        Comparison(
            variant=each,
            against=other,
            contrasts={name: contrasts[name][each] for name in COMPARED},
        )
        for each, other in against.items()
    )


def _contrasts(
    results: Sequence[Sequence[Result]], against: Mapping[int, int], measure: str
) -> dict[int, Contrast]:
    """Return the paired differences of a measure, adjusted for the number of comparisons."""
    found = {
        each: _contrast(results[other], results[each], measure) for each, other in against.items()
    }
    held = holm({each: contrast.p for each, contrast in found.items()})
    return {each: replace(contrast, adjusted=held[each]) for each, contrast in found.items()}


def _contrast(base: Sequence[Result], other: Sequence[Result], measure: str) -> Contrast:
    """Return the paired difference over the questions asked with both variants."""
    is_counted, sign = MEASURES[measure], -1 if measure in BAD else 1
    known = {(result.moment, result.turn): result for result in base}
    gains: dict[str, list[int]] = defaultdict(list)
    for result in other:
        paired = known.get((result.moment, result.turn))
        if paired is not None:
            gains[result.moment].append(sign * (is_counted(result) - is_counted(paired)))
    differences = [sum(each) for each in gains.values()]
    pairs = sum(map(len, gains.values()))
    p = sign_flip(differences)
    return Contrast(
        pairs=pairs,
        points=round(100 * sum(differences) / pairs, 2) if pairs else 0.0,
        better=sum(each > 0 for each in differences),
        worse=sum(each < 0 for each in differences),
        p=p,
        adjusted=p,
    )


def misses(summary: Summary, limits: Mapping[str, float]) -> list[str]:
    """Return a sentence for each minimum that a variant misses, and each maximum that it exceeds.

    The keys of `limits` are names in `LIMITS`, the values shares from 0 to 1. Prompts that did not
    fit the context count as objected to, as not valid, and as fallbacks. Raises SettingError for an
    unknown name.
    """
    unknown = [name for name in limits if name not in LIMITS]
    if unknown:
        raise SettingError(f"{unknown[0]!r} is no minimum; there are {', '.join(LIMITS)}.")
    return [
        sentence
        for variant in summary.variants
        for name, asked in limits.items()
        for sentence in _describe_miss(variant, name, asked)
    ]


def _describe_miss(variant: VariantSummary, name: str, asked: float) -> list[str]:
    line, label = variant.total, variant.name.label
    if not line.asked:
        return [f"{label}: nothing was asked, so {name} cannot be told."]
    count = line.shares[name].count + (line.ends[UNASKED] if name == "fallback" else 0)
    is_maximum = name in MAXIMUMS
    if count / line.asked <= asked if is_maximum else count / line.asked >= asked:
        return []
    return [
        f"{label}: {count} of {line.asked} {LIMITS[name]} ({percent(count, line.asked)}); "
        f"{'at most' if is_maximum else 'at least'} {100 * asked:g} % were asked for."
    ]


def mean_known(values: Iterable[float | None]) -> float | None:
    """Return the mean of the known values, or None."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _variant(evaluation: Evaluation, name: VariantName, results: list[Result]) -> VariantSummary:
    """Return one variant's counts."""
    steps: dict[str, list[str]] = {}
    for moment in evaluation.moments:
        steps.setdefault(moment.step, []).append(moment.id)
    return VariantSummary(
        name=name,
        total=_count(evaluation, results, [each.id for each in evaluation.moments]),
        steps={step: _count(evaluation, results, ids) for step, ids in steps.items()},
    )


def _count(evaluation: Evaluation, results: Sequence[Result], ids: list[str]) -> VariantCounts:
    """Return the counts of the results for these moments."""
    stored = {moment.id: moment for moment in evaluation.moments}
    turns_of: dict[str, list[Result]] = {id_: [] for id_ in ids}
    for each in results:
        turns_of.get(each.moment, []).append(each)
    by_moment = [*turns_of.values()]
    found = [each for turns in by_moment for each in turns]
    ends = Counter(result.outcome or UNASKED for result in found)
    asked = [result for result in found if result.outcome is not None]
    said = {
        (each.moment, each.turn): " ".join(
            word for text in free_texts(stored[each.moment], each) for word in words_of(text)
        )
        for each in found
    }
    moments = Counter(text for text, _ in {(text, key[0]) for key, text in said.items() if text})
    shares = {
        name: share_of([[is_counted(each) for each in turns] for turns in by_moment])
        for name, is_counted in MEASURES.items()
    }
    again = [[moments[said[each.moment, each.turn]] > 1 for each in turns] for turns in by_moment]
    return VariantCounts(
        asked=len(found),
        missing=len(ids) * evaluation.turns - len(found),
        ends={end: ends[end] for end in ENDS},
        shares=shares | {"again": share_of(again)},
        prompt_tokens=mean_known(result.prompt_tokens for result in asked),
        completion_tokens=mean_known(result.completion_tokens for result in asked),
        milliseconds=median(result.milliseconds for result in asked) if asked else None,
        agreement=mean_known(agreement(stored[each.moment], each) for each in found),
        words=mean_known(len(text.split()) for text in said.values() if text),
        kinds=_most_frequent(kind for result in found for kind in result.kinds),
        odd_kinds=_most_frequent(kind for result in found for kind in result.odd_kinds),
    )


def _most_frequent(kinds: Iterable[str]) -> dict[str, int]:
    """Return the number of occurrences of each kind, most frequent first."""
    return dict(sorted(Counter(kinds).items(), key=lambda item: (-item[1], item[0])))
