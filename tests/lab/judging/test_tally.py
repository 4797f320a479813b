"""Verdicts counted: what may be said of two variants, and how far judges agree."""

import pytest

from smolville.lab.judging.contest import Contest, agreed_on, count_verdicts
from smolville.lab.judging.verdicts import BAD, NONE, SAME, PairVerdict, Verdicts
from smolville.lab.moments.moment import Moment
from tests.fixtures.judging import LABELS
from tests.fixtures.judging import contest as made

A, B = LABELS


def given(contest: Contest, *prefers: str, judge: str = "person") -> Verdicts:
    """Verdicts of a judge on the first pairs of a contest."""
    verdicts = Verdicts()
    for pair, each in zip(contest.pairs, prefers, strict=False):
        is_wavering = each == "wavers"
        told = SAME if is_wavering else each
        verdicts.keep(PairVerdict(pair=pair.key, judge=judge, prefers=told, wavers=is_wavering))
    return verdicts


def test_six_of_six_is_better_and_five_of_six_is_not_told(contest: Contest) -> None:
    told = count_verdicts(contest, given(contest, *[B] * 6), "person")
    assert (told.wins, told.ties, told.losses, told.p) == (6, 0, 0, 0.03125)
    assert told.sentence == (
        f"Yes, {B} is better than {A}: it was preferred in 6 of 6 decided pairs (100 %, 95 % "
        "interval 61–100 %; p = 0.031)."
    )
    told = count_verdicts(contest, given(contest, *[B] * 5, A), "person")
    assert told.p == pytest.approx(0.21875)
    assert told.sentence.startswith(f"Whether {B} is better cannot be told apart from chance")
    told = count_verdicts(contest, given(contest, *[A] * 6), "person")
    assert told.sentence.startswith(f"No, {B} is worse than {A}: it was preferred in 0 of 6")


def test_ties_of_every_kind_decide_nothing(contest: Contest) -> None:
    told = count_verdicts(contest, given(contest, SAME, BAD, "wavers", NONE, B), "person")
    assert (told.same, told.bad, told.wavering, told.silent) == (1, 1, 1, 1)
    assert (told.ties, told.left) == (3, 1)
    assert (told.share.count, told.share.of) == (1, 1)
    told = count_verdicts(contest, given(contest, SAME, BAD), "person")
    assert told.sentence == f"Whether {B} is better cannot be told: no pair was decided."
    assert told.plain()["share"] == {"count": 0, "of": 0, "share": None, "low": 0.0, "high": 1.0}


def test_the_same_verdicts_count_the_other_way_round_for_variants_turned(
    contest: Contest, moments: list[Moment]
) -> None:
    verdicts = given(contest, B, B, A)
    turned = Contest(labels=(B, A), pairs=made(moments).pairs)
    told = count_verdicts(turned, verdicts, "person")
    assert (told.wins, told.losses) == (1, 2)


def test_judges_agree_on_pairs_that_both_judged(contest: Contest) -> None:
    verdicts = given(contest, B, B, A, BAD, B)
    for pair, prefers in zip(contest.pairs, (B, A, A, SAME, NONE), strict=False):
        verdicts.keep(PairVerdict(pair=pair.key, judge="standin", prefers=prefers))
    assert agreed_on(contest, verdicts, "person", "standin") == (3, 4)
    assert agreed_on(contest, verdicts, "person", "nobody") == (0, 0)
