"""Feelings towards others, and how they change."""

from typing import get_args

from smolville.agents.action import Talk, TalkLine
from smolville.agents.closeness import WARMTH
from smolville.parsers.conclude_talk import Feeling as Feelings
from smolville.reports.relations import Feeling, Relations, tone

ANN, BEN, CAT = "Ann Moss", "Ben Hill", "Cat Fern"


def test_every_feeling_that_a_talk_may_leave_has_a_tone() -> None:
    feelings = get_args(Feelings)
    assert {tone(each) for each in feelings} == {1, 0, -1}
    assert set(feelings) == set(WARMTH)


def feeling(who: str, of: str, at: int, now: str = "calm") -> Feeling:
    return Feeling(who=who, of=of, at=at, tick=at // 10, relationship="r", feeling=now)


def test_bonds_count_the_talks_up_to_a_moment_and_keep_the_last_feelings() -> None:
    talks = [
        Talk(
            id=f"talk/{at}",
            participants=people,
            place="",
            start=at,
            end=at + 10,
            lines=(TalkLine(speaker=people[0], text="hello", at=at),),
        )
        for at, people in ((100, (ANN, BEN)), (200, (BEN, ANN)), (300, (ANN, BEN, CAT)))
    ]
    known = Relations(
        people=(ANN, BEN, CAT),
        talks=talks,
        feelings=[feeling(ANN, BEN, 110, "glad"), feeling(BEN, ANN, 210)],
    )
    (early,) = known.bonds(150)
    assert (early.pair, len(early.talks)) == ((ANN, BEN), 1)
    assert early.lasts.keys() == {ANN}
    later = known.bonds(400)
    assert [(bond.pair, len(bond.talks)) for bond in later] == [
        ((ANN, BEN), 3),
        ((ANN, CAT), 1),
        ((BEN, CAT), 1),
    ]
    assert later[0].lasts.keys() == {ANN, BEN} and not later[1].lasts
    assert later[0].mood == "warm" and later[1].mood == ""
    assert known.bonds(50) == []
