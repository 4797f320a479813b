"""One set of figures: numbers as a table, and a chart of them where that helps."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Row = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One set of figures."""

    key: str
    title: str
    note: str
    head: Row
    rows: Sequence[Row]
    options: dict[str, Any] | None
    """Of the chart; None where a table says it best."""
    height: int = 0
    """Pixels of the chart."""
    commands: Sequence[str] = ()
    """Lines for a terminal that list the moments behind the figures."""


def height_of(count: int) -> int:
    """Return how high a chart of so many bars is."""
    return 90 + 26 * max(count, 1)
