"""Progress of a run: a bar on a terminal, a line per minute elsewhere."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from smolville.agents.times import clock, date_text, day_of, minute_of
from smolville.agents.wording import format_count, visible_line
from smolville.cli.guard import clean_streams
from smolville.cli.screen import MINUTE, console, every_minute, waiting_told
from smolville.graphs.loop.ledger import AskEvent, Call
from smolville.history.observers import RunObserver
from smolville.history.progress_file import OpenQuestions
from smolville.history.records import CommitBatch, ThoughtRow
from smolville.lab.duration import Estimate, in_words
from smolville.models.errors import TransportError

if TYPE_CHECKING:
    from datetime import date

    from rich.console import Console, RenderableType

LOG = logging.getLogger("smolville")

BAR, LEAST_BAR = 40, 4
"""Maximum and minimum width of the bar, in characters; it shrinks to fit the words beside it."""
A_SECOND = 4
"""Redraws of the bar per second."""


@dataclass
class RunProgress(RunObserver):
    """Observer that counts what happens in a run, and shows it."""

    start_date: "date"
    tick_seconds: int
    estimate: Estimate
    is_verbose: bool
    is_quiet: bool = False
    is_real: bool = False
    """Whether a real model answers, which takes time; the stand-in answers at once."""
    thoughts: int = 0
    talks: int = 0
    odd: int = 0
    repaired: int = 0
    fallbacks: int = 0
    failures: list[ThoughtRow] = field(default_factory=list)
    note: str = ""
    """What the run is waiting for, if anything."""
    open: OpenQuestions = field(default_factory=OpenQuestions)
    """Questions to the models that are pending at this moment."""
    started: float = field(default_factory=time.monotonic)
    _hour: int = -1
    _is_told: bool = False
    """Whether a line is printed every minute."""
    _console: "Console | None" = None

    def on_tick(self, tick: int) -> None:
        """Note the tick; when a new town hour begins, log a line on it."""
        at = (tick + 1) * self.tick_seconds
        self.estimate.at = at
        hour = at // 3600
        if hour != self._hour:
            self._hour = hour
            LOG.info("%s", self.line())
            if self.is_verbose:
                self.print(self.line())

    @property
    def wants_asks(self) -> bool:
        """Whether to be notified of questions: needed to show who is thinking."""
        return self._console is not None or self._is_told

    def asks(self, owner: str, asked: AskEvent | None) -> None:
        """Note a pending question; the bar shows it when it is redrawn."""
        self.open.put(owner, asked)
        self.estimate.open = len(self.open)

    def on_call(self, call: Call, served: bool) -> None:
        """Count a call."""
        self.open.remove_answered(call)
        self.note = ""
        self.estimate.open = len(self.open)
        self.estimate.count_call(served)

    def waiting(self, error: TransportError, seconds: float) -> None:
        """Print that a server does not answer, and when it is asked again."""
        text = waiting_told(error, seconds)
        LOG.warning("%s", text)
        if not self.note:
            self.print(text)
        self.note = f"waiting for the server, {seconds:.0f} s"

    def on_server(self, sentence: str) -> None:
        """Print that a server is left out, or answers again."""
        text = visible_line(sentence)
        LOG.warning("%s", text)
        self.print(text)

    def on_pause(self, is_held: bool) -> None:
        """Print that the run is paused between two ticks, or goes on."""
        self.note = "paused" if is_held else ""
        text = "Paused, until somebody lets it go on." if is_held else "Goes on."
        LOG.info("%s", text)
        if not self.is_quiet:
            self.print(text)

    def listening(self, told: str) -> None:
        """Show whose line a talk is waiting for."""
        self.note = told
        if told:
            LOG.info("%s", told)

    def on_commit(self, batch: CommitBatch) -> None:
        """Count the thoughts, talks and steps of a commit."""
        self.thoughts += len(batch.thoughts)
        self.failures += [thought for thought in batch.thoughts if thought.failed]
        self.talks += len(batch.talks)
        for step in batch.steps:
            self.odd += bool(step.odd)
            self.repaired += step.outcome in ("repaired", "escalated")
            self.fallbacks += step.outcome == "fallback"

    def format_time(self) -> str:
        """Return the town's date and clock, short: `Mon 6 May 14:20`."""
        at = self.estimate.at
        weekday, *rest = date_text(self.start_date, day_of(at)).split()
        return f"{weekday[:3]} {rest[0]} {rest[1][:3]} {clock(minute_of(at))}"

    def figures(self) -> list[str]:
        """Return the counts in words."""
        figures = [
            format_count(self.thoughts, "thought"),
            self.format_calls(),
            format_count(self.repaired, "repair"),
            format_count(self.fallbacks, "fallback"),
            *([f"{self.odd:,} odd"] if self.odd else []),
            format_count(self.talks, "talk"),
        ]
        return [*figures, f"{len(self.failures)} failed"] if self.failures else figures

    def format_calls(self) -> str:
        """Return the number of calls made and of calls expected: `4 calls of about 230`."""
        made, left = self.estimate.calls, round(self.estimate.calls_left())
        told = format_count(made, "call")
        return f"{told} of about {made + left:,}" if self.is_real and left else told

    def format_waiting(self) -> str:
        """Return a line: how far the run is, who waits for an answer, and the time left."""
        left = in_words(self.seconds_left())
        parts = (self.format_time(), self.format_calls(), self.note or self.open.describe(), left)
        return " · ".join(part for part in parts if part)

    def seconds_left(self) -> float | None:
        """Return about how many seconds the run still takes; None while that is not known."""
        return self.estimate.seconds_left(time.monotonic() - self.started)

    def line(self) -> str:
        """Return the current state on one line."""
        spent = f"{time.monotonic() - self.started:.0f} s"
        return " · ".join([self.format_time(), *self.figures(), spent])

    def print(self, text: str) -> None:
        """Print a line on standard error, above the bar if there is one."""
        (self._console or console(on_stderr=True)).print(text, style="dim", soft_wrap=True)

    def __rich__(self) -> "RenderableType":
        """Return the bar with its figures."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        from smolville.lab.styled import Text

        done = self.estimate.fraction()
        left = in_words(self.seconds_left())
        when, percent, status = self.format_time(), f"{done:4.0%}", self.note or left
        screen = self._console or console(on_stderr=True)
        words = sum(len(text) + 2 for text in (when, percent, status))
        bar = min(BAR, max(LEAST_BAR, screen.width - words))
        grid = Table.grid(padding=(0, 2))
        for _ in range(4):
            grid.add_column(no_wrap=True)
        grid.add_row(
            Text(when, style="bold"),
            ProgressBar(total=1.0, completed=done, width=bar),
            Text(percent, style="cyan"),
            Text(status, style="yellow" if self.note else "cyan"),
        )
        thinking = Text(self.open.describe(screen.width), no_wrap=True, overflow="ellipsis")
        return Group(grid, Text(" · ".join(self.figures()), style="dim"), thinking)

    @contextmanager
    def show_bar(self, *, with_bar: bool, every: float = MINUTE) -> Iterator[None]:
        """Show the bar while the block runs; without a terminal, print a line per minute."""
        self.started = time.monotonic()
        screen = console(on_stderr=True)
        if not with_bar or not screen.is_terminal:
            self._is_told = with_bar and self.is_real
            try:
                told = every_minute(self.format_waiting, seconds=every)
                with told if self._is_told else nullcontext():
                    yield
            finally:
                self._is_told = False
            return
        from rich.live import Live

        self._console = screen
        # What libraries print meanwhile goes to rich, which would interpret colours and links.
        bar = Live(self, console=screen, refresh_per_second=A_SECOND, transient=True)
        try:
            with bar, clean_streams():
                yield
        finally:
            self._console = None
