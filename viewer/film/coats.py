"""What people wear in a film: coats that are told apart, also by who is colour-blind, and looks."""

from collections.abc import Sequence

from agents.chance import draw

COATS = (
    *("#c44132", "#0cc1fd", "#1f2b94", "#8169dd", "#fd9320", "#642629", "#b88997", "#126686"),
    *("#6044b5", "#cc7200", "#a3215a", "#7899d0", "#50266b", "#48807c", "#b654b0", "#794220"),
    *("#7a975c", "#dd9ab9", "#319cfc", "#587339", "#394c94", "#425850", "#ef6856", "#fa92f1"),
    *("#956760", "#9782a8", "#d78f83", "#834ba8"),
)
"""Each is as far as can be from all before it, as eyes with and without red, green or blue see it,
and from grass and floors; the fewer people, the more their coats differ."""
LOOKS = 64
"""So many looks there are to choose from: hair, clothes and shape, as the page makes of them."""
_STRIDE = 5
"""Has no divisor in common with LOOKS, so that a search meets every one."""


def coat_of(number: int) -> str:
    """Return the colour of the coat of the person with a number."""
    return COATS[number % len(COATS)]


def looks_of(names: Sequence[str]) -> list[int]:
    """Return everybody's look: by the name, and another one for each of the first 64.

    Who comes later changes nobody's look.
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
