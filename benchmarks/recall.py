"""Times exact recall beside bare numpy over the same numbers.

    python benchmarks/recall.py [--sizes N,N,...] [--pairs N]

Bare numpy is three terms, each scaled, and the top 30 by `argpartition`: no rounding, no ties, no
records, one channel. Recall is timed with one channel and with both. All are timed in turn, so that
other work on the machine slows all of them. The ratio is the median of the pairs' ratios. With
OPENBLAS_NUM_THREADS=1, the times do not depend on work on a second core.
"""

import argparse
import time
from collections.abc import Sequence
from statistics import median

import numpy as np
from numpy.typing import NDArray

import benchmarks.here  # noqa: F401 - for a script run by its path
from benchmarks.table import machine, print_figures, print_table
from smolville.agents.keyword_index import WordVectors
from smolville.agents.memory import Memory
from smolville.agents.persona import Weights
from smolville.agents.stream import MemoryStream

DIMENSION = 384
COUNT = 30
DECAY = 0.995
KEYWORDS = 6
"""Number of keywords of a memory."""
WORDS, GROWTH = 16, 0.6
"""Parameters of Heaps' law for the number of different keywords, as on the recorded day."""
HOUR = 3600.0
SIZES = "1000,10000,100000"
WEEK = 7 * 86_400

Floats = NDArray[np.float64]


class Pair:
    """The same memories twice: as a stream, and as the bare arrays that recall needs."""

    def __init__(self, size: int) -> None:
        draw = np.random.default_rng(size)
        self.vectors = draw.normal(size=(size, DIMENSION)).astype(np.float32)
        self.norms = np.linalg.norm(self.vectors, axis=1)
        self.accessed = np.sort(draw.integers(0, WEEK, size)).astype(np.float64)
        self.importance = draw.integers(1, 11, size).astype(np.float64)
        self.queries = draw.normal(size=(64, DIMENSION)).astype(np.float32)
        words = round(WORDS * size**GROWTH)
        table = draw.integers(-400, 400, size=(words, 256)).astype(np.float32)
        self.texts = [
            " ".join(f"word{n}" for n in draw.integers(0, words, 4)) for _ in self.queries
        ]
        self.stream = MemoryStream(
            "Ada Moss",
            DIMENSION,
            WordVectors(lambda texts: table[[int(text[4:]) for text in texts]]),
        )
        keywords = draw.integers(0, words, size=(size, KEYWORDS))
        for n in range(size):
            memory = Memory(
                id=f"Ada Moss/{n}/perceive/0/0",
                agent="Ada Moss",
                kind="event",
                text=f"memory {n}",
                created=int(self.accessed[n]),
                tick=n,
                accessed=int(self.accessed[n]),
                importance=int(self.importance[n]),
                keywords=tuple(dict.fromkeys(f"word{word}" for word in keywords[n])),
            )
            self.stream.add(memory, self.vectors[n])

    def recall(self, number: int, *, by_keywords: bool = False) -> list[str]:
        """Return the ids that the stream recalls, with one channel or with both."""
        at = number % len(self.queries)
        text = self.texts[at] if by_keywords else ""
        found = self.stream.recall(self.queries[at], WEEK, COUNT, Weights(), DECAY, text)
        return [each.memory.id for each in found]

    def bare(self, number: int) -> NDArray[np.intp]:
        """Return the indices of the best memories, found by numpy alone."""
        query = self.queries[number % len(self.queries)]
        recency = _scaled(DECAY ** ((WEEK - self.accessed) / HOUR))
        importance = _scaled(self.importance)
        cosine = (self.vectors @ query) / (self.norms * np.linalg.norm(query))
        scores = recency + importance + _scaled(cosine)
        count = min(COUNT, len(scores))
        best = np.argpartition(scores, len(scores) - count)[len(scores) - count :]
        return best[np.argsort(-scores[best])]


def _scaled(values: Floats) -> Floats:
    """Return values scaled to the range from 0 to 1."""
    low = values.min()
    scaled: Floats = (values - low) / (values.max() - low)
    return scaled


def figures(size: int, pairs: int) -> dict[str, float]:
    """Return the median microseconds of each way, and the medians of their ratios."""
    pair = Pair(size)
    ours: list[float] = []
    bare: list[float] = []
    both: list[float] = []
    for number in range(pairs + 3):
        start = time.perf_counter()
        pair.bare(number)
        middle = time.perf_counter()
        pair.recall(number)
        one = time.perf_counter()
        pair.recall(number, by_keywords=True)
        end = time.perf_counter()
        if number >= 3:
            bare.append(1e6 * (middle - start))
            ours.append(1e6 * (one - middle))
            both.append(1e6 * (end - one))
    return {
        "recall_us": median(ours),
        "numpy_us": median(bare),
        "more_us": median(one - other for one, other in zip(ours, bare, strict=True)),
        "ratio": median(one / other for one, other in zip(ours, bare, strict=True)),
        "keywords_us": median(one - other for one, other in zip(both, ours, strict=True)),
        "keywords_ratio": median(one / other for one, other in zip(both, ours, strict=True)),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", default=SIZES, help="numbers of memories, separated by commas")
    parser.add_argument("--pairs", type=int, default=200)
    asked = parser.parse_args(arguments)
    sizes = [int(size) for size in asked.sizes.split(",")]
    found = {str(size): figures(size, asked.pairs) for size in sizes}
    print_table(
        f"Recall of {COUNT}, dimension {DIMENSION}, medians of {asked.pairs} pairs ({machine()})",
        ("memories", "recall, µs", "bare numpy, µs", "more, µs", "ratio", "keywords, µs", "ratio"),
        [(f"{int(size):,}", *each.values()) for size, each in found.items()],
    )
    print_figures(found)


if __name__ == "__main__":
    main()
