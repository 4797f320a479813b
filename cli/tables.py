"""Tables of counts with a row per name, and cells that several tables share."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smolville.agents.times import moment
from smolville.history.counts import Counts

if TYPE_CHECKING:
    from rich.table import Table

ROOMY = 100
"""Screen width, in characters, from which every column is shown with its full heading."""
LEAST_NAME = 10
"""Minimum width of the name column on a narrow screen, in characters."""
TIGHT_NAME = 8
"""Minimum width of the name column in characters, if the table does not fit otherwise."""
ROOMY_NAME = 18
"""Minimum width of the name column on a wide screen, in characters."""
UNBOUND = 10_000
"""Width of a screen on which everything fits, in characters."""
NONE = "·"
"""Shown instead of a number for something that did not occur."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of numbers."""

    heading: str
    short: str
    """The heading on a narrow screen."""
    cell: Callable[[Counts, bool], str]
    """Return a row's number, or `NONE`, given its counts and whether the screen is narrow."""
    may_go: bool = False
    """Whether the column is omitted on a narrow screen when all its cells are `NONE`."""
    may_never: bool = False
    """Whether the column is omitted on any screen when all its cells are `NONE`."""
    is_bad: bool = False
    """Whether the column is highlighted when its total is not `NONE`."""


def counted_table(
    heading: str,
    columns: Sequence[Column],
    groups: Sequence[Mapping[str, Counts]],
    total: Counts,
    width: int = ROOMY,
) -> "Table":
    """Return a table of counts by name, in groups, and in total; it is narrowed to `width`."""
    table = _table(heading, columns, groups, total, is_narrow=width < ROOMY)
    if width >= ROOMY and _least_width(table) > width:
        table = _table(heading, columns, groups, total, is_narrow=True)
    if _least_width(table) > width:
        table.padding = (0, 0, 0, 0)
        names = table.columns[0]
        names.min_width, names.width = None, TIGHT_NAME
        longest = max(len(name) for group in groups for name in [*group, heading])
        names.width = max(TIGHT_NAME, min(longest, TIGHT_NAME + width - _least_width(table)))
    return table


def _least_width(table: "Table") -> int:
    """Return the minimum width of a table, in characters."""
    from smolville.cli.console import PlainTextConsole

    return PlainTextConsole(width=UNBOUND).measure(table).minimum


def short_model(model: str) -> str:
    """Return a model spec for lists, with `http://` and `/v1` removed from its server addresses."""
    return re.sub(r"https?://|/(?:v1/?)?(?= |$)", "", model)


def to_the_minute(at: int) -> str:
    """Return a town time without seconds, such as `1 07:12`."""
    return moment(at - at % 60)


def _table(
    heading: str,
    columns: Sequence[Column],
    groups: Sequence[Mapping[str, Counts]],
    total: Counts,
    *,
    is_narrow: bool,
) -> "Table":
    """Return a table whose padding and name column may shrink, but never its numbers."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    everything = [*(part for group in groups for part in group.values()), total]
    kept = [column for column in columns if _is_worth(column, everything, is_narrow)]
    table = Table(
        box=SIMPLE_HEAD,
        pad_edge=False,
        header_style="bold",
        padding=(0, 1, 0, 0) if is_narrow else (0, 1),
    )
    least = LEAST_NAME if is_narrow else ROOMY_NAME
    table.add_column(heading, min_width=least, overflow="fold")
    for column in kept:
        title = column.short if is_narrow else column.heading
        cells = [column.cell(part, is_narrow) for part in everything]
        table.add_column(
            title,
            justify="right",
            style="yellow" if column.is_bad and cells[-1] != NONE else None,
            no_wrap=True,
            min_width=max(len(text) for text in (title, *cells)),
        )
    for group in groups:
        for name, part in group.items():
            table.add_row(name, *(column.cell(part, is_narrow) for column in kept))
        table.add_section()
    table.add_row("all", *(column.cell(total, is_narrow) for column in kept), style="bold")
    return table


def _is_worth(column: Column, parts: Sequence[Counts], is_narrow: bool) -> bool:
    """Return whether to show a column: False if it may be omitted and all its cells are `NONE`."""
    may_go = column.may_never or (is_narrow and column.may_go)
    return not may_go or any(column.cell(part, is_narrow) != NONE for part in parts)
