"""The current progress of a running run, written to a small file for other processes.

It is not part of the history: nothing that happens in the town depends on it.
"""

import asyncio
import json
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from graphs.loop.ledger import OUTCOMES, Call
from graphs.streaming import AskEvent
from history.folder import RunFolder, owner_of
from history.observers import RunObserver
from history.open_questions import OpenQuestions
from history.records import CommitBatch
from models.errors import TransportError
from models.pacing import RateLimiter

FILE = "pulse.json"
EVERY = 0.5
"""Seconds between two writes of the file."""
WINDOW = 30.0
"""Time window for the rate of tokens, in seconds."""


class ProgressWriter(RunObserver):
    """Observer that counts what happens in a run and writes it to the file every half second."""

    def __init__(self, folder: RunFolder, *, is_watched: bool = False) -> None:
        """Write into a run's folder; who is thinking is included only if a page may be watching."""
        self._is_watched = is_watched
        self._open = OpenQuestions()
        self._path = folder.path / FILE
        self._gates: Callable[[], Iterable[RateLimiter]] = tuple
        self._done: Callable[[], Mapping[str, int]] = dict
        self._calls = self._cuts = self._prompt = self._cached = 0
        self._outcomes: Counter[str] = Counter()
        self._odd_kinds: Counter[str] = Counter()
        self._sensible = 0
        self._written: deque[tuple[float, int]] = deque()
        self._is_held = False
        self._waits_for = self._listens_to = ""
        self._began = self._beaten = time.monotonic()

    def begin(
        self, gates: Callable[[], Iterable[RateLimiter]], done: Callable[[], Mapping[str, int]]
    ) -> None:
        """Take functions that return the rate limiters of the calls, and each agent's last tick."""
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
        """Remove the file, as the run is no longer going on."""
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
        gates = tuple(self._gates())
        return {
            "state": self._state(),
            "in_flight": sum(gate.in_flight for gate in gates),
            "waiting": sum(gate.waiting for gate in gates),
            "slots": sum(gate.room for gate in gates),
            "tokens_per_second": round(self._rate(), 1),
            "calls": self._calls,
            "outcomes": {name: self._outcomes[name] for name in OUTCOMES},
            "sensible": self._sensible,
            "odd_kinds": dict(sorted(self._odd_kinds.items())),
            "cached_share": round(self._cached / self._prompt, 4) if self._prompt else None,
            "cuts": self._cuts,
            "done": dict(self._done()),
            "said": self._waits_for or self._listens_to,
            "thinking": self._open.told(),
            "wall": round(time.time(), 3),
        }

    def ticked(self, tick: int) -> None:
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

    def called(self, call: Call, served: bool) -> None:
        """Count a call."""
        self._open.answered(call)
        self._waits_for = ""
        self._calls += 1
        self._cuts += call.cuts
        if call.cached_tokens is not None and call.prompt_tokens:
            self._cached += call.cached_tokens
            self._prompt += call.prompt_tokens
        if not served and call.source == "model":
            self._written.append((time.monotonic(), call.completion_tokens or 0))

    def waiting(self, error: TransportError, seconds: float) -> None:
        """Note what the run is waiting for."""
        self._waits_for = f"{error} Asking again in {seconds:.0f} s."

    def held(self, is_held: bool) -> None:
        """Write at once that the run is paused, or goes on."""
        self._is_held = is_held
        self.beat()

    def listening(self, told: str) -> None:
        """Write at once whose line a talk is waiting for, or that it goes on."""
        self._listens_to = told
        self.beat()

    def committed(self, batch: CommitBatch) -> None:
        """Count outcomes of steps, and oddities."""
        self._outcomes.update(step.outcome for step in batch.steps)
        self._odd_kinds.update(kind for step in batch.steps for kind in step.odd_kinds)
        self._sensible += sum(step.is_sensible for step in batch.steps)

    def _state(self) -> str:
        if self._is_held:
            return "paused"
        return "waiting" if self._waits_for or self._listens_to else "living"

    def _rate(self) -> float:
        """Return the tokens written per second during the last `WINDOW` seconds."""
        now = time.monotonic()
        while self._written and self._written[0][0] < now - WINDOW:
            self._written.popleft()
        seconds = min(WINDOW, max(1.0, now - self._began))
        return sum(tokens for _, tokens in self._written) / seconds

    async def _beats(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            self.beat()


def read_pulse(folder: RunFolder) -> dict[str, Any] | None:
    """Return the progress of a run as plain data; None when no process owns the run."""
    if owner_of(folder) is None:
        return None
    try:
        found = json.loads((folder.path / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
