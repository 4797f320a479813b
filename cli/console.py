"""A rich console that escapes control characters in texts, but keeps rich's own control codes."""

import re
from collections.abc import Iterable
from typing import IO, Any, cast

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text  # noqa: TID251 - the one place

from smolville.agents.wording import visible


class _TrimmedStream:
    """A stream without the blanks at the ends of lines, with which rich fills tables."""

    def __init__(self, beneath: IO[str]) -> None:
        """Wrap a stream."""
        self._beneath = beneath

    def write(self, text: str) -> int:
        """Write a text, and return its length."""
        self._beneath.write(re.sub(r" +\n", "\n", text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        """Return this attribute of the stream beneath."""
        return getattr(self._beneath, name)


class PlainTextConsole(Console):
    """A console without markup: texts are shown literally, with control characters escaped.

    Strings are escaped before they are measured and wrapped, as in `lab.styled.Text`. Any other
    text is escaped just before it is written. No text becomes a link.
    """

    def __init__(self, *, on_stderr: bool = False, width: int | None = None) -> None:
        """Create a console on standard output, or on standard error."""
        super().__init__(stderr=on_stderr, markup=False, emoji=False, highlight=False, width=width)

    @property
    def file(self) -> IO[str]:
        """The original stream, which a `CleanStream` and a progress bar's proxy may wrap.

        Rich itself removes only one wrapper, and a progress bar's proxy wraps a clean stream. If it
        is no terminal, blanks at the ends of lines are left out.
        """
        found = super().file
        while (beneath := getattr(found, "rich_proxied_file", found)) is not found:
            found = beneath
        return found if found.isatty() else cast("IO[str]", _TrimmedStream(found))

    @file.setter
    def file(self, new_file: IO[str]) -> None:
        """Set the stream to which the console writes."""
        self._file = new_file

    def render_str(self, text: str, **options: Any) -> Text:
        """Return a string as an escaped `Text` that can be measured."""
        return super().render_str(visible(text), **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yield the segments to print; rich's own control codes are separate segments."""
        for text, style, control in super().render(renderable, options):
            if control:
                yield Segment(text, style, control)
                continue
            if style is not None and style.link:
                style = style.update_link(None)
            yield Segment(visible(text), style)
