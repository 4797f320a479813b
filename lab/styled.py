"""Styled terminal text that cannot contain control sequences, and tables of it.

rich's own `Text` silently drops some control characters and passes others on. The text here makes
them visible, before anything is measured or wrapped.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Self, cast

from rich.box import SIMPLE_HEAD
from rich.style import Style
from rich.table import Table
from rich.text import Text as RichText  # noqa: TID251

from smolville.agents.wording import visible


class Text(RichText):
    """A rich text that shows control characters instead of passing them on."""

    def __init__(self, text: str = "", style: str | Style = "", **options: Any) -> None:
        """Create a text; the options are those of rich."""
        super().__init__(visible(text), style, **options)

    def append(self, text: RichText | str, style: str | Style | None = None) -> Self:
        """Append a text, and return this one."""
        super().append(visible(text) if isinstance(text, str) else text, style)
        return self

    @classmethod
    def assemble(cls, *parts: Any, **options: Any) -> Self:
        """Return a text made of parts, each plain or with its style."""
        return cast(Self, super().assemble(*parts, **options))


def plain_table(headings: Sequence[str], rows: Iterable[Sequence[str | RichText]]) -> Table:
    """Return a table: the first column holds words and may be folded, the others hold numbers."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    first, *others = headings
    table.add_column(first, overflow="fold", min_width=10)
    for heading in others:
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    return table
