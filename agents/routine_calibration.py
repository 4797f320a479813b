"""Calibrate an embedder for routines: find the similarity from which activities count as the same.

Embedders spread their cosines differently. With one fixed threshold (0.97 in Affordable Generative
Agents), one embedder would reuse nothing and another everything.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from smolville.agents.errors import RunError
from smolville.agents.routines import names_in, same_words, similarities, without_names
from smolville.agents.text_files import read_text

PRECISE = 0.98
"""Minimum share of reuses that must be right, since a wrong reuse costs more than a question."""
_PAIRS = "routine_pairs.tsv"
_LABELS = {"same": True, "other": False}

EmbedTexts = Callable[[Sequence[str]], Any]
"""Function that returns one vector per text."""


@dataclass(frozen=True, kw_only=True)
class LabelledPair:
    """Two activities, and whether the routine of one may be reused for the other."""

    one: str
    other: str
    is_same: bool


@dataclass(frozen=True, kw_only=True)
class ThresholdResult:
    """The result of one similarity threshold on the labelled pairs."""

    similarity: float
    reused: int
    """Number of pairs that the threshold takes for the same."""
    right: int
    """Number of those pairs that are labelled as the same."""
    same: int
    """Number of all pairs that are labelled as the same."""

    @property
    def precision(self) -> float:
        """Share of the reuses that are right; 1 when nothing is reused."""
        return self.right / self.reused if self.reused else 1.0

    @property
    def recall(self) -> float:
        """Share of the pairs labelled as the same that the threshold finds."""
        return self.right / self.same


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """An embedder measured on labelled pairs."""

    cuts: tuple[ThresholdResult, ...]
    """Results by rising similarity, one for each similarity at which the result changes."""
    pairs: int

    @property
    def chosen(self) -> ThresholdResult:
        """The threshold with the best recall, among those with a precision of at least `PRECISE`.

        If no lower threshold is that precise, it is 1: exact equality.
        """
        precise = [cut for cut in self.cuts if cut.precision >= PRECISE]
        return max(precise, key=lambda cut: (cut.recall, cut.similarity))

    def at(self, similarity: float) -> ThresholdResult:
        """Return the result of any similarity threshold on the pairs."""
        higher = (cut for cut in self.cuts if cut.similarity >= similarity)
        found = next(higher, self.cuts[-1])
        return ThresholdResult(
            similarity=similarity, reused=found.reused, right=found.right, same=found.same
        )


def read_pairs(file: Path | None = None) -> tuple[LabelledPair, ...]:
    """Return the pairs of a file, or the shipped ones. Raises RunError for a faulty line."""
    if file is None:
        text, name = files("smolville.agents").joinpath(_PAIRS).read_text("utf-8"), _PAIRS
    else:
        name = str(file)
        try:
            text = read_text(file)
        except OSError as error:
            raise RunError(f"{name} cannot be read: {error.strerror}.") from error
    pairs = tuple(_read_lines(text.splitlines(), name))
    for label, is_same in _LABELS.items():
        if not any(pair.is_same is is_same for pair in pairs):
            raise RunError(
                f"{name} has no pair labelled `{label}`: give at least one of each label, "
                "`same<TAB>one activity<TAB>another`."
            )
    return pairs


def _read_lines(lines: Iterable[str], name: str) -> Iterator[LabelledPair]:
    """Yield the pairs; empty lines and those that begin with # are left out."""
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        label, *activities = (part.strip() for part in line.split("\t"))
        if label not in _LABELS or len(activities) != 2 or not all(activities):
            raise RunError(
                f"{name}, line {number}: write `same` or `other`, an activity and another one, "
                "separated by tabs."
            )
        yield LabelledPair(one=activities[0], other=activities[1], is_same=_LABELS[label])


def calibrate(embed: EmbedTexts, pairs: Sequence[LabelledPair]) -> Calibration:
    """Return how well an embedder tells the pairs apart at each similarity threshold.

    As in a run, pairs with different names or numbers never count as the same.
    """
    whole = (text for pair in pairs for text in (pair.one, pair.other))
    texts = list(dict.fromkeys(map(without_names, whole)))
    vectors = dict(zip(texts, embed(texts), strict=True))
    scored = [(_likeness(pair, vectors), pair.is_same) for pair in pairs]
    values = sorted({value for value, _ in scored if value is not None} | {1.0})
    same = sum(pair.is_same for pair in pairs)
    return Calibration(cuts=tuple(_cut(value, scored, same) for value in values), pairs=len(pairs))


def _likeness(pair: LabelledPair, vectors: dict[str, Any]) -> float | None:
    """Return the similarity of a pair; None if its names or numbers differ."""
    if names_in(pair.one) != names_in(pair.other):
        return None
    if same_words(pair.one) == same_words(pair.other):
        return 1.0
    return similarities([vectors[without_names(text)] for text in (pair.one, pair.other)])[0]


def _cut(least: float, scored: Sequence[tuple[float | None, bool]], same: int) -> ThresholdResult:
    """Return the result of one similarity threshold on scored pairs."""
    reused = [is_same for value, is_same in scored if value is not None and value >= least]
    return ThresholdResult(similarity=least, reused=len(reused), right=sum(reused), same=same)
