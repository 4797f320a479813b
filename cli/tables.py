"""What the views of several commands share: pages, tables, cells and widths."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table

from smolville.agents.times import moment

ROOMY = 100
"""Screen width, in characters, from which every column is shown with its full heading."""
NONE = "·"
"""Shown instead of a number for something that did not occur."""


def short_model(model: str) -> str:
    """Return a model spec for lists, with `http://` and `/v1` removed from its server addresses."""
    return re.sub(r"https?://|/(?:v1/?)?(?= |$)", "", model)


def to_the_minute(at: int) -> str:
    """Return a town time without seconds, such as `1 07:12`."""
    return moment(at - at % 60)


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
