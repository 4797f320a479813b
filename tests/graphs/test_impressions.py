"""A bond that began in town grows talk by talk; one that was there before stays what it is."""

import pytest

from agents.mind import Impression
from graphs.impressions import FRIEND, FRIENDLY, MET, after_talk, format_feeling

UNKNOWN = "You do not know them."


def _talks(count: int, feeling: str = "glad") -> Impression:
    """What is made of a stranger after so many talks."""
    seen: Impression | None = None
    for at in range(count):
        before = seen.relationship if seen else UNKNOWN
        seen = after_talk(
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


def test_no_bond_grows_while_one_is_hurt() -> None:
    assert _talks(9, "hurt").relationship == MET


def test_a_bond_that_the_persona_has_stays_in_its_words() -> None:
    seen = after_talk(None, "Her sister.", is_known=True, feeling="glad", summary="bread", at=9)
    assert (seen.relationship, seen.feeling) == ("Her sister.", "glad")


def test_a_feeling_is_told_as_a_sentence() -> None:
    assert format_feeling("glad") == "After your last talk you felt glad."
    assert (format_feeling(""), format_feeling("She trusts him.")) == ("", "She trusts him.")
