"""Whether a difference is more than chance: Wilson's interval and an exact paired test.

Moments are what is drawn; the turns of one moment are asked with the same words and mostly end
alike, so K turns tell less than K moments would. Intervals shrink the number of questions to
what they are worth (`effective`), and the paired test changes the sign of whole moments only.
"""

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

CONFIDENCE = 0.95
"""How often an interval holds the true share."""
LEVEL = 0.05
"""A p-value below it is told apart from chance."""


class Interval(NamedTuple):
    """Between which shares the true one lies."""

    low: float
    high: float


def wilson(successes: float, n: float, confidence: float = CONFIDENCE) -> Interval:
    """Return the score interval of a share (Wilson 1927); all of 0 to 1 where nothing was asked.

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
    """Return how many independent questions these are worth, given per moment.

    The number asked over the design effect: by how much the share varies from moment to moment,
    against how much it would if every turn were a draw of its own (Rao and Scott 1992). It lies
    between the number of moments and the number asked. Where all turns ended alike nothing can be
    learned of that, and each moment counts once.
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


def clustered(
    successes: Sequence[int], asked: Sequence[int], confidence: float = CONFIDENCE
) -> Interval:
    """Return the Wilson interval of a share over moments that were each asked several times."""
    total = sum(asked)
    if total == 0:
        return wilson(0, 0, confidence)
    worth = effective(successes, asked)
    return wilson(sum(successes) / total * worth, worth, confidence)


def sign_flip(differences: Sequence[int]) -> float:
    """Return the two-sided p-value of a sum of paired differences, one per moment.

    If two variants were equally good, each moment's difference could as well have had the other
    sign: the p-value is the share of all 2^n signings whose sum is at least as far from 0 (Fisher
    1935, section 21). Every signing is counted, by convolution. With differences of -1, 0 and 1
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
    """Return p-values held to all comparisons made together (Holm 1979), by the same names."""
    adjusted: dict[int, float] = {}
    highest = 0.0
    ordered = sorted(chances, key=lambda name: (chances[name], name))
    for at, name in enumerate(ordered):
        highest = max(highest, min((len(ordered) - at) * chances[name], 1.0))
        adjusted[name] = highest
    return adjusted


def p_told(p: float) -> str:
    """Return a p-value as it is written, `p = 0.034`; one that is nearly 0 by its bound."""
    if p < 0.001:
        return "p < 0.001"
    return f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"
