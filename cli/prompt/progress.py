"""Progress of questions to a model: a bar at a terminal, otherwise a line a minute."""

import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from smolville.cli.screen import console, every_minute, waiting_told
from smolville.lab.duration import time_left

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from smolville.models.errors import TransportError

A_SECOND = 8
"""Redraws of the bar per second."""


class AskingProgress:
    """Shows how many questions are answered, how many sensibly, and how long the rest takes."""

    def __init__(self, total: int) -> None:
        """Store how many questions there are; a bar is drawn at a terminal only."""
        self.is_drawn = sys.stderr.isatty()
        self.done = 0
        """Number of answered questions."""
        self._total = total
        self._bar: Bar | None = None
        self._before = -1
        self._began, self._waited = time.monotonic(), 0.0
        self._open = ExitStack()

    def __enter__(self) -> "AskingProgress":
        """Draw the bar, or begin to print lines."""
        if not self.is_drawn:
            self._open.enter_context(every_minute(self.line))
            return self
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._bar = Progress(
            TextColumn("Asking", markup=False),
            BarColumn(),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f}", markup=False),
            TextColumn("{task.fields[share]}", style="dim", markup=False),
            TimeRemainingColumn(compact=True),
            console=console(on_stderr=True),
            refresh_per_second=A_SECOND,
            transient=True,
        )
        self._bar.add_task("", total=self._total, share="")
        self._open.enter_context(self._bar)
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the bar, and stop printing."""
        self._open.close()

    def count(self, done: int, objected: int = 0) -> None:
        """Update the number of answered questions, and of those objected to among them."""
        if self._before < 0:
            self._before = done
        self.done = done
        if self._bar is not None:
            share = f"{objected} objected to" if objected else ""
            self._bar.update(self._bar.task_ids[0], completed=done, share=share)

    def line(self) -> str:
        """Return the number answered, and the time left."""
        before = max(self._before, 0)
        left = time_left(self.done - before, self._total - before, time.monotonic() - self._began)
        return f"{self.done:,} of {self._total:,} answered{' · ' if left else ''}{left}"

    def waiting(self, error: "TransportError", seconds: float) -> None:
        """Print that a server does not answer, once for all calls waiting at the same time."""
        now = time.monotonic()
        if now >= self._waited:
            self._waited = now + seconds
            shown = self._bar.console if self._bar is not None else console(on_stderr=True)
            shown.print(waiting_told(error, seconds), style="yellow", soft_wrap=True)
