"""What operators write, made fit to be kept: one line, without control characters."""

from agents.errors import RunError


def one_line(text: str) -> str:
    """Return a text on one line, without control characters."""
    return "".join(letter if letter.isprintable() else " " for letter in " ".join(text.split()))


def worded(text: str, what: str) -> str:
    """Return what an operator wrote on one line; RunError when there is nothing."""
    plain = one_line(text).strip()
    if not plain:
        raise RunError(f"{what} needs some words.")
    return plain
