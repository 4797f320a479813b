"""Draw memories that are unlike the others, for a dream or a wandering mind.

After Affordable Generative Agents (MindWandering): memories are clustered by their vectors, and
each weighs one over the size of its cluster, so that what happened once is drawn as often as what
happened every day. Vectors are compared at length 1, where a cosine c is the distance
sqrt(2 - 2c): memories at least as alike as the embedder's threshold for the same activity
(`agents.routine_calibration`) belong together, and whoever is alone is a cluster of one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

ALIKE = 0.9
"""Cosine of memories that belong together, where the run has measured none for its embedder."""
MOST = 400
"""The latest memories that are looked at, which bounds the time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDraw:
    """The memories drawn, and how rare each of them is."""

    agent: str
    tick: int
    step: str
    """Name of the step that they were drawn for."""
    memories: tuple[str, ...]
    """Ids, in the order drawn."""
    sizes: tuple[int, ...]
    """Size of the cluster of each; its weight was one over this."""
    among: int
    """Number of memories examined."""
    clusters: int
    """Number of clusters, including those of a single memory."""
    alike: float
    """Cosine from which on memories were in one cluster."""

    @property
    def chances(self) -> tuple[float, ...]:
        """Each memory's chance of being drawn first: all clusters are equally likely."""
        return tuple(1.0 / (size * self.clusters) for size in self.sizes)


def cluster_sizes(vectors: NDArray[np.float32], alike: float) -> tuple[NDArray[np.intp], int]:
    """Return the size of each vector's cluster, and the number of clusters.

    With a minimum of two members per cluster (as in AGA), a cluster is a group connected by steps
    of at most that distance, whatever the order of the rows.
    """
    from sklearn.cluster import DBSCAN

    rows = vectors.astype(np.float64)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    labels = DBSCAN(eps=sqrt(max(2.0 - 2.0 * alike, 1e-9)), min_samples=2).fit_predict(rows)
    alone = int((labels < 0).sum())
    counts = np.bincount(labels[labels >= 0])
    sizes = np.ones(len(labels), np.intp)
    sizes[labels >= 0] = counts[labels[labels >= 0]]
    return sizes, len(counts) + alone


def draw_rare(
    sizes: Sequence[int], count: int, fraction: Callable[[int], float]
) -> tuple[int, ...]:
    """Return the positions of `count` draws without replacement, weighed by one over the sizes.

    `fraction` gives a number in [0, 1) for a position; the greatest log(fraction) / weight are the
    draws (Efraimidis and Spirakis 2006), so nothing depends on an order or on a shared stream.
    """
    keys = [(log(fraction(at) or 1e-300) * size, -at) for at, size in enumerate(sizes)]
    best = sorted(keys, reverse=True)[:count]
    return tuple(-at for _, at in best)
