"""What a variant's answers say: how many words, how varied, how often the very same again.

No measure of what is right, but of what a model falls into that has nothing to say: the shortest
answer there is, the same line to everybody.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from graphs.sense.words import words_of
from lab.evaluation.agreement import answer_types, names_among
from lab.evaluation.results import Result, Stored
from parsers.answer import shape_of
from parsers.shape import Shape

Said = tuple[str, ...]
"""The free texts of one answer."""


@dataclass(frozen=True, kw_only=True)
class Wording:
    """How some answers are worded."""

    words: float | None
    """Words of an answer's free texts, on average; None where no answer has any."""
    different: float | None
    """How many different words, for each word said; the more is said, the lower."""
    again: frozenset[Said]
    """What was said word for word to more than one moment, whatever the marks and capitals."""


def said(stored: Stored, result: Result) -> Said:
    """Return the free texts of a model's answer: no choices, times, or names that were offered."""
    answer = answer_types().get(stored.step)
    if answer is None or not result.is_valid:
        return ()
    offered = frozenset(names_among(stored.inputs))
    return tuple(
        text for text in _texts(shape_of(answer), result.answer) if text.casefold() not in offered
    )


def wording_of(answers: Iterable[tuple[Result, Said]]) -> Wording:
    """Return how answers are worded; those without free texts are left out."""
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
    """Return texts by their words alone; one without any as it is."""
    return tuple(" ".join(words_of(text)) or text for text in texts)


def _texts(shape: Shape, value: Any) -> Iterator[str]:
    """Yield the texts in a value that are free; what has another shape is left out."""
    if shape.kind == "object" and isinstance(value, dict):
        for name, inner in shape.fields.items():
            yield from _texts(inner, value.get(name))
    elif shape.kind == "list" and shape.item is not None and isinstance(value, list | tuple):
        for item in value:
            yield from _texts(shape.item, item)
    elif shape.kind == "text" and isinstance(value, str) and value:
        yield value
