"""Comparison of one variant with another on the same moments, and its verdict."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from smolville.lab.evaluation.results import Result
from smolville.lab.evaluation.statistics import LEVEL, format_p, holm, sign_flip

Verdict = Literal["better", "worse", "same", "untold"]
"""`same` if no moment differs; `untold` if the difference may be due to chance."""

PUT: Mapping[str, str] = {
    "better": "better",
    "worse": "worse",
    "same": "no difference at all",
    "untold": "no difference that could be told apart from chance",
}


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """A paired difference of one measure between two variants."""

    pairs: int
    """Number of questions (moment and turn) that were asked with both variants."""
    moments: int
    points: float
    """Lead of the variant over the other variant, in percentage points."""
    better: int
    """Number of moments for which the variant is better than the other, over all turns."""
    worse: int
    same: int
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
        words = PUT[self.verdict]
        if self.verdict == "same":
            return words if self.pairs else "nothing to compare"
        if self.verdict == "untold":
            return f"{words} ({self.points_text}, {format_p(self.adjusted)})"
        return f"{words} by {self.points_text.lstrip('+−')} ({format_p(self.adjusted)})"

    @property
    def points_text(self) -> str:
        """The difference as text, `+6.0 points`."""
        sign = "−" if self.points < 0 else "+" if self.points > 0 else ""
        return f"{sign}{abs(self.points):.1f} points"

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return {
            "pairs": self.pairs,
            "moments": self.moments,
            "points": round(self.points, 2),
            "better": self.better,
            "worse": self.worse,
            "same": self.same,
            "p": self.p,
            "p_adjusted": self.adjusted,
            "verdict": self.verdict,
        }


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Comparison of one variant with another."""

    variant: int
    """Index among the evaluation's variants."""
    against: int
    """Index of the variant it is compared with."""
    objected: Contrast
    """Difference in answers that no check objects to; better is fewer objections."""
    first: Contrast
    """Difference in valid first answers."""
    valid: Contrast
    """Difference in valid answers after repairs."""

    @property
    def verdict_text(self) -> str:
        """The verdict in one sentence, without the names."""
        return (
            f"Objected to: {self.objected.verdict_text}; valid at once: {self.first.verdict_text}; "
            f"after repairs: {self.valid.verdict_text}."
        )

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return {
            "variant": self.variant,
            "against": self.against,
            "objected": self.objected.plain(),
            "first": self.first.plain(),
            "valid": self.valid.plain(),
            "sentence": self.verdict_text,
        }


def comparisons(
    results: Sequence[Sequence[Result]], models: Sequence[str]
) -> tuple[Comparison, ...]:
    """Return the comparison of every variant except the first; `results` are given by variant.

    To compare templates, a variant is compared with the first variant that has the same model. To
    compare models, the first variant of each model is compared with the very first variant.
    """
    against = {each: _find_baseline(each, models) for each in range(1, len(results))}

    def contrasts(is_good: Callable[[Result], bool]) -> dict[int, Contrast]:
        return _adjust_p_values(
            {
                each: _contrast(results[other], results[each], is_good)
                for each, other in against.items()
            }
        )

    objected = contrasts(lambda result: not result.is_objected_to)
    firsts = contrasts(lambda result: result.is_first_valid)
    valids = contrasts(lambda result: result.is_valid)
    return tuple(
        Comparison(
            variant=each,
            against=other,
            objected=objected[each],
            first=firsts[each],
            valid=valids[each],
        )
        for each, other in against.items()
    )


def _find_baseline(variant: int, models: Sequence[str]) -> int:
    """Return the index of the variant that `variant` is compared with."""
    same = models.index(models[variant])
    return same if same < variant else 0


def _contrast(
    base: Sequence[Result], other: Sequence[Result], is_good: Callable[[Result], bool]
) -> Contrast:
    """Return the paired difference over the questions asked with both variants."""
    known = {(result.moment, result.turn): result for result in base}
    sums: dict[str, int] = {}
    pairs = 0
    for result in other:
        paired = known.get((result.moment, result.turn))
        if paired is None:
            continue
        pairs += 1
        gained = int(is_good(result)) - int(is_good(paired))
        sums[result.moment] = sums.get(result.moment, 0) + gained
    differences = list(sums.values())
    p = sign_flip(differences)
    return Contrast(
        pairs=pairs,
        moments=len(differences),
        points=100 * sum(differences) / pairs if pairs else 0.0,
        better=sum(each > 0 for each in differences),
        worse=sum(each < 0 for each in differences),
        same=sum(each == 0 for each in differences),
        p=p,
        adjusted=p,
    )


def _adjust_p_values(contrasts: Mapping[int, Contrast]) -> dict[int, Contrast]:
    held = holm({each: contrast.p for each, contrast in contrasts.items()})
    return {each: replace(contrast, adjusted=held[each]) for each, contrast in contrasts.items()}
