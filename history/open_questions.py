"""Questions that no model has answered yet: who asked them, in which step, and since when."""

import time
from dataclasses import dataclass, field

from graphs.loop.ledger import Call, CallKey
from graphs.streaming import AskEvent

TRIES = ("", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
SHORTEST = 1.0
"""Seconds of waiting below which the time is not shown."""

Try = tuple[str, int, int]
"""Step, ordinal and attempt."""


def try_told(attempt: int) -> str:
    """Return which try an attempt is, in words; empty for the first, which is attempt 0."""
    if attempt == 0:
        return ""
    return f"{TRIES[attempt]} try" if attempt < len(TRIES) else f"try {attempt + 1}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestion:
    """One try of a step that is waiting for a model's answer."""

    asked: AskEvent
    since: float
    """Time of asking on the monotonic clock, in seconds."""

    def told(self) -> str:
        """Return who asks, in which step, at which try: `Ada Brook, plan_day, second try`."""
        parts = (self.asked.agent, self.asked.step, try_told(self.asked.attempt))
        return ", ".join(part for part in parts if part)


@dataclass
class OpenQuestions:
    """The open questions, at most one per thought or talk, oldest first.

    Other threads may read it; only the run's own thread changes it.
    """

    _open: dict[str, OpenQuestion] = field(default_factory=dict)
    """Open questions by the owner of the thought or talk."""
    _answered: dict[str, set[Try]] = field(default_factory=dict)
    """Tries that were answered before `put` was called for them, by owner."""
    _tick: int = -1
    """Tick of the last call; answers of an earlier tick are no longer remembered."""

    def __len__(self) -> int:
        """Return how many questions are open."""
        return len(self._open)

    def put(self, owner: str, asked: AskEvent | None) -> None:
        """Register what an owner asks now; None once its thought or talk is over.

        A try served from the journal is answered before the stream reports it, so it does not
        become an open question.
        """
        self._open.pop(owner, None)
        if asked is None:
            self._answered.pop(owner, None)
            return
        early = self._answered.get(owner, set())
        if _try(asked) in early:
            early.remove(_try(asked))
        else:
            self._open[owner] = OpenQuestion(asked=asked, since=time.monotonic())

    def answered(self, call: Call) -> None:
        """Remove the question that a call has answered, or remember the answer until `put`."""
        key = call.key
        if key.tick != self._tick:
            self._tick = key.tick
            self._answered.clear()
        found = self._open.get(key.owner)
        if found is not None and _try(found.asked) == _try(key):
            del self._open[key.owner]
        else:
            self._answered.setdefault(key.owner, set()).add(_try(key))

    def told(self, room: int | None = None) -> str:
        """Return a line on the oldest question, its age, and how many more are open; "" for none.

        `Ada Brook, plan_day, second try, 12 s · 2 more thinking`. If the line is longer than `room`
        characters, the seconds are left out, and then the number of others.
        """
        waiting = tuple(self._open.values())
        if not waiting:
            return ""
        who, seconds = waiting[0].told(), time.monotonic() - waiting[0].since
        timed = f"{who}, {seconds:.0f} s" if seconds >= SHORTEST else who
        more = f" · {len(waiting) - 1} more thinking" if len(waiting) > 1 else ""
        fits = (told for told in (timed + more, who + more) if room is None or len(told) <= room)
        return next(fits, who)


def _try(asked: AskEvent | CallKey) -> Try:
    """Return which try an owner's question or answer belongs to."""
    return asked.step, asked.ordinal, asked.attempt
