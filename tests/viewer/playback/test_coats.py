"""Coats and looks: people of a town are told apart, also by those who see colours otherwise."""

from itertools import combinations
from math import copysign, dist

from smolville.viewer.playback.entries import COATS, LOOKS, coat_of, looks_of

SIGHTS = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no blue": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Machado, Oliveira and Fernandes (2009), severity 1: what is seen of linear red, green, blue."""
_CONES = ((0.41222, 0.53633, 0.05145), (0.21190, 0.68070, 0.10740), (0.08830, 0.28172, 0.62998))
_OKLAB = ((0.21045, 0.79362, -0.00407), (1.97800, -2.42859, 0.45059), (0.02590, 0.78277, -0.80868))


def times(matrix: tuple[tuple[float, ...], ...], values: list[float]) -> list[float]:
    """A matrix times a column."""
    return [sum(a * b for a, b in zip(row, values, strict=True)) for row in matrix]


def seen(colour: str, sight: str) -> list[float]:
    """Return where a colour lies in Oklab, in hundredths, for a kind of eyes."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    cones = times(_CONES, times(SIGHTS[sight], linear))
    return [100 * each for each in times(_OKLAB, [copysign(abs(c) ** (1 / 3), c) for c in cones])]


def nearest(colours: tuple[str, ...]) -> float:
    """Return how far the two most alike are apart, for the eyes that tell them worst."""
    return min(
        dist(seen(one, sight), seen(other, sight))
        for one, other in combinations(colours, 2)
        for sight in SIGHTS
    )


def test_coats_are_told_apart_whatever_eyes_one_has() -> None:
    assert len(set(COATS)) == len(COATS) >= 25
    # Two hundredths are just about seen side by side.
    assert nearest(COATS[:8]) > 8
    assert nearest(COATS[:16]) > 6
    assert nearest(COATS) > 4


def test_no_two_of_a_town_look_the_same_and_newcomers_change_nobody() -> None:
    names = [f"Person {number}" for number in range(LOOKS)]
    looks = looks_of(names)
    assert sorted(looks) == list(range(LOOKS))
    assert looks_of(names[:25]) == looks[:25]
    more = looks_of([*names, "One More"])
    assert more[:-1] == looks and more[-1] in range(LOOKS)
    assert [coat_of(number) for number in range(25)] == list(COATS[:25])
    assert coat_of(len(COATS)) == COATS[0]
