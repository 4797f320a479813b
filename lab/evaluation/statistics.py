"""Statistics: Wilson's interval for a share, an exact paired test for a difference, and Holm's.

The unit of sampling is a person in a run: the moments of one person share a character, a day and
mostly a fate, so sixty moments of three people say little about a fourth. An interval counts fewer
questions the more the people differ, and the test flips the sign of all that belongs to a person.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from smolville.agents.wording import percent

CONFIDENCE = 0.95
"""How often an interval contains the true share."""
LEVEL = 0.05
"""A p-value below this level is distinguishable from chance."""
FEWEST = 6
"""Number of units below which no outcome of the test is below `LEVEL`: 2 / 2^5 is more."""
POWER = 0.8
"""How often the moments said to settle a difference would settle it, if it is as it seems."""
MOST = 5000
"""Number of further moments that nobody will ask."""
HUNDREDTHS = 100


class Interval(NamedTuple):
    """A confidence interval for a share."""

    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Share:
    """A count out of a total, with a confidence interval for the true share."""

    count: float
    """How many hold; the sum, where a score between 0 and 1 was given."""
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


def share_of(units: Iterable[Sequence[Sequence[float]]]) -> Share:
    """Return the share of what holds, given the turns of each moment of each unit.

    The turns of a moment count as one. The effective number of questions is that of independent
    ones whose share would vary as much as it does between units (Kish 1965, section 8.2), less
    where few units say how much that is, and never below the number of units.
    """
    asked = [kept for unit in units if (kept := [turns for turns in unit if turns])]
    count = sum(sum(turns) for unit in asked for turns in unit)
    of = sum(len(turns) for unit in asked for turns in unit)
    held = [sum(sum(turns) / len(turns) for turns in unit) for unit in asked]
    sizes = [len(unit) for unit in asked]
    n = effective = float(sum(sizes))
    if n > len(sizes) > 1:
        share = sum(held) / n
        spread = sum((k - share * m) ** 2 for k, m in zip(held, sizes, strict=True))
        variance = spread * len(sizes) / (len(sizes) - 1) / n**2
        effective = min(n, share * (1 - share) / variance) if variance else n
        effective *= max(len(sizes) - 3, 0) / (len(sizes) - 1)
    effective = max(effective, len(sizes)) if len(sizes) > 1 else len(sizes)
    return Share(count=count, of=of, interval=wilson(effective * count / max(of, 1), effective))


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


def sign_flip(differences: Sequence[float]) -> float:
    """Return the two-sided p-value of a sum of paired differences, one per unit.

    If two variants are equally good, each unit's difference could as well have the other sign: the
    p-value is the share of all 2^n sign assignments whose sum is at least as far from 0 (Fisher
    1935, section 21). Every assignment is counted, by convolution; fractions count in hundredths.
    With differences of -1, 0 and 1 this is McNemar's exact test.
    """
    scale = 1 if all(float(each).is_integer() for each in differences) else HUNDREDTHS
    whole = [round(scale * each) for each in differences]
    moved = [abs(each) for each in whole if each]
    reach, observed = sum(moved), abs(sum(whole))
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


def moments_to_settle(
    differences: Sequence[float], moments: int, level: float = LEVEL
) -> int | None:
    """Return how many more moments would tell a difference from chance, if it stays as it is.

    The differences are those of units, which have that many moments together. None when there is
    no difference on the whole, or it is so small that more than `MOST` would be needed.
    """
    total, units = sum(differences), len(differences)
    if not total:
        return None
    z = NormalDist().inv_cdf(1 - level / 2) + NormalDist().inv_cdf(POWER)
    needed = max(z * z * units * sum(each * each for each in differences) / total**2, FEWEST)
    more = math.ceil(max(needed - units, 1) * moments / units / 10) * 10
    return more if more <= MOST else None


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
