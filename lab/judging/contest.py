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
from smolville.agents.wording import format_count
from smolville.graphs.alone import asked_person
from smolville.lab.evaluation.answers import outline
from smolville.lab.evaluation.asking import ReadyMoment, ready
from smolville.lab.evaluation.results import SOURCE, Result, read_results
from smolville.lab.evaluation.statistics import FEWEST, LEVEL, Share, format_p, share_of, sign_flip
from smolville.lab.judging.verdicts import BAD, NONE, SAME, Verdicts
from smolville.lab.moments.finding import moments_of_all
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
    unmatched: int = 0
    """Number of questions to which one variant, or neither, has an answer by a model."""

    def queue(self, judge: str, judged: Collection[str] = ()) -> list[Pair]:
        """Return the pairs that a judge has not judged yet, in an order derived from a hash."""
        left = (pair for pair in self.pairs if pair.key not in judged)
        return sorted(left, key=lambda pair: (draw("judge order", judge, pair.key), pair.key))


def contest_in(path: Path, names: tuple[str, str], runs: Path) -> Contest:
    """Return the contest between two variants of an evaluation's results.

    `names` are the variants' numbers from 1, their templates or models, or the full labels as the
    table shows them. Raises RunError or SettingError with the reason.
    """
    head, kept = read_results(path)
    labels = [str(each) for each in head["asked"].get("variants", ())]
    first, second = (_variant(name, labels) for name in names)
    if first == second:
        raise SettingError(f"{names[0]!r} and {names[1]!r} are the same variant; name two.")
    known = kept.results
    both = [
        (known[moment, first, turn], known[moment, second, turn])
        for moment, variant, turn in known
        if variant == first and (moment, second, turn) in known
    ]
    if not both:
        raise RunError(f"{str(path)!r} has no question that both variants answered yet.")
    ids = {one.moment for one, _ in both}
    where = head.get(SOURCE, ())
    found = moments_of_all([where] if isinstance(where, str) else where, runs)
    moments = {moment.id: ready(moment) for moment in found if moment.id in ids}
    if gone := sorted(ids - moments.keys()):
        raise RunError(f"The moment {gone[0]!r} of {str(path)!r} is no longer there.")
    return contest_of((labels[first], labels[second]), both, moments)


def contest_of(
    labels: tuple[str, str],
    answers: Iterable[tuple[Result, Result]],
    moments: Mapping[str, ReadyMoment],
) -> Contest:
    """Return the contest over pairs of results of two variants."""
    found = list(answers)
    valid = [two for two in found if two[0].is_valid and two[1].is_valid]
    pairs = [
        Pair(asked=moments[two[0].moment], labels=labels, results=two)
        for two in valid
        if two[0].answer != two[1].answer
    ]
    return Contest(
        labels=labels,
        pairs=tuple(pairs),
        equal=len(valid) - len(pairs),
        unmatched=len(found) - len(valid),
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
    """p-value of the exact sign test over people."""
    people: int
    """Number of people, each counted once per run, to whom the decided pairs belong."""

    @property
    def ties(self) -> int:
        """Pairs in which neither is preferred."""
        return self.same + self.bad + self.wavering

    @property
    def left(self) -> int:
        """Pairs that have not been judged yet."""
        return self.pairs - self.wins - self.losses - self.ties - self.silent

    @property
    def sentence(self) -> str:
        """The answer to the question whether the second variant is better."""
        first, second = self.labels
        if not self.share.of:
            return f"Whether {second} is better cannot be told: no pair was decided."
        figures = (
            f"it was preferred in {self.wins} of {format_count(self.share.of, 'decided pair')} "
            f"({self.share.percentage}, 95 % interval {self.share.bounds} %; {format_p(self.p)})"
        )
        if self.people < FEWEST:
            few = f"{self.people} {'person is' if self.people == 1 else 'people are'} too few"
            return f"Whether {second} is better cannot be told, {few} ({FEWEST}): {figures}."
        if self.p >= LEVEL:
            return f"Whether {second} is better cannot be told apart from chance: {figures}."
        if self.wins > self.losses:
            return f"Yes, {second} is better than {first}: {figures}."
        return f"No, {second} is worse than {first}: {figures}."

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        more = {"left": self.left, "ties": self.ties, "sentence": self.sentence}
        return {**asdict(self), "share": self.share.plain(), **more}


def count_verdicts(contest: Contest, verdicts: Verdicts, judge: str) -> JudgeTally:
    """Return the counts of a judge's verdicts on a contest."""
    first, second = contest.labels
    given = verdicts.of(judge)
    judged = [(pair, given[pair.key]) for pair in contest.pairs if pair.key in given]
    counts = Counter(each.prefers for _, each in judged if not each.wavers)
    won: dict[str, dict[str, list[bool]]] = {}
    for pair, each in judged:
        if each.prefers in contest.labels:
            by_moment = won.setdefault(pair.asked.person, {})
            by_moment.setdefault(pair.asked.id, []).append(each.prefers == second)
    units = [[*by_moment.values()] for by_moment in won.values()]
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
        share=share_of(units),
        p=sign_flip([sum(2 * sum(turns) - len(turns) for turns in unit) for unit in units]),
        people=len(units),
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
