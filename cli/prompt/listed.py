"""The templates as a table, each with its variables beneath."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lab.prompting.listing import RUNS, TemplateRow

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lab.styled import Text

SIZES = "Beneath: hash, variables. Sizes in tokens, estimated."
HEADINGS = (
    *("step", "tier", "stable", "volatile"),
    *("uses", "sensible", "clean", "mended", "repaired", "fallback"),
)
WORDS = 2
"""Number of columns that hold words; the others hold numbers."""
INDENT = 2
"""Number of spaces before a template's hash and its variables."""


@dataclass(frozen=True)
class ListView:
    """All templates."""

    rows: list[TemplateRow]

    def plain(self) -> object:
        """Return a list with an object per template."""
        return [row.plain() for row in self.rows]

    def render(self) -> "RenderableType":
        """Return the table."""
        from rich.console import Group
        from rich.padding import Padding

        from lab.styled import Text

        cells = [_cells(row) for row in self.rows]
        widths = [max(map(len, column)) for column in zip(HEADINGS, *cells, strict=True)]
        parts: list[RenderableType] = [_line(HEADINGS, widths, "bold")]
        for row, words in zip(self.rows, cells, strict=True):
            parts.append(_line(words, widths, ""))
            beneath = Text(f"{row.version}  {' '.join(row.variables)}", style="dim")
            parts.append(Padding(beneath, (0, 0, 0, INDENT), expand=False))
        return Group(*parts, Text(), Text(self._note(), style="dim"))

    def _note(self) -> str:
        """Return a note that explains the numbers."""
        counted = max((row.runs for row in self.rows), default=0)
        if not counted:
            return f"{SIZES} No run has asked with these templates yet."
        latest = "the latest run" if counted == 1 else f"the latest {counted} runs"
        return (
            f"{SIZES} Shares of {latest} with the very template (at most {RUNS}); repaired counts "
            "what the strong model put right too."
        )


def _cells(row: TemplateRow) -> tuple[str, ...]:
    """Return the cells of a template's row."""
    shares = (
        row.sensible / row.uses if row.uses else None,
        row.share("clean"),
        row.share("mended"),
        row.share("repaired", "escalated"),
        row.share("fallback"),
    )
    return (
        *(row.step, row.tier, str(row.stable), str(row.volatile)),
        str(row.uses or ""),
        *("" if share is None else f"{share:.0%}" for share in shares),
    )


def _line(cells: tuple[str, ...], widths: list[int], style: str) -> "Text":
    from lab.styled import Text

    told = [
        cell.ljust(width) if number < WORDS else cell.rjust(width)
        for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return Text(" ".join(told).rstrip(), style=style, no_wrap=True)
