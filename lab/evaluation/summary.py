"""Summary of an evaluation: counts by variant and step, the comparisons, and how both are shown."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean, median
from typing import TYPE_CHECKING, Literal

from smolville.agents.wording import format_count, thousands
from smolville.graphs.loop.ledger import OUTCOMES
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

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from smolville.lab.styled import Text

UNASKED = "unasked"
"""Outcome of a moment whose prompt does not fit the model's context."""
ENDS: tuple[str, ...] = (*OUTCOMES, UNASKED)
"""All possible outcomes of a moment; their counts add up to the questions asked."""
MEASURES: Mapping[str, Callable[[Result], bool]] = {
    "objected": lambda result: result.is_objected_to,
    "odd": lambda result: result.is_valid and result.is_objected_to,
    "first": lambda result: result.is_first_valid,
    "valid": lambda result: result.is_valid,
    "fallback": lambda result: result.outcome == "fallback",
}
"""Shares of the questions asked. A prompt that does not fit the context has no valid answer."""
COMPARED = ("objected", "first", "valid")
"""Measures by which variants are compared, the most important first."""
NONE = "·"
"""Shown for a value that is unknown or did not occur."""
MOST_BESIDE = 8
"""Maximum number of variants side by side on a narrow screen."""

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
    """The share of each of `MEASURES`."""
    prompt_tokens: float | None
    """Mean number per question, over all its calls; None if the server does not count."""
    completion_tokens: float | None
    milliseconds: float | None
    """Median time per question, over all its calls."""
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
        points, p = f"{abs(self.points):.1f} points", format_p(self.adjusted)
        if self.verdict == "same":
            return "no difference at all" if self.pairs else "nothing to compare"
        if self.verdict == "untold":
            sign = "−" if self.points < 0 else "+" if self.points > 0 else ""
            return f"no difference that could be told apart from chance ({sign}{points}, {p})"
        return f"{self.verdict} by {points} ({p})"


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
        told = {
            name: {**asdict(each), "verdict": each.verdict} for name, each in self.contrasts.items()
        }
        both = {"variant": self.variant, "against": self.against}
        return {**both, **told, "sentence": self.verdict_text}


@dataclass(frozen=True, kw_only=True)
class VariantSummary:
    """One variant's counts: for all its moments, and by step."""

    name: VariantName
    total: VariantCounts
    steps: Mapping[str, VariantCounts]
    """Counts by step, in the order in which the steps first occur."""


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Summary of an evaluation, as text for people or as plain data."""

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

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return {
            "moments": self.moments,
            "turns": self.turns,
            "repairs": self.repairs,
            "seconds": round(self.seconds, 1),
            "missing": self.missing,
            "confidence": CONFIDENCE,
            "variants": [
                {
                    **asdict(each.name),
                    **each.total.plain(),
                    "steps": {step: line.plain() for step, line in each.steps.items()},
                }
                for each in self.variants
            ],
            "comparisons": [each.plain() for each in self.comparisons],
        }

    def render(self) -> "RenderableType":
        """Return the page, designed for 80 columns."""
        from rich.console import Group

        from smolville.lab.styled import Text

        times = "once" if self.turns == 1 else f"{self.turns} times"
        which = f" with each of {len(self.variants)} variants" if len(self.variants) > 1 else ""
        most = format_count(self.repairs, "repair")
        repairs = f"at most {most}" if self.repairs else "no repairs"
        asked = f"{format_count(self.moments, 'moment')}, each asked {times}{which}; {repairs}."
        parts: list[RenderableType] = [Text(asked, style="bold"), _variants(self.variants)]
        if len(self.variants[0].steps) > 1 and len(self.variants) <= MOST_BESIDE:
            parts.append(_steps(self.variants))
        parts += [
            Text(f"{each.variant + 1} beside {each.against + 1}. {each.verdict_text}")
            for each in self.comparisons
        ]
        return Group(*parts, *_format_footer(self))


def summarise(evaluation: Evaluation) -> Summary:
    """Return an evaluation's counts, intervals and comparisons."""
    results = evaluation.by_variant()
    by_step: dict[str, list[str]] = {}
    for id_, step in evaluation.moments.items():
        by_step.setdefault(step, []).append(id_)
    return Summary(
        variants=tuple(
            VariantSummary(
                name=name,
                total=_count(found, list(evaluation.moments), evaluation.turns),
                steps={step: _count(found, ids, evaluation.turns) for step, ids in by_step.items()},
            )
            for name, found in zip(evaluation.variants, results, strict=True)
        ),
        comparisons=compare(results, [name.model for name in evaluation.variants]),
        moments=len(evaluation.moments),
        turns=evaluation.turns,
        repairs=evaluation.repairs,
        seconds=evaluation.seconds,
    )


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
    is_counted, sign = MEASURES[measure], -1 if measure == "objected" else 1
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


def mean_known(values: Iterable[float | None]) -> float | None:
    """Return the mean of the known values, or None."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _count(results: Sequence[Result], ids: Sequence[str], turns: int) -> VariantCounts:
    by_moment: dict[str, list[Result]] = {id_: [] for id_ in ids}
    for each in results:
        by_moment.get(each.moment, []).append(each)
    found = [each for answers in by_moment.values() for each in answers]
    ends = Counter(result.outcome or UNASKED for result in found)
    asked = [result for result in found if result.outcome is not None]
    return VariantCounts(
        asked=len(found),
        missing=len(ids) * turns - len(found),
        ends={end: ends[end] for end in ENDS},
        shares={
            name: share_of([[*map(is_counted, answers)] for answers in by_moment.values()])
            for name, is_counted in MEASURES.items()
        },
        prompt_tokens=mean_known(result.prompt_tokens for result in asked),
        completion_tokens=mean_known(result.completion_tokens for result in asked),
        milliseconds=median(result.milliseconds for result in asked) if asked else None,
        kinds=dict(Counter(kind for result in found for kind in result.kinds).most_common()),
        odd_kinds=dict(Counter(kind for each in found for kind in each.odd_kinds).most_common()),
    )


def format_seconds(milliseconds: float | None) -> str:
    """Return a duration as text: `840 ms`, `2.4 s`."""
    if milliseconds is None:
        return NONE
    if milliseconds < 1000:
        return f"{milliseconds:.0f} ms"
    return f"{milliseconds / 1000:.{1 if milliseconds < 100_000 else 0}f} s"


def format_tokens(number: float | None) -> str:
    """Return a mean number of tokens in short form."""
    return NONE if number is None else thousands(round(number))


def share_cell(share: Share) -> "Text":
    """Return a share with its interval below."""
    return _two(share.percentage or NONE, share.bounds)


def _two(above: str, below: str) -> "Text":
    from smolville.lab.styled import Text

    return Text.assemble(above, "\n", (below, "dim"))


def _variants(variants: Sequence[VariantSummary]) -> "Table":
    """Return a row per variant: shares with their intervals below, then the costs."""
    from smolville.lab.styled import Text, plain_table

    shown = {
        "objec-\nted to": "objected",
        "first\nvalid": "first",
        "after\nrepairs": "valid",
        "fall-\nback": "fallback",
    }
    has_unasked = any(variant.total.ends[UNASKED] for variant in variants)
    columns = [*shown, *(["too\nlong"] if has_unasked else []), "tokens\nin, out", "time"]
    rows: list[list[str | Text]] = []
    for number, variant in enumerate(variants, 1):
        line, name = variant.total, variant.name
        rows.append(
            [
                Text.assemble(f"{number}  {name.prompts}", "\n", (f"   {name.model}", "dim")),
                *(share_cell(line.shares[each]) for each in shown.values()),
                *([str(line.ends[UNASKED] or NONE)] if has_unasked else []),
                _two(format_tokens(line.prompt_tokens), format_tokens(line.completion_tokens)),
                format_seconds(line.milliseconds),
            ]
        )
    return plain_table(("variant", *columns), rows)


def _steps(variants: Sequence[VariantSummary]) -> "Table":
    """Return a row per step: the answers objected to, and below them the valid first answers."""
    from smolville.lab.styled import plain_table

    numbers = map(str, range(1, len(variants) + 1))
    rows: list[list[str | Text]] = []
    for step in variants[0].steps:
        lines = [variant.steps[step] for variant in variants]
        shares = [[line.shares[each].percentage or NONE for each in COMPARED] for line in lines]
        asked = str(max(line.asked for line in lines))
        rows.append([step, asked, *(_two(objected, first) for objected, first, _ in shares)])
    return plain_table(("objected to,\nvalid at once", "asked", *numbers), rows)


def _format_footer(summary: Summary) -> "Iterator[Text]":
    from smolville.lab.styled import Text

    for number, variant in enumerate(summary.variants, 1):
        odd, kinds = (
            ", ".join(f"{kind} {count:,}" for kind, count in counted.items())
            for counted in (variant.total.odd_kinds, variant.total.kinds)
        )
        if odd:
            yield Text(f"Objected to in answers of {number}: {odd}.", style="yellow")
        if kinds:
            yield Text(f"Wrong in first answers of {number}: {kinds}.", style="dim")
    yield Text(
        "Objected to: odd, or none was accepted. Beneath a share: its 95 % interval. "
        "Tokens and time are of a question with its repairs.",
        style="dim",
    )
    if summary.missing:
        yield Text(
            f"{format_count(summary.missing, 'question')} without a result: the evaluation was "
            "interrupted, and this is what there is so far.",
            style="yellow",
        )
