"""A table of the fixed points of people's days: time, activity, and source."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphs.frame.sources import FixedPoint

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table


@dataclass(frozen=True)
class HabitsView:
    """The fixed points of several people's days."""

    people: Mapping[str, Sequence[FixedPoint]]

    def plain(self) -> object:
        """Return each person's fixed points, by name."""
        return {name: [each.plain() for each in points] for name, points in self.people.items()}

    def render(self) -> "RenderableType":
        """Return a table for each person."""
        from rich.console import Group

        from lab.styled import Text

        lines: list[RenderableType] = []
        for name, points in self.people.items():
            lines += [Text(), Text(name, style="bold"), habits_table(points)]
        return Group(*lines)


def habits_table(points: Sequence[FixedPoint]) -> "Table":
    """Return the fixed points of somebody's days, one a row."""
    from rich.table import Table

    from lab.styled import Text

    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(ratio=1)
    table.add_column(ratio=1)
    for each in points:
        days = f" ({', '.join(day[:3] for day in each.days)})" if each.days else ""
        style = "yellow" if each.source == "usual" else "dim"
        origin = Text(each.origin(), style=style)
        table.add_row(Text(each.name), Text(each.time), Text(each.activity + days), origin)
    return table
