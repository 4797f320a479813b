"""What operators write, made fit to be kept: one line, without control characters."""

from agents.errors import RunError

LONGEST = 2_000
"""Letters of what an operator says to a town at once."""


def one_line(text: str) -> str:
    """Return a text on one line, without control characters."""
    return "".join(letter if letter.isprintable() else " " for letter in " ".join(text.split()))


def worded(text: str, what: str) -> str:
    """Return what an operator wrote on one line; RunError when there is nothing, or too much."""
    plain = one_line(text).strip()
    if not plain:
        raise RunError(f"{what} needs some words.")
    if len(plain) > LONGEST:
        raise RunError(f"{what} has at most {LONGEST:,} letters; this has {len(plain):,}.")
    return plain
