"""Choose examples that fit the case: answers to similar cases, shipped or from this run.

A mind is shown only its own earlier answers. Another mind's answers would reveal what it cannot
know. Besides, which of them exist at a tick depends on the order in which minds think; its own
answers are the same in any order, and after a resume.
"""

from bisect import insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphs.loop.ledger import AcceptedAnswer
from graphs.loop.rules import Rules
from graphs.prompt_inputs import PromptInput
from models.embedding.embedder import QUICK, open_embedder
from parsers.answer import Answer
from prompts.examples import shipped_cases

if TYPE_CHECKING:
    from graphs.loop.step import AnyStep

KEPT = 200
"""Number of an agent's latest answers per step that may serve as examples."""
SHIPPED = "shipped"
ROUNDING = 5
"""Number of decimals kept of a likeness, so that almost equally similar cases keep their order."""

WORDS = "words"
"""Name of the embedder that compares cases if the run's own embedder is not a quick one."""

Vector = NDArray[np.int16]
"""Vector of a quick embedder, whose values are whole numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A case shown in a prompt, with its answer."""

    case: str
    answer: str
    """The answer as JSON."""
    likeness: float
    """Cosine similarity of this case and the case with which it is shown."""
    source: str
    """`shipped`, or the key of the step that answered it: `Ada Brook/120/say/0`."""
    by: str
    """The embedder that compared the cases."""

    def row(self) -> dict[str, str | float]:
        """Return the example for a call record; without `by` if cases were compared by words."""
        row: dict[str, str | float] = {
            "case": self.case,
            "answer": self.answer,
            "likeness": self.likeness,
            "from": self.source,
        }
        return row if self.by == WORDS else {**row, "by": self.by}


@dataclass(frozen=True, slots=True, order=True)
class _Candidate:
    """A recorded or shipped case that may serve as an example in a prompt."""

    made: AcceptedAnswer | None
    """The run's own answer; None for a shipped case."""
    case: str
    answer: str
    vector: Vector = field(compare=False, repr=False)

    @property
    def source(self) -> str:
        """The origin of the case: `shipped`, or the key of the step that answered it."""
        made = self.made
        return f"{made.owner}/{made.tick}/{made.step}/{made.ordinal}" if made else SHIPPED


class ExamplePool:
    """The clean, committed answers of a run that may serve as examples.

    Cases are compared by the run's own embedder if that is quick and exact, else by words.
    """

    def __init__(self, embedder: str = WORDS) -> None:
        self.by = embedder if embedder in QUICK else WORDS
        self._kept: dict[tuple[str, str], list[_Candidate]] = {}

    def add(self, answers: Iterable[AcceptedAnswer]) -> None:
        """Add committed answers in any order; the latest `KEPT` of each agent and step are kept."""
        for each in answers:
            kept = self._kept.setdefault((each.agent, each.step), [])
            insort(
                kept, _Candidate(each, each.case, each.answer, _vectors([each.case], self.by)[0])
            )
            del kept[:-KEPT]

    def before(self, agent: str, step: str, tick: int) -> list[_Candidate]:
        """Return an agent's answers at a step before a tick, latest first."""
        kept = self._kept.get((agent, step), ())
        return [each for each in reversed(kept) if each.made and each.made.tick < tick]


def examples_for(
    step: "AnyStep", inputs: PromptInput, rules: Rules, pool: ExamplePool, agent: str, tick: int
) -> tuple[Example, ...]:
    """Return the examples to show with a case, most similar first, as many as the rules allow."""
    own = pool.before(agent, step.name, tick) if rules.examples_from_run else []
    answer: type[Answer] = step.answer
    known = [*_read_shipped_cases(step.name, answer, pool.by), *own]
    return _nearest(step.case(inputs), known, rules.examples_of(step), pool.by)


def _nearest(case: str, known: Sequence[_Candidate], count: int, by: str) -> tuple[Example, ...]:
    """Return the `count` known cases most similar to a case, except itself and duplicates.

    Equally similar cases keep their order.
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
def _read_shipped_cases(step: str, answer: type[Answer], by: str) -> tuple[_Candidate, ...]:
    """Return the shipped cases of a step, with their answers as JSON of the answer type."""
    cases = shipped_cases(step)
    vectors = _vectors([each.case for each in cases], by)
    return tuple(
        _Candidate(None, each.case, answer.model_validate(each.answer).model_dump_json(), vector)
        for each, vector in zip(cases, vectors, strict=True)
    )


def _vectors(texts: Sequence[str], by: str) -> Vector:
    """Return an integer vector for each text, as rows."""
    return open_embedder(by).embed(texts).astype(np.int16)


def _cosines(vector: Vector, rows: Vector) -> list[float]:
    """Return the cosine of a vector with each row, rounded; 0 for a text without words.

    The sums are of whole numbers, so they are equal on any machine.
    """
    one, all_ = vector.astype(np.int64), rows.astype(np.int64)
    lengths = np.sqrt((all_ * all_).sum(axis=1) * int(one @ one))
    cosines = (all_ @ one) / np.maximum(lengths, 1.0)
    return [float(each) for each in cosines.round(ROUNDING)]
