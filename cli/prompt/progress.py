"""What is seen of an evaluation while it asks: a bar on a terminal, a line a minute elsewhere."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from cli.run.expected import time_left
from cli.screen import console, waiting_told
from lab.listening import Calls
from models.errors import TransportError

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

A_SECOND = 8
"""So often the bar is drawn anew."""


class Progress:
    """Shows how many questions are answered, how many sensibly, and how long it will be."""

    def __init__(self, total: int, calls: Calls) -> None:
        self.is_drawn = sys.stderr.isatty()
        self._total = total
        self._bar: Bar | None = None
        self._waited = 0.0
        self._calls = calls
        self._done, self._before = 0, 0
        self._began = 0.0

    def __enter__(self) -> "Progress":
        """Draw the bar, where there is a terminal."""
        if self.is_drawn:
            from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(
                TextColumn("Asking", markup=False),
                BarColumn(),
                TextColumn("{task.completed:,.0f} of {task.total:,.0f}", markup=False),
                TextColumn("{task.fields[told]}", style="dim", markup=False),
                TimeRemainingColumn(compact=True),
                console=console(on_stderr=True),
                refresh_per_second=A_SECOND,
                transient=True,
            )
            self._bar.add_task("", total=self._total, told="")
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()

    def done(self, done: int, total: int, sensible: int) -> None:
        """Hear how many are answered, of how many, and how many of them are sensible."""
        if not self._began:
            self._began, self._before = time.monotonic(), done
        self._done = done
        if self._bar is not None:
            told = f"{100 * sensible // done} % sensible" if done else ""
            self._bar.update(self._bar.task_ids[0], completed=done, told=told)

    def judged(self, done: int, total: int) -> None:
        """Hear how many pairs of answers are judged."""
        self._done = done
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done)

    def line(self) -> str:
        """Return how many are answered, what is waited for since when, and how long the rest takes.

        Empty beside a bar, which tells it.
        """
        if self._bar is not None:
            return ""
        new, left = self._done - self._before, self._total - self._before
        parts = (
            f"{self._done:,} of {self._total:,} answered",
            self._calls.told(),
            time_left(new, left, time.monotonic() - self._began),
        )
        return " · ".join(part for part in parts if part)

    def waiting(self, error: TransportError, seconds: float) -> None:
        """Say that a server does not answer, once for all calls that wait for it together."""
        now = time.monotonic()
        if now < self._waited:
            return
        self._waited = now + seconds
        text = waiting_told(error, seconds)
        shown = self._bar.console if self._bar is not None else console(on_stderr=True)
        shown.print(text, style="yellow", soft_wrap=True)
