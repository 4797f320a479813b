"""Choose memories at random, most likely those unlike others, for dreams and mind-wandering.

After Affordable Generative Agents (MindWandering): memories are clustered by their vectors. A
memory's weight is one over the size of its cluster, so that an event that happened once is chosen
as often as one that happened every day. Vectors are compared at length 1, where a cosine c is the
distance sqrt(2 - 2c). Memories belong to one cluster if they are at least as alike as activities
that count as the same (`agents.routines.ALIKE`). A memory that is like no other is a cluster of its
own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

MOST = 400
"""Maximum number of memories considered, the latest; it limits the time needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDraw:
    """The memories chosen at random for a step, and how rare each of them is."""

    agent: str
    tick: int
    step: str
    """Name of the step for which they were chosen."""
    memories: tuple[str, ...]
    """Ids of the memories, in the order in which they were chosen."""
    sizes: tuple[int, ...]
    """Size of each memory's cluster; the memory's weight was one over this."""
    among: int
    """Number of memories examined."""
    clusters: int
    """Number of clusters, including those of a single memory."""
    alike: float
    """Cosine from which memories belonged to one cluster."""

    @property
    def chances(self) -> tuple[float, ...]:
        """Each memory's chance of being chosen first: all clusters are equally likely."""
        return tuple(1.0 / (size * self.clusters) for size in self.sizes)


def cluster_sizes(vectors: NDArray[np.float32], alike: float) -> tuple[NDArray[np.intp], int]:
    """Return the size of each vector's cluster, and the number of clusters.

    Two vectors are in one cluster if their cosine is at least `alike`, or if a chain of such pairs
    connects them, as in AGA. A vector without such a neighbour is a cluster of its own.
    """
    rows = vectors.astype(np.float64)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    squares = (rows**2).sum(axis=1)
    apart = squares[:, None] + squares[None, :] - 2 * (rows @ rows.T)
    near = apart <= max(2.0 - 2.0 * alike, 1e-9)
    np.fill_diagonal(near, True)
    labels = np.arange(len(rows))
    while True:
        lowest = np.where(near, labels, len(rows)).min(axis=1, initial=len(rows))
        if (lowest == labels).all():
            break
        labels = lowest
    counts = np.bincount(labels)
    return counts[labels], int(np.count_nonzero(counts))


def draw_rare(
    sizes: Sequence[int], count: int, fraction: Callable[[int], float]
) -> tuple[int, ...]:
    """Choose `count` positions at random without replacement, with weights of one over `sizes`.

    `fraction` gives a number in [0, 1) for a position. The positions with the greatest
    log(fraction) / weight are chosen (Efraimidis and Spirakis 2006), so the result depends neither
    on the order of choosing nor on a shared random stream.
    """
    keys = [(log(fraction(at) or 1e-300) * size, -at) for at, size in enumerate(sizes)]
    best = sorted(keys, reverse=True)[:count]
    return tuple(-at for _, at in best)
