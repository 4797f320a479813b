"""One figure: numbers as a table, with a chart of them where that helps."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Row = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ChartData:
    """One figure, with its table and its optional chart."""

    key: str
    title: str
    note: str
    head: Row
    rows: Sequence[Row]
    options: dict[str, Any] | None
    """Options of the chart; None where a table is better."""
    height: int = 0
    """Height of the chart in pixels."""
    commands: Sequence[str] = ()
    """Commands for a terminal that list the moments behind the figures."""


def height_of(count: int) -> int:
    """Return the height in pixels of a chart with `count` bars."""
    return 90 + 26 * max(count, 1)
