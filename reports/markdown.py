"""Escape texts of models and people for Markdown, so that they are never read as markup."""

import re
from collections.abc import Sequence

from agents.wording import visible_line

_MARKS = re.compile(r"([\\`*_\[\]<>|~])")
_STARTS = re.compile(r"^([#+-]|\d+[.)])")


def plain(text: str) -> str:
    """Return a text on one line, with all Markdown escaped."""
    return _STARTS.sub(_escaped_start, _MARKS.sub(r"\\\1", visible_line(text)))


def listed(items: Sequence[str]) -> str:
    """Return `a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _escaped_start(found: re.Match[str]) -> str:
    """Return the start of a line, escaped so that it begins no heading or list."""
    mark = found[1]
    return f"\\{mark}" if len(mark) == 1 else f"{mark[:-1]}\\{mark[-1]}"
