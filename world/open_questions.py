"""Questions that no model has answered yet: who put them, in which step, and since when."""

import time
from dataclasses import dataclass, field

from graphs.loop.ledger import Call
from graphs.streaming import AskEvent

TRIES = ("", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
SHORTEST = 1.0
"""Seconds; of a shorter wait no length is told."""


def try_told(attempt: int) -> str:
    """Return which try it is, in words; empty for the first, whose attempt is 0."""
    if attempt == 0:
        return ""
    return f"{TRIES[attempt]} try" if attempt < len(TRIES) else f"try {attempt + 1}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestion:
    """One try of a step, which waits for a model's answer."""

    asked: AskEvent
    since: float
    """Reading of the monotonic clock."""

    def told(self) -> str:
        """Return who asks what, for the how-manieth time: `Ada Brook, plan_day, second try`."""
        parts = (self.asked.agent, self.asked.step, try_told(self.asked.attempt))
        return ", ".join(part for part in parts if part)


@dataclass
class OpenQuestions:
    """At most one for each thought and each talk, the oldest first.

    Other threads may read it; only the run's own changes it.
    """

    _open: dict[str, OpenQuestion] = field(default_factory=dict)
    """By the owner of the thought or talk."""

    def put(self, owner: str, asked: AskEvent | None) -> None:
        """Take in what an owner asks now; None once its thought or talk is over."""
        self._open.pop(owner, None)
        if asked is not None:
            self._open[owner] = OpenQuestion(asked=asked, since=time.monotonic())

    def answered(self, call: Call) -> None:
        """Take out the question that a call has answered."""
        key = call.key
        found = self._open.get(key.owner)
        if found is not None and (found.asked.step, found.asked.attempt) == (key.step, key.attempt):
            del self._open[key.owner]

    def told(self, room: int | None = None) -> str:
        """Return the oldest question, since when it waits, and how many more do; empty for none.

        `Ada Brook, plan_day, second try, 12 s · 2 more thinking`. Where `room` letters are too few,
        the seconds are left out, then the others.
        """
        waiting = tuple(self._open.values())
        if not waiting:
            return ""
        who, seconds = waiting[0].told(), time.monotonic() - waiting[0].since
        timed = f"{who}, {seconds:.0f} s" if seconds >= SHORTEST else who
        more = f" · {len(waiting) - 1} more thinking" if len(waiting) > 1 else ""
        fits = (told for told in (timed + more, who + more) if room is None or len(told) <= room)
        return next(fits, who)
