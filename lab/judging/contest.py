"""Two variants' different answers to the same questions, to be judged, and the verdicts counted."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from smolville.agents.chance import draw
from smolville.agents.errors import RunError, SettingError
from smolville.agents.wording import format_count, percent
from smolville.graphs.alone import asked_person
from smolville.lab.evaluation.answers import outline
from smolville.lab.evaluation.asking import ReadyMoment, ready
from smolville.lab.evaluation.results import SOURCE, Result, read_results
from smolville.lab.evaluation.statistics import LEVEL, Share, format_p, share_of, sign_flip
from smolville.lab.evaluation.summary_view import format_interval
from smolville.lab.judging.verdicts import BAD, NONE, SAME, Verdicts
from smolville.lab.moments.finding import moments_from
from smolville.lab.single_step import PreparedStep


def who_of(use: PreparedStep) -> tuple[str, ...]:
    """Return a description of the person who was asked, in a few lines."""
    me = asked_person(use.inputs)
    facts = {"Character": me.innate, "Habits": me.lifestyle, "Home": me.home, "Work": me.work}
    lines = (f"{name}: {text}" for name, text in facts.items() if text)
    return f"{me.name}, {me.age} years old", *lines, f"On their mind: {me.currently}"


def case_of(use: PreparedStep) -> tuple[str, ...]:
    """Return the situation in a few lines: time, place, and the step's inputs."""
    text = _in_lines(use.inputs.model_dump(mode="json", exclude={"me", "now", "place"}))
    around = (
        ("It is", getattr(use.inputs, "now", "")),
        ("Place:", getattr(use.inputs, "place", "")),
    )
    known = (f"{words} {fact}" for words, fact in around if fact and str(fact) not in text)
    return *known, *text.splitlines()


def _in_lines(told: Mapping[str, Any]) -> str:
    return "\n".join(f"{name}: {_in_words(value)}" for name, value in told.items() if value)


def _in_words(value: Any) -> str:
    """Return a value on one line: a list's entries or a card's fields, one after another."""
    if isinstance(value, dict):
        return ", ".join(str(each) for each in value.values() if each not in ("", None))
    if isinstance(value, list):
        return " / ".join(_in_words(each) for each in value)
    return " ".join(str(value).split())


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
        parts = sorted(
            f"{label}\x1e{json.dumps(result.answer, sort_keys=True)}"
            for label, result in zip(self.labels, self.results, strict=True)
        )
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
    counts = Counter[str]()
    for results in answers:
        one, other = results
        if one.is_valid and other.is_valid and one.answer != other.answer:
            pairs.append(Pair(asked=moments[one.moment], labels=labels, results=results))
        elif one.is_valid and other.is_valid:
            counts["equal"] += 1
        else:
            counts["first" if one.is_valid else "second" if other.is_valid else "neither"] += 1
    return Contest(
        labels=labels,
        pairs=tuple(pairs),
        equal=counts["equal"],
        only=(counts["first"], counts["second"]),
        neither=counts["neither"],
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


@dataclass(frozen=True, kw_only=True)
class JudgeTally:
    """The counts of one judge's verdicts on two variants."""

    judge: str
    labels: tuple[str, str]
    pairs: int
    """Number of pairs to be judged."""
    wins: int
    """Pairs in which the second variant is preferred."""
    losses: int
    """Pairs in which the first variant is preferred."""
    same: int
    bad: int
    """Pairs in which both answers make no sense."""
    wavering: int
    """Pairs in which a model's preference changes when the order of the answers is reversed."""
    silent: int
    """Pairs for which a model gave no readable verdict."""
    share: Share
    """Share of pairs in which the second variant is preferred, among those with a preference."""
    p: float
    """p-value of the exact sign test over the moments."""

    @property
    def ties(self) -> int:
        """Pairs in which neither is preferred."""
        return self.same + self.bad + self.wavering

    @property
    def judged(self) -> int:
        """Pairs with a verdict."""
        return self.wins + self.losses + self.ties

    @property
    def left(self) -> int:
        """Pairs that have not been judged yet."""
        return self.pairs - self.judged - self.silent

    @property
    def sentence(self) -> str:
        """The answer to the question whether the second variant is better."""
        first, second = self.labels
        if not self.share.of:
            return f"Whether {second} is better cannot be told: no pair was decided."
        share, interval = percent(self.wins, self.share.of, 0), format_interval(self.share)
        figures = (
            f"it was preferred in {self.wins} of {format_count(self.share.of, 'decided pair')} "
            f"({share}, 95 % interval {interval} %; {format_p(self.p)})"
        )
        if self.p >= LEVEL:
            return f"Whether {second} is better cannot be told apart from chance: {figures}."
        if self.wins > self.losses:
            return f"Yes, {second} is better than {first}: {figures}."
        return f"No, {second} is worse than {first}: {figures}."

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        more = {"judged": self.judged, "left": self.left, "ties": self.ties}
        return {**asdict(self), "share": self.share.plain(), **more, "sentence": self.sentence}


def count_verdicts(contest: Contest, verdicts: Verdicts, judge: str) -> JudgeTally:
    """Return the counts of a judge's verdicts on a contest."""
    first, second = contest.labels
    given = verdicts.of(judge)
    judged = [(pair, given[pair.key]) for pair in contest.pairs if pair.key in given]
    counts = Counter(each.prefers for _, each in judged if not each.wavers)
    won: dict[str, list[bool]] = {}
    for pair, each in judged:
        if each.prefers in contest.labels:
            won.setdefault(pair.asked.id, []).append(each.prefers == second)
    return JudgeTally(
        judge=judge,
        labels=contest.labels,
        pairs=len(contest.pairs),
        wins=counts[second],
        losses=counts[first],
        same=counts[SAME],
        bad=counts[BAD],
        wavering=sum(each.wavers for _, each in judged),
        silent=counts[NONE],
        share=share_of([*won.values()]),
        p=sign_flip([2 * sum(turns) - len(turns) for turns in won.values()]),
    )


def agreed_on(contest: Contest, verdicts: Verdicts, one: str, other: str) -> tuple[int, int]:
    """Return on how many pairs two judges agree, and how many both judged.

    They agree if both prefer the first, the second, or neither.
    """

    def sides(judge: str) -> dict[str, str]:
        given = verdicts.of(judge).items()
        told = {key: each.prefers for key, each in given if each.prefers != NONE}
        return {key: side if side in contest.labels else SAME for key, side in told.items()}

    mine, theirs = sides(one), sides(other)
    both = [pair.key for pair in contest.pairs if pair.key in mine and pair.key in theirs]
    return sum(mine[key] == theirs[key] for key in both), len(both)
