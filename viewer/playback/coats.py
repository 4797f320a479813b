"""Appearance of people in a film: coat colours that are easy to tell apart, and looks.

The colours are also distinguishable with colour-blindness.
"""

from collections.abc import Sequence

from agents.chance import draw

COATS = (
    *("#c44132", "#0cc1fd", "#1f2b94", "#8169dd", "#fd9320", "#642629", "#b88997", "#126686"),
    *("#6044b5", "#cc7200", "#a3215a", "#7899d0", "#50266b", "#48807c", "#b654b0", "#794220"),
    *("#7a975c", "#dd9ab9", "#319cfc", "#587339", "#394c94", "#425850", "#ef6856", "#fa92f1"),
    *("#956760", "#9782a8", "#d78f83", "#834ba8"),
)
"""Coat colours. Each is as different as possible from all before it, as seen with and without red,
green or blue vision, and from grass and floors; so the fewer people, the more their coats
differ."""
LOOKS = 64
"""Number of different looks; the page derives hair, clothes and shape from the number."""
_STRIDE = 5
"""Step of the search for a free look; it has no divisor in common with LOOKS, so that every look is
reached."""


def coat_of(number: int) -> str:
    """Return the coat colour of the person with this number."""
    return COATS[number % len(COATS)]


def looks_of(names: Sequence[str]) -> list[int]:
    """Return everybody's look, derived from the name and unique among the first 64 people.

    A person who arrives later does not change the looks of the others.
    """
    found: list[int] = []
    for name in names:
        look = draw("look", name) % LOOKS
        for _ in range(LOOKS):
            if look not in found:
                break
            look = (look + _STRIDE) % LOOKS
        found.append(look)
    return found
