"""A console on which only rich's own codes reach the terminal, never those within a text."""

from collections.abc import Iterable
from typing import IO, Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from agents.wording import visible


class PlainTextConsole(Console):
    """A console without markup: texts are shown letter by letter, control characters written out.

    Strings are written out before they are measured and wrapped, as `lab.styled.Text` is. What
    reaches the screen by another way is written out at the end; no text becomes a link.
    """

    def __init__(self, *, on_stderr: bool = False, width: int | None = None) -> None:
        """Make a console on standard output, or on standard error."""
        super().__init__(stderr=on_stderr, markup=False, emoji=False, highlight=False, width=width)

    @property
    def file(self) -> IO[str]:
        """The stream beneath all others: behind a clean one, and behind what a bar puts before it.

        Rich itself looks through one of them only, and a bar stands before a clean stream.
        """
        found = super().file
        while (beneath := getattr(found, "rich_proxied_file", found)) is not found:
            found = beneath
        return found

    @file.setter
    def file(self, new_file: IO[str]) -> None:
        """Write to another stream."""
        self._file = new_file

    def render_str(self, text: str, **options: Any) -> Text:
        """Return a string as a text that can be measured."""
        return super().render_str(visible(text), **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yield the pieces of what is shown; rich's own control codes are pieces apart."""
        for text, style, control in super().render(renderable, options):
            if control:
                yield Segment(text, style, control)
                continue
            if style is not None and style.link:
                style = style.update_link(None)
            yield Segment(visible(text), style)
