"""Coats and looks: people of a town are told apart."""

from smolville.viewer.playback.people import COATS, LOOKS, coat_of, looks_of


def test_no_two_of_a_town_look_the_same_and_newcomers_change_nobody() -> None:
    names = [f"Person {number}" for number in range(LOOKS)]
    looks = looks_of(names)
    assert sorted(looks) == list(range(LOOKS))
    assert looks_of(names[:25]) == looks[:25]
    assert looks_of([*names, "One More"])[:-1] == looks
    assert len({coat_of(number) for number in range(25)}) == 25
    assert coat_of(len(COATS)) == COATS[0]
