"""A model's size, and which kind of questions suits it."""

import re

# Both limits: docs/small-models.md.
SMALL = 1e9
"""Number of parameters below which a model copies an example rather than learns from it."""
SHORT_OF_MEANING = 2e9
"""Number of parameters below which a model is better at choosing than at answering, and asking it
again rarely helps."""
_UNITS = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMBT])", re.IGNORECASE)


def count_parameters(text: str) -> float | None:
    """Return a number of parameters such as `3.2B` or `134.5M`; None if unknown."""
    found = _SIZE.match(text.strip())
    return float(found[1]) * _UNITS[found[2].upper()] if found is not None else None


def is_below(text: str, limit: float) -> bool:
    """Return whether a number of parameters is known (not 0) and below a limit."""
    return 0 < (count_parameters(text) or 0) < limit


def shapes_for_size(text: str) -> str:
    """Return the setting `shapes` for a model of this size: `narrow` for a small one."""
    return "narrow" if is_below(text, SHORT_OF_MEANING) else "full"
