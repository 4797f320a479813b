"""Waits for the person who plays a visitor.

A talk waits for their next line. A run waits before its ticks if they have set a pace.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import orjson

from smolville.agents.wording import plain
from smolville.graphs.meeting import GuestLine
from smolville.graphs.meeting import GuestTurn as Asked
from smolville.history.history import History
from smolville.history.inbox import Inbox, VisitorTurn
from smolville.history.observers import RunObserver
from smolville.history.records import Intervention
from smolville.world.adapter import Grant
from smolville.world.run_resources import VISITOR_PATIENCE
from smolville.world.visiting.wishes import LONGEST_LINE

KIND: Literal["visitor_says"] = "visitor_says"
LOOK_SECONDS = 0.1
"""Longest time in seconds between two checks of what the person wants."""


@dataclass(kw_only=True)
class VisitorListener:
    """Asks for visitors' lines through a run's inbox, for each line only once, even after a crash.

    Every line is recorded at once, as an intervention keyed by talk and line. So a tick that is run
    again does not ask anybody again.
    """

    history: History
    inbox: Inbox
    watch: RunObserver = field(default_factory=RunObserver)
    patience: float = VISITOR_PATIENCE

    async def hear(self, asked: Asked, grant: Grant, tick: int, at: int) -> GuestLine:
        """Return a visitor's line in a turn; empty if time is up or the visitor leaves."""
        wish = f"{KIND}/{grant.id}/{asked.n}"
        recorded = self.history.intervention(wish)
        if recorded is None:
            now = time.time()
            turn = VisitorTurn(
                talk=grant.id,
                n=asked.n,
                visitor=asked.guest,
                agent=asked.to[0],
                place=grant.place,
                lines=tuple((line.speaker, line.text) for line in asked.lines),
                at=at,
                asked=now,
                until=now + self.patience,
            )
            spoken = await self._wait(turn)
            fields = {"talk": grant.id, "n": asked.n, "text": spoken.text, "ends": spoken.ends}
            recorded = orjson.dumps(fields).decode()
            made = Intervention(id=wish, tick=tick, kind=KIND, target=asked.guest, text=recorded)
            self.history.record(made)
            self.inbox.close_turn(grant.id, asked.n)
        words = orjson.loads(recorded)
        return GuestLine(text=words["text"], ends=words["ends"])

    async def _wait(self, turn: VisitorTurn) -> GuestLine:
        """Wait until a turn is answered, or until no answer can be expected any more."""
        inbox = self.inbox
        inbox.ask_turn(turn)
        self.watch.listening(f"{turn.visitor}'s turn to speak to {turn.agent}.")
        try:
            while True:
                is_over = time.time() >= inbox.turn_until(turn.talk, turn.n)
                is_over = is_over or inbox.wants("visitor_leaves", turn.visitor)
                # After that, so that a line from the last moment is not lost.
                answer = inbox.answer(turn.talk, turn.n)
                if answer is not None:
                    return GuestLine(text=plain(answer.text, LONGEST_LINE), ends=answer.ends)
                if is_over:
                    return GuestLine(text="")
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            self.watch.listening("")


@dataclass(kw_only=True)
class Pacing:
    """Limits a run to the pace that is set in its inbox; without a pace, nothing is limited.

    A pace only decides when a tick is run in real time. What happens at the tick stays the same.
    """

    inbox: Inbox
    tick_seconds: int
    is_asked: Callable[[], bool]
    """Function that returns True if an operator's request has not been examined at any tick yet."""
    say_how_far: Callable[[int], None]
    """Function that records that everybody has completed a tick."""
    _since: float = field(default=0.0, init=False)
    """Time when the last wait ended; the time that thoughts took since then counts as waited."""

    async def wait(self, tick: int, after: int) -> int:
        """Wait until the tick `after` may begin in real time; return the next tick to run.

        Nothing happens between `tick` and `after`. The result is an earlier tick if an operator's
        request arrives during the wait, or if the run is paused.
        """
        reached, last = float(tick), self._since
        while (rate := self.inbox.pace()) is not None:
            now = time.monotonic()
            # From the moment on at which the pace was asked for, at the earliest.
            reached += (now - (last or now)) * rate / self.tick_seconds
            last = now
            if reached >= after:
                break
            here = max(tick + 1, int(reached))
            if self.is_asked() or self.inbox.is_paused():
                after = here
                break
            self.say_how_far(int(reached) - 1)
            await asyncio.sleep(LOOK_SECONDS)
        self._since = 0.0 if rate is None else time.monotonic()
        return after
