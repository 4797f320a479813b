"""The progress of a run: its open questions, and a small file that other processes read.

The file is not part of the history: nothing that happens in the town depends on it.
"""

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from smolville.graphs.loop.ledger import OUTCOMES, AskEvent, Call
from smolville.history.folder import RunFolder, owner_of, read_file
from smolville.history.observers import RunObserver
from smolville.history.records import CommitBatch
from smolville.models.errors import TransportError
from smolville.models.slots import RateLimiter

TRIES = ("second", "third", "fourth", "fifth", "sixth")
SHORTEST = 1.0
"""Seconds of waiting below which the time is not shown."""
FILE = "pulse.json"
_MOST = 4_000_000
"""Maximum number of bytes that are read of the file: a thousand agents take less."""
EVERY = 0.5
"""Seconds between two writes of the file."""


def format_try(attempt: int) -> str:
    """Return which try an attempt is, such as `second try`; empty for the first try (attempt 0)."""
    if attempt == 0:
        return ""
    return f"{TRIES[attempt - 1]} try" if attempt <= len(TRIES) else f"try {attempt + 1}"


@dataclass
class OpenQuestions:
    """The open questions, at most one per thought or talk, oldest first.

    Other threads may read it; only the run's own thread changes it.
    """

    _open: dict[str, tuple[AskEvent, float]] = field(default_factory=dict)
    """By the owner of the thought or talk, the question and when it was asked (monotonic clock)."""

    def __len__(self) -> int:
        """Return how many questions are open."""
        return len(self._open)

    def put(self, owner: str, asked: AskEvent | None) -> None:
        """Register the question that `owner` asks now; None if its thought or talk is over."""
        self._open.pop(owner, None)
        if asked is not None:
            self._open[owner] = asked, time.monotonic()

    def remove_answered(self, call: Call) -> None:
        """Remove the question that a call has answered."""
        asked, _ = self._open.get(call.key.owner, (None, 0.0))
        key = call.key.step, call.key.ordinal, call.key.attempt
        if asked is not None and (asked.step, asked.ordinal, asked.attempt) == key:
            del self._open[call.key.owner]

    def plain(self) -> list[dict[str, Any]]:
        """Return the open questions as plain data, oldest first, each with its age in seconds."""
        now = time.monotonic()
        return [
            {
                "who": asked.agent,
                "step": asked.step,
                "try": format_try(asked.attempt),
                "seconds": round(now - since),
            }
            for asked, since in tuple(self._open.values())
        ]

    def describe(self, room: int | None = None) -> str:
        """Return a line on the oldest question, its age, and how many more are open; "" for none.

        `Ada Brook, plan_day, second try, 12 s · 2 more thinking`. If the line is longer than `room`
        characters, the seconds are left out, and then the number of others.
        """
        waiting = tuple(self._open.values())
        if not waiting:
            return ""
        asked, since = waiting[0]
        who = ", ".join(filter(None, (asked.agent, asked.step, format_try(asked.attempt))))
        seconds = time.monotonic() - since
        timed = f"{who}, {seconds:.0f} s" if seconds >= SHORTEST else who
        more = f" · {len(waiting) - 1} more thinking" if len(waiting) > 1 else ""
        fits = (told for told in (timed + more, who + more) if room is None or len(told) <= room)
        return next(fits, who)


class ProgressWriter(RunObserver):
    """Observer that counts what happens in a run and writes it to the file every half second."""

    def __init__(
        self,
        folder: RunFolder,
        *,
        is_watched: bool = False,
        seconds_left: Callable[[], float | None] = lambda: None,
    ) -> None:
        """Write into a run's folder; who is thinking is included only if a page may be watching.

        `seconds_left` estimates how long the run still takes; None while that is not known.
        """
        self._is_watched = is_watched
        self._seconds_left = seconds_left
        self._open = OpenQuestions()
        self._path = folder.path / FILE
        self._gates: Callable[[], Iterable[RateLimiter]] = tuple
        self._done: Callable[[], Mapping[str, int]] = dict
        self._calls = self._tokens = self._odd = 0
        self._outcomes: Counter[str] = Counter()
        self._is_held = False
        self._waits_for = self._listens_to = ""
        self._began = self._beaten = time.monotonic()

    def begin(
        self, gates: Callable[[], Iterable[RateLimiter]], done: Callable[[], Mapping[str, int]]
    ) -> None:
        """Set the functions that return the calls' rate limiters and each agent's last tick."""
        self._gates, self._done = gates, done

    @asynccontextmanager
    async def beating(self) -> AsyncIterator[None]:
        """Write the file regularly while the block runs."""
        self._began = time.monotonic()
        self.beat()
        beats = asyncio.create_task(self._beats())
        try:
            yield
        finally:
            beats.cancel()
            with suppress(asyncio.CancelledError):
                await beats

    def end(self) -> None:
        """Remove the file, because the run is no longer in progress."""
        with suppress(OSError):
            self._path.unlink()

    def beat(self) -> None:
        """Write the file atomically; errors such as a full disk are ignored."""
        self._beaten = time.monotonic()
        draft = self._path.with_name(f".{FILE}")
        with suppress(OSError):
            draft.write_text(json.dumps(self.plain(), ensure_ascii=False), encoding="utf-8")
            draft.replace(self._path)

    def plain(self) -> dict[str, Any]:
        """Return the content of the file as plain data."""
        gates, said = tuple(self._gates()), self._waits_for or self._listens_to
        return {
            "state": "paused" if self._is_held else "waiting" if said else "living",
            "in_flight": sum(gate.in_flight for gate in gates),
            "waiting": sum(gate.waiting for gate in gates),
            "slots": sum(gate.room for gate in gates),
            "tokens_per_second": round(self._tokens / max(1.0, time.monotonic() - self._began), 1),
            "calls": self._calls,
            "outcomes": {name: self._outcomes[name] for name in OUTCOMES},
            "odd": self._odd,
            "done": dict(self._done()),
            "said": said,
            "thinking": self._open.plain(),
            "seconds_left": self._seconds_left(),
            "wall": round(time.time(), 3),
        }

    def on_tick(self, tick: int) -> None:
        """Write the file if it is overdue, because fast replies leave the regular task no time."""
        if time.monotonic() - self._beaten >= 2 * EVERY:
            self.beat()

    @property
    def wants_asks(self) -> bool:
        """Whether a page may be watching."""
        return self._is_watched

    def asks(self, owner: str, asked: AskEvent | None) -> None:
        """Register a question; the next write of the file includes it."""
        self._open.put(owner, asked)

    def on_call(self, call: Call, served: bool) -> None:
        """Count a call."""
        self._open.remove_answered(call)
        self._waits_for = ""
        self._calls += 1
        if not served and call.source == "model":
            self._tokens += call.completion_tokens or 0

    def waiting(self, error: TransportError, seconds: float) -> None:
        """Note what the run is waiting for."""
        self._waits_for = f"{error} Asking again in {seconds:.0f} s."

    def on_pause(self, is_held: bool) -> None:
        """Write at once that the run is paused, or goes on."""
        self._is_held = is_held
        self.beat()

    def listening(self, told: str) -> None:
        """Write at once whose line a talk is waiting for, or that it goes on."""
        self._listens_to = told
        self.beat()

    def on_commit(self, batch: CommitBatch) -> None:
        """Count outcomes of steps, and oddities."""
        self._outcomes.update(step.outcome for step in batch.steps)
        self._odd += sum(bool(step.odd) for step in batch.steps)

    async def _beats(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            self.beat()


def read_pulse(folder: RunFolder) -> dict[str, Any] | None:
    """Return the progress of a run as plain data; None when no process owns the run."""
    if owner_of(folder) is None:
        return None
    try:
        found = json.loads(read_file(folder.path / FILE, _MOST))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
