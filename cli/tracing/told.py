"""Times, tokens and outcomes, as both the list and the tree write them."""

from collections.abc import Mapping
from typing import Any

from world.telling.shares import percent

STYLES = {
    "clean": "green",
    "mended": "green",
    "repaired": "cyan",
    "escalated": "cyan",
    "fallback": "yellow",
    "failed": "red",
}
"""How an outcome looks."""


def duration(milliseconds: float) -> str:
    """Return a time as people read it: `0.8 ms`, `46 ms`, `12.3 s`, `4 min 5 s`."""
    if milliseconds < 9.95:
        return f"{milliseconds:.1f} ms"
    if milliseconds < 999.5:
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000.0
    return f"{seconds:.1f} s" if seconds < 100 else f"{seconds // 60:.0f} min {seconds % 60:.0f} s"


def tokens(told: Mapping[str, Any]) -> str:
    """Return what was asked and said: `715 → 55 tokens, 97 % cached`; empty when nobody told."""
    asked, said = told.get("prompt_tokens"), told.get("completion_tokens")
    if asked is None and said is None:
        return ""
    both = f"{_number(asked)} → {_number(said)} tokens"
    cached = told.get("cached_tokens")
    if cached is None or not asked:
        return both
    return f"{both}, {percent(cached, asked, digits=0)} cached"


def _number(count: int | None) -> str:
    return "?" if count is None else f"{count:,}"
