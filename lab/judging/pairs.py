"""The pairs to be judged: two variants' answers to the same questions of an evaluation."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

from smolville.agents.chance import draw
from smolville.agents.errors import RunError, SettingError
from smolville.lab.evaluation.asking import ReadyMoment, ready
from smolville.lab.evaluation.differences import outline
from smolville.lab.evaluation.result_store import SOURCE, read_results
from smolville.lab.evaluation.results import Result
from smolville.lab.judging.asking import case_of, who_of
from smolville.lab.moments.finding import moments_from


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two variants' different answers to the same question."""

    asked: ReadyMoment
    """The moment that both variants were asked."""
    labels: tuple[str, str]
    """Labels of the two variants, in the order in which they were named."""
    results: tuple[Result, Result]
    """The two answers, in the same order."""

    @cached_property
    def key(self) -> str:
        """Sixteen hex digits that identify the question and both answers, in either order."""
        first = self.results[0]
        parts = sorted(map(_serialise_answer, self.labels, self.results))
        text = "\x1f".join((first.moment, str(first.turn), *parts))
        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    @property
    def who(self) -> tuple[str, ...]:
        """Description of the person who was asked, in a few lines."""
        return who_of(self.asked.use)

    @property
    def task(self) -> str:
        """The task of the step, in a few words."""
        return self.asked.use.step.about

    @property
    def case(self) -> tuple[str, ...]:
        """The situation in a few short lines."""
        return case_of(self.asked.use)

    def lines(self, number: int) -> tuple[str, ...]:
        """Return the answer of the variant named first (0) or second (1), as short lines."""
        return tuple(outline(self.results[number].answer))

    def sides(self, judge: str) -> tuple[int, int]:
        """Return which answer (0 or 1) a judge sees left and which right, chosen by a hash."""
        ahead = min(range(2), key=lambda number: self.labels[number])
        return (ahead, 1 - ahead) if draw("judge", judge, self.key) % 2 else (1 - ahead, ahead)


@dataclass(frozen=True, kw_only=True)
class Contest:
    """Two variants, and the pairs of their answers that are to be judged."""

    labels: tuple[str, str]
    pairs: tuple[Pair, ...]
    equal: int = 0
    """Number of questions to which both variants gave the same answer; these are not judged."""
    only: tuple[int, int] = (0, 0)
    """Number of questions that only the first variant's model answered, and the same for the
    second."""
    neither: int = 0

    def queue(self, judge: str, judged: Collection[str] = ()) -> list[Pair]:
        """Return the pairs that a judge has not judged yet, in an order derived from a hash."""
        left = (pair for pair in self.pairs if pair.key not in judged)
        return sorted(left, key=lambda pair: (draw("judge order", judge, pair.key), pair.key))


def contest_in(
    path: Path, names: tuple[str, str], runs: Path, *, source: str | None = None
) -> Contest:
    """Return the contest between two variants of an evaluation's results.

    `names` are the variants' numbers from 1, their templates or models, or the full labels as the
    table shows them. `source` is the run, file or dataset with the moments; None means the one
    recorded in the results. Raises RunError or SettingError with the reason.
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
    moments: Mapping[str, ReadyMoment],
) -> Contest:
    """Return the contest over pairs of results of two variants."""
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
    """Return the index of the named variant.

    Raises SettingError, listing the variants, when there is no unique match.
    """
    if name.isdecimal() and 1 <= int(name) <= len(labels):
        return int(name) - 1
    meant = [number for number, label in enumerate(labels) if name in (label, *label.split(" · "))]
    if len(meant) == 1:
        return meant[0]
    listed = "; ".join(f"{number} {label}" for number, label in enumerate(labels, 1))
    what = "means several variants" if meant else "is no variant of this evaluation"
    raise SettingError(f"{name!r} {what}; it has: {listed}.")


def _moments(ids: set[str], source: str | None, runs: Path, path: Path) -> dict[str, ReadyMoment]:
    """Return moments by their ids; raise RunError if any of them cannot be found."""
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


def _serialise_answer(label: str, result: Result) -> str:
    return f"{label}\x1e{json.dumps(result.answer, sort_keys=True)}"
