"""Estimate tokens of prompts and replies, and cut a reply at its limit."""

from functools import lru_cache

from models.tokens import estimate_tokens


@lru_cache(maxsize=2048)
def tokens_of(text: str) -> int:
    """Return the approximate number of a text's tokens; texts shared by many prompts are cached."""
    return estimate_tokens(text)


def cut_to(text: str, most: int | None) -> tuple[str, bool]:
    """Return the text cut after `most` tokens, and whether it was cut."""
    if most is None or len(text) <= most:
        return text, False
    count = tokens_of(text)
    if count <= most:
        return text, False
    return text[: max(1, len(text) * most // count)], True
