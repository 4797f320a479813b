"""Summary of an evaluation: counts by variant and step, the comparisons, and how both are shown."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING, Literal

from smolville.agents.wording import NONE, format_count, format_seconds, format_tokens
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.lab.evaluation.results import Evaluation, Result, VariantName
from smolville.lab.evaluation.scores import CONTROLS, Score
from smolville.lab.evaluation.statistics import (
    CONFIDENCE,
    FEWEST,
    LEVEL,
    Share,
    format_p,
    holm,
    moments_to_settle,
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
Measure = Callable[[Result], float]
"""What a result counts for: 0, 1, or between where a score says so."""
MEASURES: Mapping[str, Measure] = {
    "objected": lambda result: result.is_objected_to,
    "odd": lambda result: result.is_valid and result.is_objected_to,
    "first": lambda result: result.is_first_valid,
    "valid": lambda result: result.is_valid,
    "fallback": lambda result: result.outcome == "fallback",
}
"""Shares of the questions asked. A prompt that does not fit the context has no valid answer."""
COMPARED = {"objected": "objected to", "first": "valid at once", "valid": "after repairs"}
"""Measures by which variants are compared, as they are told, the most important first."""
MOST_BESIDE = 8
"""Maximum number of variants side by side on a narrow screen."""

Verdict = Literal["better", "worse", "same", "untold", "few"]
"""`same` if no person differs; `untold` if the difference may be due to chance; `few` if there are
too few people to tell."""


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
    people: int
    """Number of people in runs to whom they belong."""
    points: float
    """Lead of the variant over the other variant, in percentage points."""
    better: int
    """Number of people for whom the variant is better than the other, over all their moments."""
    worse: int
    p: float
    """p-value of the exact sign-flip test over people."""
    adjusted: float
    """The same p-value, adjusted for all variants compared (Holm)."""
    more: int | None = None
    """How many more moments would settle it, if the difference stays; None for no number."""

    @property
    def verdict(self) -> Verdict:
        """The verdict on the difference."""
        if not self.better and not self.worse:
            return "same"
        if self.people < FEWEST:
            return "few"
        if self.adjusted >= LEVEL:
            return "untold"
        return "better" if self.points > 0 else "worse"

    @property
    def verdict_text(self) -> str:
        """The verdict in plain words."""
        points, p = f"{abs(self.points):.1f} points", format_p(self.adjusted)
        if self.verdict == "same":
            return "no difference at all" if self.pairs else "nothing to compare"
        if self.verdict in ("better", "worse"):
            return f"{self.verdict} by {points} ({p})"
        way = "better" if self.points > 0 else "worse" if self.points else "in balance"
        by = f"{way} by {points}" if self.points else way
        settling = (
            "no number of moments like these will settle it"
            if self.more is None
            else f"about {self.more:,} more moments of other people would settle it, if that stays"
        )
        few = "these are too few people to tell"
        doubt = few if self.verdict == "few" else f"that may be chance, {p}"
        return f"{by}, but {doubt}; {settling}"


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
    def verdicts(self) -> list[str]:
        """The verdict on each measure."""
        return [
            f"{COMPARED.get(name, name)}: {each.verdict_text}"
            for name, each in self.contrasts.items()
        ]

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        told = {
            name: {**asdict(each), "verdict": each.verdict} for name, each in self.contrasts.items()
        }
        both = {"variant": self.variant, "against": self.against}
        return {**both, **told, "verdicts": self.verdicts}


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
    people: int
    """Number of people, each counted once per run: the units of all intervals and tests."""
    runs: int
    scores: Mapping[str, Mapping[str, Share]]
    """Shares by score: of each variant, by its number from 1, and of the controls."""
    turns: int
    repairs: int
    seconds: float

    @property
    def too_few(self) -> str:
        """Why no verdict is possible; empty if there are people enough."""
        if self.people >= FEWEST or not self.comparisons:
            return ""
        return (
            f"No verdict is possible with {format_people(self)}: at least {FEWEST} are needed, "
            "of a larger town or of several runs (--moments may be repeated)."
        )

    @property
    def missing(self) -> int:
        """Questions without a result because the evaluation was interrupted."""
        return sum(variant.total.missing for variant in self.variants)

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return {
            "moments": self.moments,
            "people": self.people,
            "runs": self.runs,
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
            "scores": {
                name: {column: share.plain() for column, share in columns.items()}
                for name, columns in self.scores.items()
            },
        }

    def render(self) -> "RenderableType":
        """Return the page, designed for 80 columns."""
        from rich.console import Group

        from smolville.lab.styled import Text

        times = "once" if self.turns == 1 else f"{self.turns} times"
        which = f" with each of {len(self.variants)} variants" if len(self.variants) > 1 else ""
        most = format_count(self.repairs, "repair")
        repairs = f"at most {most}" if self.repairs else "no repairs"
        moments = f"{format_count(self.moments, 'moment')} of {format_people(self)}"
        asked = f"{moments}, each asked {times}{which}; {repairs}."
        parts: list[RenderableType] = [Text(asked, style="bold"), _variants(self.variants)]
        if len(self.variants[0].steps) > 1 and len(self.variants) <= MOST_BESIDE:
            parts.append(_steps(self.variants))
        if self.scores:
            parts.append(_scores(self.scores))
        for each in self.comparisons:
            verdicts = "\n".join(f"- {line}" for line in each.verdicts)
            parts.append(Text(f"{each.variant + 1} beside {each.against + 1}:\n{verdicts}"))
        if self.too_few:
            parts.append(Text(self.too_few, style="yellow"))
        return Group(*parts, *_format_footer(self))


def format_people(summary: Summary) -> str:
    """Return how many people of how many runs there are."""
    count = summary.people
    people = f"{count:,} {'person' if count == 1 else 'people'}"
    return f"{people} in {format_count(summary.runs, 'run')}"


def summarise(evaluation: Evaluation, scores: Sequence[Score] = ()) -> Summary:
    """Return an evaluation's counts, intervals and comparisons."""
    results, people = evaluation.by_variant(), evaluation.people
    by_step: dict[str, list[str]] = {}
    for id_, step in evaluation.moments.items():
        by_step.setdefault(step, []).append(id_)
    return Summary(
        variants=tuple(
            VariantSummary(
                name=name,
                total=_count(found, [*evaluation.moments], evaluation),
                steps={step: _count(found, ids, evaluation) for step, ids in by_step.items()},
            )
            for name, found in zip(evaluation.variants, results, strict=True)
        ),
        comparisons=compare(evaluation, scores),
        scores={each.name: _columns(each, results, people) for each in scores},
        moments=len(evaluation.moments),
        people=len({*people.values()}),
        runs=len({id_.rpartition("/")[0] for id_ in evaluation.moments}),
        turns=evaluation.turns,
        repairs=evaluation.repairs,
        seconds=evaluation.seconds,
    )


def _columns(
    score: Score, results: Sequence[Sequence[Result]], people: Mapping[str, str]
) -> dict[str, Share]:
    found = {str(number): answers for number, answers in enumerate(results, 1)} | {
        name: [each for each in score.controls if each.variant == variant]
        for variant, name in CONTROLS.items()
    }
    return {
        name: share_over(score.scored(answers), people, score.value)
        for name, answers in found.items()
    }


def compare(evaluation: Evaluation, scores: Sequence[Score] = ()) -> tuple[Comparison, ...]:
    """Return the comparison of every variant except the first.

    To compare templates, a variant is compared with the first variant that has the same model. To
    compare models, the first variant of each model is compared with the very first variant.
    """
    models = [name.model for name in evaluation.variants]
    against = {
        each: same if (same := models.index(models[each])) < each else 0
        for each in range(1, len(models))
    }
    results, people = evaluation.by_variant(), evaluation.people
    contrasts = {name: _contrasts(results, people, against, MEASURES[name]) for name in COMPARED}
    for score in scores:
        scored = [*map(score.scored, results)]
        contrasts[score.name] = _contrasts(scored, people, against, score.value)
    return tuple(
        Comparison(
            variant=each,
            against=other,
            contrasts={name: found[each] for name, found in contrasts.items()},
        )
        for each, other in against.items()
    )


def _contrasts(
    results: Sequence[Sequence[Result]],
    people: Mapping[str, str],
    against: Mapping[int, int],
    measure: Measure,
) -> dict[int, Contrast]:
    """Return the paired differences of a measure, adjusted for the number of comparisons."""
    sign = -1 if measure is MEASURES["objected"] else 1
    gains = {
        each: _gains(results[other], results[each], lambda result: sign * measure(result))
        for each, other in against.items()
    }
    by_person = {each: _by_person(found, people) for each, found in gains.items()}
    chances = {each: sign_flip(found) for each, found in by_person.items()}
    held = holm(chances)
    return {
        each: Contrast(
            pairs=(pairs := len(gains[each])),
            people=len(found),
            points=round(100 * sum(found) / pairs, 2) if pairs else 0.0,
            better=sum(gain > 0 for gain in found),
            worse=sum(gain < 0 for gain in found),
            p=chances[each],
            adjusted=held[each],
            more=moments_to_settle(
                found, len({moment for moment, _ in gains[each]}), LEVEL / len(against)
            ),
        )
        for each, found in by_person.items()
    }


def _gains(
    base: Sequence[Result], other: Sequence[Result], measure: Measure
) -> dict[tuple[str, int], float]:
    """Return the differences over the questions that both variants were asked."""
    known = {(result.moment, result.turn): result for result in base}
    return {
        key: measure(result) - measure(known[key])
        for result in other
        if (key := (result.moment, result.turn)) in known
    }


def _by_person(gains: Mapping[tuple[str, int], float], people: Mapping[str, str]) -> list[float]:
    found: dict[str, float] = defaultdict(float)
    for (moment, _), gain in gains.items():
        found[people[moment]] += gain
    return [*found.values()]


def mean_known(values: Iterable[float | None]) -> float | None:
    """Return the mean of the known values, or None."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def share_over(results: Iterable[Result], people: Mapping[str, str], measure: Measure) -> Share:
    """Return the share of results for which a measure holds, with people as units."""
    units: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for each in results:
        units[people[each.moment]][each.moment].append(measure(each))
    return share_of([[*moments.values()] for moments in units.values()])


def _count(results: Sequence[Result], ids: Collection[str], asked_for: Evaluation) -> VariantCounts:
    known = {*ids}
    found = [each for each in results if each.moment in known]
    ends = Counter(result.outcome or UNASKED for result in found)
    asked = [result for result in found if result.outcome is not None]
    return VariantCounts(
        asked=len(found),
        missing=len(ids) * asked_for.turns - len(found),
        ends={end: ends[end] for end in ENDS},
        shares={
            name: share_over(found, asked_for.people, measure) for name, measure in MEASURES.items()
        },
        prompt_tokens=mean_known(result.prompt_tokens for result in asked),
        completion_tokens=mean_known(result.completion_tokens for result in asked),
        milliseconds=median(result.milliseconds for result in asked) if asked else None,
        kinds=dict(Counter(kind for result in found for kind in result.kinds).most_common()),
        odd_kinds=dict(Counter(kind for each in found for kind in each.odd_kinds).most_common()),
    )


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


def _scores(scores: Mapping[str, Mapping[str, Share]]) -> "Table":
    """Return a row per score: variants, then the answers as they were, and those of dice."""
    from smolville.lab.styled import Text, plain_table

    columns = [*next(iter(scores.values()))]
    rows: list[list[str | Text]] = [
        [name, *map(share_cell, shares.values())] for name, shares in scores.items()
    ]
    return plain_table(("score", *columns), rows)


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
        "Objected to: odd, or none was accepted. Beneath a share: its 95 % interval, with people "
        "in runs as units. Tokens and time are of a question with its repairs.",
        style="dim",
    )
    if summary.missing:
        yield Text(
            f"{format_count(summary.missing, 'question')} without a result: the evaluation was "
            "interrupted, and this is what there is so far.",
            style="yellow",
        )
