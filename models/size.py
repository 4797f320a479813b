"""How large a model is, and what that says about what it can be asked."""

import re

# Both limits: docs/small-models.md.
SMALL = 1e9
"""Parameters below which a model copies an example sooner than learns from it."""
SHORT_OF_MEANING = 2e9
"""Parameters below which a model chooses better than it answers, and asking again rarely helps."""
_UNITS = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMBT])", re.IGNORECASE)


def count_parameters(text: str) -> float | None:
    """Return a number of parameters such as `3.2B` or `134.5M`; None where it is not told."""
    found = _SIZE.match(text.strip())
    return float(found[1]) * _UNITS[found[2].upper()] if found is not None else None


def is_below(text: str, limit: float) -> bool:
    """Return whether a number of parameters is known and below a limit; 0 says that it is not."""
    return 0 < (count_parameters(text) or 0) < limit


def shapes_for_size(text: str) -> str:
    """Return the setting `shapes` for a model of so many parameters: `narrow` for a small one."""
    return "narrow" if is_below(text, SHORT_OF_MEANING) else "full"
