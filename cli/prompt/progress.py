"""Progress of an evaluation: a bar on a terminal, a line per minute elsewhere."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from cli.run.expected import time_left
from cli.screen import console, waiting_told
from lab.listening import PendingCalls
from models.errors import TransportError

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

A_SECOND = 8
"""How many times per second the bar is redrawn."""


class EvalProgress:
    """Shows how many questions are answered, how many sensibly, and how long the rest takes."""

    def __init__(self, total: int, calls: PendingCalls) -> None:
        self.is_drawn = sys.stderr.isatty()
        self._total = total
        self._bar: Bar | None = None
        self._waited = 0.0
        self._calls = calls
        self._done, self._before = 0, 0
        self._began = 0.0

    def __enter__(self) -> "EvalProgress":
        """Draw the bar if there is a terminal."""
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
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()

    def done(self, done: int, total: int, sensible: int) -> None:
        """Update the number of answered questions, and of sensible answers among them."""
        if not self._began:
            self._began, self._before = time.monotonic(), done
        self._done = done
        if self._bar is not None:
            told = f"{100 * sensible // done} % sensible" if done else ""
            self._bar.update(self._bar.task_ids[0], completed=done, told=told)

    def judged(self, done: int, total: int) -> None:
        """Update the number of judged pairs of answers."""
        self._done = done
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done)

    def line(self) -> str:
        """Return the number answered, the pending calls and their age, and the time left.

        Empty while a bar is shown, which tells the same.
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
        """Print that a server does not answer, once for all calls waiting at the same time."""
        now = time.monotonic()
        if now < self._waited:
            return
        self._waited = now + seconds
        text = waiting_told(error, seconds)
        shown = self._bar.console if self._bar is not None else console(on_stderr=True)
        shown.print(text, style="yellow", soft_wrap=True)
