"""Score memories for recall: recent, important, relevant (Park et al. 2023, section 4.1).

    score = w_rec · recency + w_imp · importance + w_rel · relevance

Each quality is scaled to 0..1 (min-max) over the candidates; recency = decay^(town hours since the
last access), so the newest is the highest. Values are rounded to 1e-5 before they are scaled and
ties are broken by id, so that equal worlds stay equal on any machine.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.memory import Memory
from agents.persona import Weights

Floats = NDArray[np.float64]

ROUNDING = 5
"""Decimals kept of each quality before scaling."""


class Recollection(NamedTuple):
    """A memory that came back, and why: the scaled qualities, each 0..1, and their weighted sum."""

    memory: Memory
    score: float
    recency: float
    importance: float
    relevance: float

    def explain(self, weights: Weights) -> str:
        """Return the score as the sum it is, for people."""
        parts = (
            f"recency {weights.recency:g} x {self.recency:.3f}",
            f"importance {weights.importance:g} x {self.importance:.3f}",
            f"relevance {weights.relevance:g} x {self.relevance:.3f}",
        )
        return f"{self.score:.3f} = " + " + ".join(parts)


def scaled(values: Floats) -> Floats:
    """Return `values` scaled to 0..1 over themselves; all equal gives 0.5 each."""
    rounded = values.round(ROUNDING)
    low, high = rounded.min(), rounded.max()
    if low == high:
        return np.full_like(rounded, 0.5)
    rounded -= low
    rounded /= high - low
    return rounded


def cosine(vectors: NDArray[np.float32], norms: Floats, query: NDArray[np.float32]) -> Floats:
    """Return the cosine of each row of `vectors` (n, d) with `query` (d); 0 for an empty vector."""
    dots = (vectors @ query).astype(np.float64)
    length = float(np.linalg.norm(query.astype(np.float64)))
    dots /= norms * (length or 1.0)
    return dots


def top(scores: Floats, ids: Sequence[str], count: int) -> list[int]:
    """Return the indices of the `count` best scores, best first, ties by id; exact."""
    rounded = scores.round(ROUNDING)
    if count < len(rounded):
        bar = np.partition(rounded, len(rounded) - count)[len(rounded) - count]
        chosen = np.flatnonzero(rounded >= bar)
    else:
        chosen = np.arange(len(rounded))
    marked = zip((-rounded[chosen]).tolist(), chosen.tolist(), strict=True)
    order = sorted((mark, ids[index], index) for mark, index in marked)
    return [index for _, _, index in order[:count]]
