"""What is judged: two variants' answers to the same questions, out of an evaluation's results."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

from agents.chance import draw
from agents.errors import RunError, SettingError
from lab.evaluation.asking import Ready, ready
from lab.evaluation.differences import outline
from lab.evaluation.kept import SOURCE, read_results
from lab.evaluation.results import Result
from lab.moments.sources import moments_from
from lab.taking import who_asks


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two different answers of models to one question."""

    asked: Ready
    """The moment that both were asked."""
    labels: tuple[str, str]
    """The variants, in the order in which they were named."""
    results: tuple[Result, Result]
    """Their answers, in the same order."""

    @cached_property
    def key(self) -> str:
        """Sixteen hex digits over the question and both answers, whichever is named first."""
        first = self.results[0]
        parts = sorted(map(_told, self.labels, self.results))
        told = "\x1f".join((first.moment, str(first.turn), *parts))
        return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    @property
    def who(self) -> tuple[str, ...]:
        """The person who was asked, in a few lines."""
        me = who_asks(self.asked.use.inputs)
        told = {"Character": me.innate, "Habits": me.lifestyle, "Home": me.home, "Work": me.work}
        lines = (f"{name}: {text}" for name, text in told.items() if text)
        return f"{me.name}, {me.age} years old", *lines, f"On their mind: {me.currently}"

    @property
    def task(self) -> str:
        """What was asked for, in a few words."""
        return self.asked.use.step.about

    @property
    def case(self) -> tuple[str, ...]:
        """The situation, in a few short lines: when, where, and the case as the step tells it."""
        inputs = self.asked.use.inputs
        told: str = self.asked.use.step.case(inputs)
        around = (("It is", getattr(inputs, "now", "")), ("Place:", getattr(inputs, "place", "")))
        known = (f"{words} {text}" for words, text in around if text and str(text) not in told)
        return *known, *told.splitlines()

    def lines(self, number: int) -> tuple[str, ...]:
        """Return the answer of the variant named first (0) or second (1), as short lines."""
        return tuple(outline(self.results[number].answer))

    def sides(self, judge: str) -> tuple[int, int]:
        """Return which answer stands left and which right for a judge: drawn by a hash."""
        ahead = min(range(2), key=lambda number: self.labels[number])
        return (ahead, 1 - ahead) if draw("judge", judge, self.key) % 2 else (1 - ahead, ahead)


@dataclass(frozen=True, kw_only=True)
class Contest:
    """Two variants beside each other, and the pairs of answers that are to be judged."""

    labels: tuple[str, str]
    pairs: tuple[Pair, ...]
    equal: int = 0
    """Questions to which both gave the very same answer: nobody is asked about them."""
    only: tuple[int, int] = (0, 0)
    """Questions to which only the first, or only the second, has a model's answer."""
    neither: int = 0

    def queue(self, judge: str, judged: Collection[str] = ()) -> list[Pair]:
        """Return the pairs that a judge has not judged, in an order drawn by a hash."""
        left = (pair for pair in self.pairs if pair.key not in judged)
        return sorted(left, key=lambda pair: (draw("judge order", judge, pair.key), pair.key))


def contest_in(
    path: Path, names: tuple[str, str], runs: Path, *, source: str | None = None
) -> Contest:
    """Return the contest between two variants of an evaluation's results.

    Names are the variants' numbers from 1, their templates, or both as the table shows them.
    `source` says where the moments are: as the evaluation was told, for None. RunError or
    SettingError says what is wrong.
    """
    head, kept = read_results(path)
    labels = [str(each) for each in head["asked"].get("variants", ())]
    first, second = (_variant(name, labels) for name in names)
    if first == second:
        raise SettingError(f"{names[0]!r} and {names[1]!r} are the same variant; name two.")
    by_question: dict[tuple[str, int], dict[int, Result]] = {}
    for result in kept.results.values():
        by_question.setdefault((result.moment, result.turn), {})[result.variant] = result
    both = [
        (answers[first], answers[second])
        for answers in by_question.values()
        if first in answers and second in answers
    ]
    if not both:
        raise RunError(f"{str(path)!r} has no question that both variants answered yet.")
    moments = _moments({one.moment for one, _ in both}, source or head.get(SOURCE), runs, path)
    return contest_of((labels[first], labels[second]), both, moments)


def contest_of(
    labels: tuple[str, str],
    answers: Iterable[tuple[Result, Result]],
    moments: Mapping[str, Ready],
) -> Contest:
    """Return the contest over two variants' results, question by question."""
    pairs: list[Pair] = []
    equal, neither, only = 0, 0, [0, 0]
    for results in answers:
        valid = [result.is_valid for result in results]
        if not any(valid):
            neither += 1
        elif not all(valid):
            only[valid.index(True)] += 1
        elif results[0].answer == results[1].answer:
            equal += 1
        else:
            asked = moments[results[0].moment]
            pairs.append(Pair(asked=asked, labels=labels, results=results))
    return Contest(
        labels=labels,
        pairs=tuple(pairs),
        equal=equal,
        only=(only[0], only[1]),
        neither=neither,
    )


def _variant(name: str, labels: Sequence[str]) -> int:
    """Return the index of the variant that a name means; SettingError lists them all."""
    if name.isdecimal() and 1 <= int(name) <= len(labels):
        return int(name) - 1
    meant = [number for number, label in enumerate(labels) if name in (label, *label.split(" · "))]
    if len(meant) == 1:
        return meant[0]
    listed = "; ".join(f"{number} {label}" for number, label in enumerate(labels, 1))
    what = "means several variants" if meant else "is no variant of this evaluation"
    raise SettingError(f"{name!r} {what}; it has: {listed}.")


def _moments(ids: set[str], source: str | None, runs: Path, path: Path) -> dict[str, Ready]:
    """Return moments by their ids; RunError where they are not to be had."""
    found = sorted({id_.rpartition("/")[0] for id_ in ids})
    if source is None and len(found) > 1:
        raise RunError(
            f"{str(path)!r} has moments of several runs ({', '.join(found)}); say where they are: "
            "--moments FILE."
        )
    where = source or found[0]
    known = {moment.id: moment for moment in moments_from(where, runs) if moment.id in ids}
    gone = sorted(ids - known.keys())
    if gone:
        raise RunError(f"{where!r} does not have the moment {gone[0]!r} of {str(path)!r}.")
    return {id_: ready(moment) for id_, moment in known.items()}


def _told(label: str, result: Result) -> str:
    return f"{label}\x1e{json.dumps(result.answer, sort_keys=True)}"
