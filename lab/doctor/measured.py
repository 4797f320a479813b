"""A measurement of how a model plans days: shares, paired differences, and conclusions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from smolville.graphs.loop.rules import Anchors
from smolville.lab.evaluation.comparison import Contrast, Verdict, comparisons
from smolville.lab.evaluation.results import Result
from smolville.lab.evaluation.statistics import (
    Interval,
    clustered_interval,
    format_p,
    paired_interval,
)

Setting = Literal["anchors", "examples"]


@dataclass(frozen=True, kw_only=True)
class PlanningVariant:
    """One way of planning days."""

    anchors: Anchors
    examples: int

    def value(self, setting: Setting) -> str | int:
        """Return the variant's value of a setting."""
        return self.anchors if setting == "anchors" else self.examples


@dataclass(frozen=True, kw_only=True)
class ObjectedShare:
    """The share of a variant's answers that were objected to."""

    variant: PlanningVariant
    objected: int
    asked: int
    interval: Interval

    @property
    def told(self) -> str:
        """The share in words, `62 % (43–78) of 24`."""
        share = 100 * self.objected / self.asked if self.asked else 0.0
        low, high = (round(100 * each) for each in self.interval)
        return f"{share:.0f} % ({low}–{high}) of {self.asked}"

    def plain(self, setting: Setting) -> dict[str, object]:
        """Return plain data with stable keys; `value` is the variant's value of a setting."""
        return {
            "value": self.variant.value(setting),
            "objected": self.objected,
            "asked": self.asked,
            "low": round(100 * self.interval.low, 1),
            "high": round(100 * self.interval.high, 1),
        }


@dataclass(frozen=True, kw_only=True)
class SettingComparison:
    """Results with a setting's usual value and with another value, on the same days."""

    setting: Setting
    usual: ObjectedShare
    other: ObjectedShare
    contrast: Contrast
    interval: Interval
    """Confidence interval of the difference, other minus usual, as a share."""
    is_whole: bool
    """Whether all questions of the measurement were asked."""

    @property
    def verdict(self) -> Verdict | Literal["broken off"]:
        """Whether the other value is better; undecided until the measurement is complete."""
        return self.contrast.verdict if self.is_whole else "broken off"

    @property
    def chosen(self) -> str | int:
        """The better value, or the usual value if the comparison is undecided."""
        best = self.other if self.verdict == "better" else self.usual
        return best.variant.value(self.setting)

    @property
    def told(self) -> str:
        """A sentence with the figures and the conclusion from them."""
        usual, other = (each.variant.value(self.setting) for each in (self.usual, self.other))
        low, high = (round(100 * each) for each in self.interval)
        shares = f"objected to with {usual}: {self.usual.told}; with {other}: {self.other.told}"
        points = f"{self.contrast.points_text} ({low:+d} to {high:+d}), {format_p(self.contrast.p)}"
        what = {
            "better": f"{other} is better",
            "worse": f"{usual} is better",
            "broken off": f"broken off, so {usual} stays",
        }.get(self.verdict, f"undecided, so {usual} stays")
        return f"{shares}; {points.replace('-', '−')}: {what}"

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return {
            "setting": self.setting,
            "usual": self.usual.plain(self.setting),
            "other": self.other.plain(self.setting),
            **self.contrast.plain(),
            "low": round(100 * self.interval.low, 1),
            "high": round(100 * self.interval.high, 1),
            "verdict": self.verdict,
            "chosen": self.chosen,
        }


@dataclass(frozen=True, kw_only=True)
class PlansMeasured:
    """A measurement of how a model plans; it may be unfinished."""

    days: int
    asked: int
    """Days that were planned, over all variants."""
    total: int
    seconds: float = 0.0
    comparisons: tuple[SettingComparison, ...] = ()

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return {
            "days": self.days,
            "asked": self.asked,
            "total": self.total,
            "seconds": self.seconds,
            "comparisons": [each.plain() for each in self.comparisons],
        }


def compare_plans(
    variants: Sequence[PlanningVariant],
    results: Sequence[Sequence[Result]],
    *,
    days: int,
    asked: int,
    seconds: float,
) -> PlansMeasured:
    """Return the comparison of each variant with the first.

    `results` holds the results of each variant, in the order of `variants`.
    """
    total = days * len(variants)
    found = comparisons(results, [""] * len(variants))
    return PlansMeasured(
        days=days,
        asked=asked,
        total=total,
        seconds=round(seconds, 1),
        comparisons=tuple(
            SettingComparison(
                setting=_differing(variants[0], variants[each.variant]),
                usual=_share(variants[0], results[0]),
                other=_share(variants[each.variant], results[each.variant]),
                contrast=each.objected,
                interval=paired_interval(*_pairs(results[0], results[each.variant])),
                is_whole=asked == total,
            )
            for each in found
        ),
    )


def _differing(one: PlanningVariant, other: PlanningVariant) -> Setting:
    """Return the setting in which two variants differ."""
    return "anchors" if one.anchors != other.anchors else "examples"


def _share(variant: PlanningVariant, results: Sequence[Result]) -> ObjectedShare:
    """Return a variant's share; the answers of one day count together."""
    days = dict.fromkeys(each.moment for each in results)
    bad = [sum(each.is_objected_to for each in results if each.moment == day) for day in days]
    asked = [sum(each.moment == day for each in results) for day in days]
    return ObjectedShare(
        variant=variant,
        objected=sum(bad),
        asked=sum(asked),
        interval=clustered_interval(bad, asked),
    )


def _pairs(
    base: Sequence[Result], other: Sequence[Result]
) -> tuple[list[int], list[int], list[int]]:
    """Return counts per day: unobjected answers of each variant, and questions both answered."""
    known = {(each.moment, each.turn): each for each in base}
    both = [(known[key], each) for each in other if (key := (each.moment, each.turn)) in known]
    days = dict.fromkeys(each.moment for _, each in both)
    return (
        [sum(not one.is_objected_to for one, _ in both if one.moment == day) for day in days],
        [sum(not two.is_objected_to for _, two in both if two.moment == day) for day in days],
        [sum(two.moment == day for _, two in both) for day in days],
    )
