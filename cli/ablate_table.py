"""The table of an ablation study."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from smolville.agents.times import moment
from smolville.agents.wording import format_count, percent, thousands
from smolville.cli.run.summary import format_seconds
from smolville.cli.tables import NONE
from smolville.lab.ablation import SeedRange, Study, StudyRow, describe_variant

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

NAME_WIDTH, MIND_WIDTH = 19, 13
"""Widths, in characters, of the column with the names and of each column of figures."""


class _Line(NamedTuple):
    """A line of the table: one figure for every kind of mind."""

    figure: str
    heading: str
    show: Callable[[float], str]


def _number(value: float) -> str:
    """Return a number with as many digits as it needs: `4.5`, `213`."""
    return f"{value:.1f}" if value < 10 and not float(value).is_integer() else f"{value:,.0f}"


def _tokens(value: float) -> str:
    return thousands(round(value))


def _share(value: float) -> str:
    return percent(value, 1, 0)


LINES = (
    _Line("calls", "calls", _number),
    _Line("prompt_tokens", "prompt tokens", _tokens),
    _Line("reply_tokens", "reply tokens", _tokens),
    _Line("model_seconds", "model time", format_seconds),
    _Line("actions", "actions", _number),
    _Line("activities", "distinct activities", _number),
    _Line("talks", "talks", _number),
    _Line("reflections", "reflections", _number),
    _Line("odd", "objected to", _share),
)
FAILED = _Line("failed_thoughts", "failed thoughts", _number)
"""The line that is shown only if a thought failed."""


@dataclass(frozen=True)
class StudyTable:
    """A study as tables, one per size of the cast, with a column per kind of mind."""

    study: Study
    goal: int

    def plain(self) -> object:
        """Return the study as plain data."""
        return {"until": moment(self.goal), **self.study.plain()}

    def render(self) -> "RenderableType":
        """Return the tables, with the range over seeds below each mean."""
        from rich.console import Group

        from smolville.cli.screen import console
        from smolville.lab.styled import Text

        fits = max(2, (console().width - NAME_WIDTH) // MIND_WIDTH)
        rows = self.study.rows()
        casts = dict.fromkeys(row.cast for row in rows)
        tables = [
            self._table(part)
            for cast in casts
            for part in _parts([row for row in rows if row.cast == cast], fits)
        ]
        return Group(*tables, Text(self._caption(), style="dim"))

    def _table(self, rows: Sequence[StudyRow]) -> "Table":
        """Return a table of these kinds of mind, for casts of one size."""
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold", padding=(0, 0))
        people = format_count(rows[0].cast, "person", "people")
        table.add_column(people, width=NAME_WIDTH, no_wrap=True)
        for row in rows:
            table.add_column(self._mind(row), justify="right", width=MIND_WIDTH - 1)
        has_failed = any(each.failed_thoughts for each in self.study.lived.values())
        for line in (*LINES, FAILED) if has_failed else LINES:
            cells = [_cell(line, row.figures[line.figure]) for row in rows]
            table.add_row(line.heading, *cells)
        return table

    def _mind(self, row: StudyRow) -> str:
        """Return a row's kind of mind, and the number of completed seeds if some are missing."""
        asked = len({cell.seed for cell in self.study.cells})
        some = f" ({len(row.seeds)} of {asked} seeds)" if len(row.seeds) < asked else ""
        return f"{describe_variant(row.without)}{some}"

    def _caption(self) -> str:
        """Return the caption that explains the numbers."""
        seeds = len({cell.seed for cell in self.study.cells})
        means = f", mean and range of {format_count(seeds, 'seed')}" if seeds > 1 else ""
        return (
            f"Up to {moment(self.goal)}, per person{means}. Activities are told apart without "
            "their digits."
        )


def _parts(rows: Sequence[StudyRow], fits: int) -> Iterator[Sequence[StudyRow]]:
    """Yield groups of rows that fit side by side; each begins with the first row of the study."""
    first, others = rows[:1], rows[1:]
    for start in range(0, max(1, len(others)), fits - 1):
        yield [*first, *others[start : start + fits - 1]]


def _cell(line: _Line, found: SeedRange | None) -> str:
    """Return the mean, and below it the range if the seeds differ."""
    if found is None:
        return NONE
    least, most = line.show(found.least), line.show(found.most)
    return line.show(found.mean) + ("" if least == most else f"\n{least}–{most}")
