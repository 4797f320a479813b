"""Statistics: Wilson's interval for a share, an exact paired test for a difference, and Holm's.

Moments are the sampling units. The turns of one moment are asked with the same words and mostly end
alike, so an interval counts each moment once, and the test flips the sign of whole moments.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from smolville.agents.wording import percent

CONFIDENCE = 0.95
"""How often an interval contains the true share."""
LEVEL = 0.05
"""A p-value below this level is distinguishable from chance."""


class Interval(NamedTuple):
    """A confidence interval for a share."""

    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Share:
    """A count out of a total, with a confidence interval for the true share."""

    count: int
    of: int
    interval: Interval

    @property
    def share(self) -> float | None:
        """The share, 0 to 1; None when the total is 0."""
        return self.count / self.of if self.of else None

    @property
    def percentage(self) -> str:
        """The share as a whole percentage, `81 %`; empty when the total is 0."""
        return percent(self.count, self.of, 0) if self.of else ""

    @property
    def bounds(self) -> str:
        """The interval in whole percentages, `71–92`; empty when the total is 0."""
        return f"{100 * self.interval.low:.0f}–{100 * self.interval.high:.0f}" if self.of else ""

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return {
            "count": self.count,
            "of": self.of,
            "share": None if self.share is None else round(self.share, 4),
            "low": round(self.interval.low, 4),
            "high": round(self.interval.high, 4),
        }


def share_of(turns: Sequence[Sequence[bool]]) -> Share:
    """Return the share of what is true, given the turns of each moment."""
    count, of = sum(map(sum, turns)), sum(map(len, turns))
    moments = len([each for each in turns if each])
    return Share(count=count, of=of, interval=wilson(moments * count / max(of, 1), moments))


def wilson(successes: float, n: float) -> Interval:
    """Return the score interval of a share (Wilson 1927); 0 to 1 when nothing was asked."""
    if n <= 0:
        return Interval(0.0, 1.0)
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    share = min(max(successes / n, 0.0), 1.0)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    around = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low = 0.0 if share == 0 else max(middle - around, 0.0)
    return Interval(low, 1.0 if share == 1 else min(middle + around, 1.0))


def sign_flip(differences: Sequence[int]) -> float:
    """Return the two-sided p-value of a sum of paired differences, one per moment.

    If two variants are equally good, each moment's difference could as well have the other sign:
    the p-value is the share of all 2^n sign assignments whose sum is at least as far from 0 (Fisher
    1935, section 21). Every assignment is counted, by convolution. With differences of -1, 0 and 1
    this is McNemar's exact test.
    """
    moved = [abs(each) for each in differences if each]
    reach, observed = sum(moved), abs(sum(differences))
    if observed == 0:
        return 1.0
    chances = np.zeros(2 * reach + 1)
    chances[reach] = 1.0
    for size in moved:
        halved = chances / 2
        chances = np.zeros_like(halved)
        chances[size:] += halved[:-size]
        chances[:-size] += halved[size:]
    return min(float(2 * chances[reach + observed :].sum()), 1.0)


def holm(chances: Mapping[int, float]) -> dict[int, float]:
    """Return p-values adjusted for multiple comparisons (Holm 1979), by the same keys."""
    adjusted: dict[int, float] = {}
    highest = 0.0
    ordered = sorted(chances, key=lambda name: (chances[name], name))
    for at, name in enumerate(ordered):
        highest = max(highest, min((len(ordered) - at) * chances[name], 1.0))
        adjusted[name] = highest
    return adjusted


def format_p(p: float) -> str:
    """Return a p-value as text, `p = 0.034`; for a value close to 0, an upper bound."""
    if p < 0.001:
        return "p < 0.001"
    return f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"
