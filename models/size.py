"""A model's size, and what a model of that size can do."""

import re

# Both limits: docs/reference/small-models.md.
SMALL = 1e9
"""Number of parameters below which a model copies an example rather than learns from it."""
SHORT_OF_MEANING = 2e9
"""Number of parameters below which a model is too small to speak for itself, and asking it again
rarely helps."""
_UNITS = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMBT])", re.IGNORECASE)


def count_parameters(text: str) -> float | None:
    """Return a number of parameters such as `3.2B` or `134.5M`; None if unknown."""
    found = _SIZE.match(text.strip())
    return float(found[1]) * _UNITS[found[2].upper()] if found is not None else None


def parameters_in(name: str) -> str:
    """Return the number of parameters in a model's name, such as `1.5B`; empty if it has none."""
    found = re.search(r"(?i)(?<![\w.])(\d+(?:\.\d+)?[MB])(?![a-z0-9])", name)
    return found[1].upper() if found else ""


def is_below(text: str, limit: float) -> bool:
    """Return whether a number of parameters is known (not 0) and below a limit."""
    return 0 < (count_parameters(text) or 0) < limit


_INSTEAD = (
    (12 * 2**30, "an instruct model of 7 to 8 billion parameters, about 5 GB (llama3.1:8b)"),
    (5 * 2**30, "an instruct model of 3 to 4 billion parameters, about 2 GB (qwen2.5:3b)"),
)
"""The model to take instead on a machine with at least this many bytes of memory."""


def warn_if_small(parameters: str, memory: int | None) -> str:
    """Return that a model is too small to speak for itself, and what to take instead; else "".

    `memory` is this machine's in bytes, None if unknown. The model may be used all the same.
    """
    if not is_below(parameters, SHORT_OF_MEANING):
        return ""
    instead = next((name for least, name in _INSTEAD if memory is None or memory >= least), "")
    better = f"take {instead}" if instead else "this machine's memory holds no larger one"
    return (
        f"a model of {parameters.strip()} parameters is too small to speak for itself: much of "
        f"what people say and plan will make little sense; {better}"
    )
