"""What is seen of a run while it lives: a bar on a terminal, a line per town hour elsewhere.

How much is left is counted in calls to come, not in town time: at night the town sleeps, and hours
without a call go by at once.
"""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agents.times import DAY_SECONDS, clock, date_text, day_of, minute_of
from cli.guard import clean_streams
from cli.screen import console, waiting_told
from graphs.loop.ledger import Call
from graphs.streaming import AskEvent
from models.errors import TransportError
from world.open_questions import OpenQuestions
from world.records import Batch, ThoughtRow
from world.telling.shares import many, percent
from world.watch import Watch

if TYPE_CHECKING:
    from datetime import date

    from rich.console import Console, RenderableType


AWAKE_FROM, AWAKE_TO = 6 * 3600, 23 * 3600
"""Between these seconds of a day people are taken to be up."""
CALLS_AN_HOUR = 7.0
"""Of an agent awake, until its own are counted (measured: 90 to 140 calls an agent-day)."""
CALLS_AT_DAWN = 3.0
"""Of an agent on a new day: identity, day plan, hours."""
PRIOR_HOURS = 2.0
"""The guess weighs as much as so many hours of an agent."""


def waking_seconds(start: int, end: int) -> int:
    """Return how many town seconds from `start` to `end` lie in waking hours."""
    return _waking_before(end) - _waking_before(start) if end > start else 0


def midnights(start: int, end: int) -> int:
    """Return how many days begin at or after town second `start` and before `end`."""
    return max(0, -(-end // DAY_SECONDS) - -(-start // DAY_SECONDS))


def _waking_before(at: int) -> int:
    days, second = divmod(at, DAY_SECONDS)
    return days * (AWAKE_TO - AWAKE_FROM) + min(max(0, second - AWAKE_FROM), AWAKE_TO - AWAKE_FROM)


@dataclass
class Estimate:
    """Calls made and calls to come, between two moments of a run."""

    agents: int
    start: int
    """Town second at which this stretch begins."""
    goal: int
    extra: int = 0
    """Calls known to come at once: whispers that wait in the inbox."""
    at: int = 0
    """Town second that is being lived."""
    calls: int = 0
    paid: int = 0
    """Calls that really went to a model; the others were served from the journal."""
    calls_before: int = 0
    """Calls made when the present tick began."""
    shown: float = 0.0
    """The fraction last given; it never goes back."""

    def heard(self, served: bool) -> None:
        """Count a call."""
        self.calls += 1
        self.paid += not served

    def ticked(self, at: int) -> None:
        """Note that everything before town second `at` is lived."""
        self.at = at
        self.calls_before = self.calls

    def left(self) -> float:
        """Return how many calls are to come, more or less."""
        at = max(self.start, self.at)
        made = self.calls - self.calls_before
        dawns = CALLS_AT_DAWN * self.agents * midnights(at, self.goal)
        if at == self.start:
            dawns += self.extra
        lived = self.agents * waking_seconds(self.start, at) / 3600
        known = CALLS_AN_HOUR * PRIOR_HOURS + (self.calls_before if lived else 0)
        an_hour = known / (PRIOR_HOURS + lived)
        awake = an_hour * self.agents * waking_seconds(at, self.goal) / 3600
        return max(0.0, dawns + awake - made)

    def fraction(self) -> float:
        """Return which part is done, 0 to 1."""
        left = self.left()
        if self.calls + left > 0:
            self.shown = max(self.shown, self.calls / (self.calls + left))
        return min(1.0, self.shown)

    def seconds_left(self, elapsed: float) -> float | None:
        """Return the seconds to come after `elapsed` ones; None before enough calls were made."""
        if self.paid < 10 or elapsed < 2.0:
            return None
        return self.left() * elapsed / self.paid


def in_words(seconds: float | None) -> str:
    """Return a wait as people say it."""
    if seconds is None:
        return ""
    if seconds < 60:
        return "under a minute left"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min left"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min left" if hours < 10 else f"{hours} h left"


LOG = logging.getLogger("smolville")

BAR, LEAST_BAR = 40, 4
"""Columns of the bar; it gives way to the words beside it."""
A_SECOND = 4
"""So often the bar is drawn anew."""


@dataclass
class Progress(Watch):
    """Counts what happens, and says it."""

    start_date: "date"
    tick_seconds: int
    estimate: Estimate
    is_verbose: bool
    is_quiet: bool = False
    thoughts: int = 0
    talks: int = 0
    steps: int = 0
    odd: int = 0
    repaired: int = 0
    fallbacks: int = 0
    failures: list[ThoughtRow] = field(default_factory=list)
    note: str = ""
    """What it waits for, if anything."""
    open: OpenQuestions = field(default_factory=OpenQuestions)
    """What minds ask at this moment."""
    started: float = field(default_factory=time.monotonic)
    _hour: int = -1
    _console: "Console | None" = None

    def ticked(self, tick: int) -> None:
        """Say the hour when a new one has come."""
        at = (tick + 1) * self.tick_seconds
        self.estimate.ticked(at)
        hour = at // 3600
        if hour != self._hour:
            self._hour = hour
            LOG.info("%s", self.line())
            if self.is_verbose:
                self.print(self.line())

    @property
    def wants_asks(self) -> bool:
        """True while there is a bar that shows who thinks."""
        return self._console is not None

    def asks(self, owner: str, asked: AskEvent | None) -> None:
        """Take in what is asked; the bar tells of it when it is drawn again."""
        self.open.put(owner, asked)

    def called(self, call: Call, served: bool) -> None:
        """Count a call."""
        self.open.answered(call)
        self.note = ""
        self.estimate.heard(served)

    def waiting(self, error: TransportError, seconds: float) -> None:
        """Say that a server does not answer, and when it is asked again."""
        text = waiting_told(error, seconds)
        LOG.warning("%s", text)
        if not self.note:
            self.print(text)
        self.note = f"waiting for the server, {seconds:.0f} s"

    def held(self, is_held: bool) -> None:
        """Say that the run is held between two ticks, or goes on."""
        self.note = "paused" if is_held else ""
        text = "Paused, until somebody lets it go on." if is_held else "Goes on."
        LOG.info("%s", text)
        if not self.is_quiet:
            self.print(text)

    def listening(self, told: str) -> None:
        """Say for whose line a talk waits."""
        self.note = told
        if told:
            LOG.info("%s", told)

    def edited(self, told: str) -> None:
        """Say which templates were edited, and from when they hold."""
        LOG.info("%s", told)
        if not self.is_quiet:
            self.print(told)

    def refused(self, told: str) -> None:
        """Say why an edit of the templates is not taken."""
        LOG.warning("%s", told)
        self.print(told)

    def committed(self, batch: Batch) -> None:
        """Count what a commit holds."""
        self.thoughts += len(batch.thoughts)
        self.failures += [thought for thought in batch.thoughts if thought.failed]
        self.talks += len(batch.talks)
        self.steps += len(batch.steps)
        for step in batch.steps:
            self.odd += bool(step.odd)
            self.repaired += step.outcome in ("repaired", "escalated")
            self.fallbacks += step.outcome == "fallback"

    def when(self) -> str:
        """Return the town's date and clock, short: `Mon 6 May 14:20`."""
        at = max(self.estimate.start, self.estimate.at)
        weekday, *rest = date_text(self.start_date, day_of(at)).split()
        return f"{weekday[:3]} {rest[0]} {rest[1][:3]} {clock(minute_of(at))}"

    def figures(self) -> list[str]:
        """Return the counts in words."""
        sensible = self.steps - self.odd - self.fallbacks
        figures = [
            many(self.thoughts, "thought"),
            many(self.estimate.calls, "call"),
            *([f"{percent(sensible, self.steps, 0, gap='')} sensible"] if self.steps else []),
            many(self.repaired, "repair"),
            many(self.fallbacks, "fallback"),
            many(self.talks, "talk"),
        ]
        return [*figures, f"{len(self.failures)} failed"] if self.failures else figures

    def line(self) -> str:
        """Return the present state on one line."""
        spent = f"{time.monotonic() - self.started:.0f} s"
        return " · ".join([self.when(), *self.figures(), spent])

    def print(self, text: str) -> None:
        """Print a line on standard error, above the bar where there is one."""
        (self._console or console(on_stderr=True)).print(text, style="dim", soft_wrap=True)

    def __rich__(self) -> "RenderableType":
        """Return the bar with its figures."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        from lab.styled import Text

        done = self.estimate.fraction()
        left = in_words(self.estimate.seconds_left(time.monotonic() - self.started))
        when, percent, status = self.when(), f"{done:4.0%}", self.note or left
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
        thinking = Text(self.open.told(screen.width), no_wrap=True, overflow="ellipsis")
        return Group(grid, Text(" · ".join(self.figures()), style="dim"), thinking)

    @contextmanager
    def shown(self, *, with_bar: bool) -> Iterator[None]:
        """Show the bar while the block runs; off a terminal there is none."""
        self.started = time.monotonic()
        screen = console(on_stderr=True)
        if not with_bar or not screen.is_terminal:
            yield
            return
        from rich.live import Live

        self._console = screen
        # What libraries print meanwhile goes to rich, which would read colours and links in it.
        bar = Live(self, console=screen, refresh_per_second=A_SECOND, transient=True)
        try:
            with bar, clean_streams():
                yield
        finally:
            self._console = None
