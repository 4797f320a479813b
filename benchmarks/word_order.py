"""Count which classes of words follow which: `python -m benchmarks.word_order FILE...`.

Writes `graphs/sense/word_order.json` from plain English texts, one piece a line. The shipped table
was counted in Debian's `fortunes`, the English dialogues of `chatterbot-corpus` (three times), this
project's docs and docstrings, and the activities of its towns; no answer that a benchmark or a test
judges was among them. Words that occur in the same surroundings form a class (k-means).
"""

import json
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np

from smolville.graphs.sense import word_order as order

COMMON, CLASSES, ROUNDS, CONTEXT = 1000, 80, 25, 150
FIXED = (order.EDGE, order.COMMA, order.NUMBER, order.NAME, order.SHOUT)
SMOOTH, HIGH = 10, 1.5


def main(files: list[str]) -> None:
    """Count the pairs of words in these files and write the table."""
    lines = [line for file in files for line in Path(file).read_text("utf-8").splitlines()]
    told = [order.tokens_of(line) for line in lines]
    words = Counter(word.lower() for line in told for word in line if word[0].isalpha())
    common = {word: 0 for word, _ in words.most_common(COMMON)}
    counts = Counter[tuple[str, str]]()
    for line in told:
        kinds = [order.class_of(b, a, common) for a, b in pairwise([order.EDGE, *line])]
        counts.update(pairwise(kinds))
    kinds = [*FIXED, *sorted({each for pair in counts for each in pair} - {*FIXED})]
    at = {kind: number for number, kind in enumerate(kinds)}
    pairs = np.zeros((len(kinds), len(kinds)))
    for (a, b), count in counts.items():
        pairs[at[a], at[b]] = count
    own = clustered(pairs)
    small = np.zeros((CLASSES, CLASSES))
    np.add.at(small, np.ix_(own, own), pairs)
    chance = (small.sum(0) + 0.5) / (small.sum() + 0.5 * CLASSES)
    after = (small + SMOOTH * chance) / (small.sum(1, keepdims=True) + SMOOTH)
    likely = np.clip(np.log(after / chance), order.LOW, HIGH)
    letters = np.rint((likely - order.LOW) / order.STEP).astype(int) + order.BASE
    table = {
        "classes": [" ".join(k for k in kinds if own[at[k]] == n) for n in range(CLASSES)],
        "rows": ["".join(map(chr, row)) for row in letters],
    }
    path = Path(order.__file__).with_suffix(".json")
    path.write_text(json.dumps(table, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")


def clustered(pairs: np.ndarray) -> np.ndarray:
    """Return the class number of each kind of word, by its neighbours left and right."""
    weight = pairs.sum(0) + pairs.sum(1)
    top = np.argsort(-weight, kind="stable")[:CONTEXT]
    sides = []
    for side in (pairs, pairs.T):
        chance = side.sum(0) / side.sum()
        share = (side[:, top] + 3 * chance[top]) / (side.sum(1, keepdims=True) + 3)
        sides.append(np.sqrt(share))
    points = np.hstack(sides)[len(FIXED) :]
    heavy = np.sqrt(weight[len(FIXED) :])
    centres = points[np.argsort(-heavy, kind="stable")[: CLASSES - len(FIXED)]].copy()
    for _ in range(ROUNDS):
        nearest = ((points[:, None] - centres[None]) ** 2).sum(2).argmin(1)
        for number in range(len(centres)):
            if (nearest == number).any():
                mine = nearest == number
                centres[number] = np.average(points[mine], axis=0, weights=heavy[mine])
    return np.array([*range(len(FIXED)), *(nearest + len(FIXED))])


if __name__ == "__main__":
    main(sys.argv[1:])
