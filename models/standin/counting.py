"""How many tokens a prompt or a reply has, and where a reply ends at its limit."""

from functools import lru_cache

from models.tokens import estimate_tokens


@lru_cache(maxsize=2048)
def tokens_of(text: str) -> int:
    """Return about how many tokens a text has; what many prompts share is counted once."""
    return estimate_tokens(text)


def cut_to(text: str, most: int | None) -> tuple[str, bool]:
    """Return the text as far as `most` tokens reach, and whether it was cut."""
    if most is None or len(text) <= most:
        return text, False
    count = tokens_of(text)
    if count <= most:
        return text, False
    return text[: max(1, len(text) * most // count)], True
