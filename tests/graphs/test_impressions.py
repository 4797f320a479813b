"""A bond that began in town grows talk by talk; one that was there before stays what it is."""

from dataclasses import replace

import pytest

from smolville.agents.closeness import closeness_in_words
from smolville.agents.mind import Impression
from smolville.graphs.talk_memories import (
    FRIEND,
    FRIENDLY,
    MET,
    bond,
    impression_after,
    shared_events,
)
from tests.fixtures.scripted import Around
from tests.graphs.minds import mind_of, thinker

UNKNOWN = "You do not know them."


def _talks(count: int, feeling: str = "glad") -> Impression:
    """What is made of a stranger after so many talks."""
    seen: Impression | None = None
    for at in range(count):
        before = seen.relationship if seen else UNKNOWN
        seen = impression_after(
            seen, before, is_known=False, feeling=feeling, summary=f"talk {at}", at=at
        )
    assert seen is not None
    return seen


@pytest.mark.parametrize(
    ("talks", "bond"), [(1, MET), (2, MET), (3, FRIENDLY), (5, FRIENDLY), (6, FRIEND), (20, FRIEND)]
)
def test_a_stranger_becomes_a_friend_by_talks(talks: int, bond: str) -> None:
    seen = _talks(talks)
    assert (seen.relationship, seen.talks) == (bond, talks)
    assert (seen.summary, seen.at) == (f"talk {talks - 1}", talks - 1)


def _closer(old: Impression | None, at: int, feeling: str = "glad") -> Impression:
    """What is made of an acquaintance after one more talk."""
    was = old.relationship if old else UNKNOWN
    return impression_after(
        old, was, is_known=False, feeling=feeling, summary=f"talk {at}", at=at, lines=6
    )


def test_closeness_has_its_course_and_the_talks_before_stay_shared() -> None:
    seen: Impression | None = None
    for at in (100, 200, 300):
        seen = _closer(seen, at)
    assert seen is not None
    assert [at for at, _ in seen.course] == [100, 100, 200, 300]
    values = [value for _, value in seen.course]
    assert values == sorted(values)
    assert (values[0], values[-1]) == (0.1, seen.closeness)
    assert (seen.summary, seen.shared) == ("talk 300", ((100, "talk 100"), (200, "talk 200")))
    again = replace(seen, summary="talk 200")
    assert _closer(again, 500).shared == ((100, "talk 100"), (300, "talk 200")), "each once"
    hurt = _closer(seen, 400, "hurt")
    assert hurt.closeness is not None and hurt.closeness < values[-1]


def test_a_prompt_is_told_how_close_one_feels_and_what_was_shared() -> None:
    me = thinker(Around(tick=50))
    mind = mind_of(impressions={"Ben Hollis": _closer(_closer(None, 60), 120)})
    assert bond(me, mind, "Ben Hollis").endswith(closeness_in_words(0.2))
    told = shared_events(me, mind, "Ben Hollis")
    assert told == "You talked today 00:02: talk 120.", "an earlier one may be recalled"
    assert shared_events(me, mind, "Cora Vance") == ""
