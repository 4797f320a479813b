"""Statistics: Wilson's interval for a share and an exact paired test for a difference.

Moments are the sampling units. The turns of one moment are asked with the same words and mostly end
alike, so K turns carry less information than K moments would. Intervals therefore use an effective
number of questions (`effective`), and the paired test flips the sign of whole moments only.
"""

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

CONFIDENCE = 0.95
"""How often an interval contains the true share."""
LEVEL = 0.05
"""A p-value below this level is distinguishable from chance."""


class Interval(NamedTuple):
    """A confidence interval for a share."""

    low: float
    high: float


def wilson(successes: float, n: float, confidence: float = CONFIDENCE) -> Interval:
    """Return the score interval of a share (Wilson 1927); 0 to 1 when nothing was asked.

    `n` may be a fraction: an effective number of questions.
    """
    if n <= 0:
        return Interval(0.0, 1.0)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = min(max(successes / n, 0.0), 1.0)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    around = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low = 0.0 if share == 0 else max(middle - around, 0.0)
    return Interval(low, 1.0 if share == 1 else min(middle + around, 1.0))


def effective(successes: Sequence[int], asked: Sequence[int]) -> float:
    """Return the effective number of independent questions, from counts per moment.

    This is the number of questions asked divided by the design effect: the variance of the share
    between moments, relative to its variance if every turn were an independent draw (Rao and Scott
    1992). It lies between the number of moments and the number of questions. When all turns ended
    alike, the design effect cannot be estimated, and each moment counts once.
    """
    moments, total = len(asked), sum(asked)
    if total == 0 or total == moments:
        return float(total)
    share = sum(successes) / total
    if moments == 1 or share in (0, 1):
        return float(moments)
    spread = sum((good - of * share) ** 2 for good, of in zip(successes, asked, strict=True)) * (
        moments / (moments - 1)
    )
    design = spread / (total * share * (1 - share))
    return min(max(total / design if design > 0 else total, float(moments)), float(total))


def clustered_interval(
    successes: Sequence[int], asked: Sequence[int], confidence: float = CONFIDENCE
) -> Interval:
    """Return the Wilson interval of a share over moments that were each asked several times."""
    total = sum(asked)
    if total == 0:
        return wilson(0, 0, confidence)
    worth = effective(successes, asked)
    return wilson(sum(successes) / total * worth, worth, confidence)


def paired_interval(
    base: Sequence[int],
    other: Sequence[int],
    asked: Sequence[int],
    confidence: float = CONFIDENCE,
) -> Interval:
    """Return the score interval of the difference of two shares, other minus base, -1 to 1.

    Both variants were asked the same moments. Newcombe's method 8 (1998), with the clustered
    intervals of the shares and the correlation of the moments' counts.
    """
    total = sum(asked)
    if total == 0:
        return Interval(-1.0, 1.0)
    one, two = sum(base) / total, sum(other) / total
    low_one, high_one = clustered_interval(base, asked, confidence)
    low_two, high_two = clustered_interval(other, asked, confidence)
    shared = _correlate(base, other, asked)
    below, above = (two - low_two, high_one - one), (high_two - two, one - low_one)
    down, up = (math.sqrt(max(a * a + b * b - 2 * shared * a * b, 0.0)) for a, b in (below, above))
    return Interval(max(two - one - down, -1.0), min(two - one + up, 1.0))


def _correlate(base: Sequence[int], other: Sequence[int], asked: Sequence[int]) -> float:
    """Return the correlation of two counts by moment; 0 if one of them does not vary."""
    ones = np.array(base) - sum(base) / sum(asked) * np.array(asked)
    twos = np.array(other) - sum(other) / sum(asked) * np.array(asked)
    spread = float(np.sqrt((ones**2).sum() * (twos**2).sum()))
    return float((ones * twos).sum()) / spread if spread > 0 else 0.0


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
