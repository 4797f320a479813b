"""Examples that fit the case: answers to cases like this one, shipped or of this run.

A mind is shown only its own earlier answers. Somebody else's would tell it what it cannot know, and
which of them exist at a tick depends on who was asked first; its own are the same under every
schedule, and after a resume.
"""

from bisect import insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphs.cards import Card
from graphs.loop.ledger import Accepted
from graphs.loop.rules import Rules
from models.embedding.embedder import QUICK, open_embedder
from parsers.answer import Answer
from prompts.examples import shipped_cases

if TYPE_CHECKING:
    from graphs.loop.step import AnyStep

KEPT = 200
"""So many of an agent's latest answers at one step may serve as examples."""
SHIPPED = "shipped"
ROUNDING = 5
"""Decimals of a likeness; among equal ones the first stays first."""

WORDS = "words"
"""What compares cases where the run's own embedder is none of the quick ones."""

Vector = NDArray[np.int16]
"""Of a quick embedder, whose values are whole numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A case that is shown with its answer."""

    case: str
    answer: str
    """JSON."""
    likeness: float
    """Cosine between it and the case it is shown for."""
    source: str
    """`shipped`, or which use of the step it was: `Ada Brook/120/say/0`."""
    by: str
    """The embedder that compared the cases."""

    def row(self) -> dict[str, str | float]:
        """Return the example as a call record keeps it; cases compared by words do not say so."""
        row: dict[str, str | float] = {
            "case": self.case,
            "answer": self.answer,
            "likeness": self.likeness,
            "from": self.source,
        }
        return row if self.by == WORDS else {**row, "by": self.by}


@dataclass(frozen=True, slots=True, order=True)
class _Known:
    """A case that may be shown."""

    made: Accepted | None
    """None for a shipped one."""
    case: str
    answer: str
    vector: Vector = field(compare=False, repr=False)

    @property
    def source(self) -> str:
        """Where it comes from."""
        made = self.made
        return f"{made.owner}/{made.tick}/{made.step}/{made.ordinal}" if made else SHIPPED


class Pool:
    """The clean answers of a run that may serve as examples; only what is committed is in it.

    Cases are compared by the run's own embedder where that is quick and exact, else by words.
    """

    def __init__(self, embedder: str = WORDS) -> None:
        self.by = embedder if embedder in QUICK else WORDS
        self._kept: dict[tuple[str, str], list[_Known]] = {}

    def add(self, answers: Iterable[Accepted]) -> None:
        """Take in answers that were committed, in any order; the oldest ones give way."""
        for each in answers:
            kept = self._kept.setdefault((each.agent, each.step), [])
            insort(kept, _Known(each, each.case, each.answer, _vectors([each.case], self.by)[0]))
            del kept[:-KEPT]

    def before(self, agent: str, step: str, tick: int) -> list[_Known]:
        """Return an agent's answers at a step from before a tick, the latest first."""
        kept = self._kept.get((agent, step), ())
        return [each for each in reversed(kept) if each.made and each.made.tick < tick]


def examples_for(
    step: "AnyStep", inputs: Card, rules: Rules, pool: Pool, agent: str, tick: int
) -> tuple[Example, ...]:
    """Return the examples to show with a case, the nearest first, as many as the rules want."""
    own = pool.before(agent, step.name, tick) if rules.examples_from_run else []
    answer: type[Answer] = step.answer
    known = [*_shipped(step.name, answer, pool.by), *own]
    return _nearest(step.case(inputs), known, rules.examples, pool.by)


def _nearest(case: str, known: Sequence[_Known], count: int, by: str) -> tuple[Example, ...]:
    """Return the `count` known cases most like a case; never the case itself, none of them twice.

    Among equally like ones the first given comes first.
    """
    if not known or count <= 0:
        return ()
    likenesses = _cosines(_vectors([case], by)[0], np.stack([each.vector for each in known]))
    order = sorted(range(len(known)), key=lambda index: (-likenesses[index], index))
    chosen: dict[str, Example] = {}
    for index in order:
        each = known[index]
        if each.case != case and each.case not in chosen:
            chosen[each.case] = Example(
                case=each.case,
                answer=each.answer,
                likeness=likenesses[index],
                source=each.source,
                by=by,
            )
        if len(chosen) == count:
            break
    return tuple(chosen.values())


@cache
def _shipped(step: str, answer: type[Answer], by: str) -> tuple[_Known, ...]:
    """Return the shipped cases of a step, their answers written as its own example is."""
    cases = shipped_cases(step)
    vectors = _vectors([each.case for each in cases], by)
    return tuple(
        _Known(None, each.case, answer.model_validate(each.answer).model_dump_json(), vector)
        for each, vector in zip(cases, vectors, strict=True)
    )


def _vectors(texts: Sequence[str], by: str) -> Vector:
    """Return a row of whole numbers for each text."""
    return open_embedder(by).embed(texts).astype(np.int16)


def _cosines(vector: Vector, rows: Vector) -> list[float]:
    """Return the cosine of a vector with each row, rounded; 0 with a text that has no words.

    The sums are of whole numbers, so they are equal on any machine.
    """
    one, all_ = vector.astype(np.int64), rows.astype(np.int64)
    lengths = np.sqrt((all_ * all_).sum(axis=1) * int(one @ one))
    cosines = (all_ @ one) / np.maximum(lengths, 1.0)
    return [float(each) for each in cosines.round(ROUNDING)]
