"""Verdicts counted: wins, ties and losses, their significance, and the agreement of judges."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from smolville.agents.wording import format_count, percent
from smolville.lab.evaluation.counts import Share
from smolville.lab.evaluation.statistics import LEVEL, clustered_interval, format_p, sign_flip
from smolville.lab.evaluation.summary_view import format_interval
from smolville.lab.judging.pairs import Contest
from smolville.lab.judging.verdicts import BAD, NONE, SAME, PairVerdict, Verdicts


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
        return {
            "judge": self.judge,
            "pairs": self.pairs,
            "judged": self.judged,
            "left": self.left,
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "same": self.same,
            "both_bad": self.bad,
            "wavering": self.wavering,
            "no_verdict": self.silent,
            "share": self.share.plain(),
            "p": self.p,
            "sentence": self.sentence,
        }


@dataclass(frozen=True, kw_only=True)
class JudgeAgreement:
    """Agreement of two judges on the pairs that both judged."""

    judges: tuple[str, str]
    pairs: int
    agreed: int
    """Pairs with the same verdict by both: the first, the second, or neither."""
    kappa: float | None
    """Cohen's kappa (1960): 1 for full agreement, 0 for chance level; None if it is undefined."""

    @property
    def sentence(self) -> str:
        """The agreement in words."""
        one, other = self.judges
        text = f"{one} and {other} agree on {self.agreed} of {format_count(self.pairs, 'pair')}"
        if self.kappa is None:
            return f"{text}; kappa has no value where every verdict is the same."
        return f"{text} ({percent(self.agreed, self.pairs, 0)}); Cohen's kappa {self.kappa:.2f}."

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        kappa = None if self.kappa is None else round(self.kappa, 4)
        both = {"judges": list(self.judges), "pairs": self.pairs, "agreed": self.agreed}
        return {**both, "kappa": kappa}


def count_verdicts(contest: Contest, verdicts: Verdicts, judge: str) -> JudgeTally:
    """Return the counts of a judge's verdicts on a contest."""
    first, second = contest.labels
    given = verdicts.of(judge)
    judged = [(pair, given[pair.key]) for pair in contest.pairs if pair.key in given]
    counts = Counter(each.prefers for _, each in judged if not each.wavers)
    gains: dict[str, list[int]] = {}
    for pair, each in judged:
        if each.prefers in contest.labels:
            gains.setdefault(pair.asked.moment.id, []).append(1 if each.prefers == second else -1)
    won = [sum(each > 0 for each in turns) for turns in gains.values()]
    decided = [len(turns) for turns in gains.values()]
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
        share=Share(count=sum(won), of=sum(decided), interval=clustered_interval(won, decided)),
        p=sign_flip([sum(turns) for turns in gains.values()]),
    )


def measure_agreements(
    contest: Contest, verdicts: Verdicts, judges: Sequence[str]
) -> list[JudgeAgreement]:
    """Return the agreement between any two judges who judged some of the same pairs."""
    found = []
    for one, other in combinations(judges, 2):
        mine, theirs = verdicts.of(one), verdicts.of(other)
        both = [
            (_side(mine[pair.key], contest), _side(theirs[pair.key], contest))
            for pair in contest.pairs
            if _is_told(mine, pair.key) and _is_told(theirs, pair.key)
        ]
        if both:
            agreed = sum(left == right for left, right in both)
            found.append(
                JudgeAgreement(
                    judges=(one, other), pairs=len(both), agreed=agreed, kappa=kappa_of(both)
                )
            )
    return found


def kappa_of(both: Sequence[tuple[str, str]]) -> float | None:
    """Return Cohen's kappa of two judges' verdicts.

    Returns None when there are no verdicts, or when agreement by chance is certain.
    """
    if not both:
        return None
    seen = sum(left == right for left, right in both) / len(both)
    one, other = Counter(left for left, _ in both), Counter(right for _, right in both)
    chance = sum(one[name] * other[name] for name in one) / len(both) ** 2
    return None if chance == 1 else (seen - chance) / (1 - chance)


def _is_told(given: Mapping[str, PairVerdict], pair: str) -> bool:
    return pair in given and given[pair].prefers != NONE


def _side(verdict: PairVerdict, contest: Contest) -> str:
    """Return the label of the preferred variant, or `tie` for neither."""
    return verdict.prefers if verdict.prefers in contest.labels else "tie"
