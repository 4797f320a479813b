"""Objects that only one person can use at a time, so that others have to wait."""

from models.standin.words import stems

_SINGLE = stems("shower toilet bathroom sink stove piano bathtub espresso")


def is_in_the_way(theirs: str, mine: str) -> bool:
    """Return True when both activities name the same object that serves one person at a time."""
    return bool(stems(theirs) & stems(mine) & _SINGLE)
