"""Wording of a variant's answers: how many words, how varied, how often exactly repeated.

This does not measure correctness, but reveals what a model does when it has nothing to say: it
gives the shortest possible answer, or the same line to everybody.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from graphs.sense.words import words_of
from lab.evaluation.agreement import answer_types, names_among
from lab.evaluation.results import Result, StoredMoment
from parsers.answer import shape_of
from parsers.shape import Shape

Said = tuple[str, ...]
"""The free texts of one answer."""


@dataclass(frozen=True, kw_only=True)
class Wording:
    """Wording figures of a set of answers."""

    words: float | None
    """Mean number of words in an answer's free texts; None where no answer has any."""
    different: float | None
    """Number of distinct words divided by the number of words; it falls as more is said."""
    again: frozenset[Said]
    """Texts given word for word to more than one moment, ignoring punctuation and case."""


def said(stored: StoredMoment, result: Result) -> Said:
    """Return the free texts of a model's answer: not its choices, times, or offered names."""
    answer = answer_types().get(stored.step)
    if answer is None or not result.is_valid:
        return ()
    offered = frozenset(names_among(stored.inputs))
    return tuple(
        text for text in _texts(shape_of(answer), result.answer) if text.casefold() not in offered
    )


def wording_of(answers: Iterable[tuple[Result, Said]]) -> Wording:
    """Return the wording figures of answers; answers without free texts are left out."""
    moments: dict[Said, set[str]] = defaultdict(set)
    told: set[Said] = set()
    words: list[Sequence[str]] = []
    for result, texts in answers:
        if texts:
            told.add(texts)
            moments[_in_words(texts)].add(result.moment)
            words.append([word for text in texts for word in words_of(text)])
    count = sum(map(len, words))
    different = len({word for each in words for word in each})
    return Wording(
        words=count / len(words) if words else None,
        different=different / count if count else None,
        again=frozenset(texts for texts in told if len(moments[_in_words(texts)]) > 1),
    )


def _in_words(texts: Said) -> Said:
    """Return texts reduced to their words; a text without words is kept."""
    return tuple(" ".join(words_of(text)) or text for text in texts)


def _texts(shape: Shape, value: Any) -> Iterator[str]:
    """Yield the free texts in a value; parts with another shape are left out."""
    if shape.kind == "object" and isinstance(value, dict):
        for name, inner in shape.fields.items():
            yield from _texts(inner, value.get(name))
    elif shape.kind == "list" and shape.item is not None and isinstance(value, list | tuple):
        for item in value:
            yield from _texts(shape.item, item)
    elif shape.kind == "text" and isinstance(value, str) and value:
        yield value
