"""Standard output and standard error as streams that no text can steer a terminal through.

Whatever is printed past the console comes this way: usage errors and help, warnings, tracebacks,
what libraries say. A console writes to the stream beneath, since its own codes must arrive.
"""

import contextlib
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TextIO, cast

from agents.wording import visible


class CleanStream:
    """A text stream that writes control characters out; all else is as in the stream beneath."""

    def __init__(self, beneath: TextIO) -> None:
        """Stand before a stream."""
        self.beneath = beneath

    @property
    def rich_proxied_file(self) -> TextIO:
        """The stream to which rich's consoles write: rich looks for this name."""
        return cast("TextIO", getattr(self.beneath, "rich_proxied_file", self.beneath))

    def write(self, text: str) -> int:
        """Write a text; return how many of its letters were written, which is all."""
        self.beneath.write(visible(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        """Return what the stream beneath has under this name."""
        return getattr(self.beneath, name)


def clean(stream: TextIO) -> TextIO:
    """Return a stream behind which nothing steers a terminal."""
    is_clean = stream is None or isinstance(stream, CleanStream)
    return stream if is_clean else cast("TextIO", CleanStream(stream))


def clean_for_good() -> None:
    """Clean standard output and error until the process ends: its last traceback too."""
    sys.stdout, sys.stderr = clean(sys.stdout), clean(sys.stderr)


@contextlib.contextmanager
def clean_streams() -> Iterator[None]:
    """Clean standard output and standard error while the block runs.

    A stream that was put in place meanwhile stays: typer puts one where a pipe was closed.
    """
    before = sys.stdout, sys.stderr
    clean_for_good()
    ours = sys.stdout, sys.stderr
    try:
        yield
    finally:
        if sys.stdout is ours[0]:
            sys.stdout = before[0]
        if sys.stderr is ours[1]:
            sys.stderr = before[1]
