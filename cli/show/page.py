"""A view of a run: data for programs, and the same as a page for people."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table


@dataclass(frozen=True)
class Page:
    """A view (`cli.screen.View`) whose data and parts are made."""

    data: object
    parts: Sequence[RenderableType]

    def plain(self) -> object:
        """Return the data, with stable keys."""
        return self.data

    def render(self) -> RenderableType:
        """Return the parts, one below the other."""
        return Group(*self.parts)


def grid(*styles: str) -> Table:
    """Return a table without lines: columns in these styles that never wrap, and one that does."""
    table = Table.grid(padding=(0, 2))
    for style in styles:
        table.add_column(style=style, no_wrap=True)
    table.add_column()
    return table
