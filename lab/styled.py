"""Styled text for a terminal, in which nothing steers the terminal.

rich's own `Text` leaves out some control characters without a word and passes on the others. The
text here writes them out, before anything is measured or wrapped.
"""

from typing import Any, Self

from rich.style import Style
from rich.text import Text as RichText

from agents.wording import visible


class Text(RichText):
    """A text of rich whose control characters are written out."""

    def __init__(self, text: str = "", style: str | Style = "", **options: Any) -> None:
        """Make a text; the options are rich's."""
        super().__init__(visible(text), style, **options)

    def append(self, text: RichText | str, style: str | Style | None = None) -> Self:
        """Add a text at the end, and return this one."""
        super().append(visible(text) if isinstance(text, str) else text, style)
        return self

    @classmethod
    def assemble(cls, *parts: str | RichText | tuple[str, str | Style], **options: Any) -> Self:
        """Return a text made of parts, each of them plain or with its style."""
        made = cls(**options)
        for part in parts:
            if isinstance(part, tuple):
                made.append(*part)
            else:
                made.append(part)
        return made
