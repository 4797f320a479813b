"""Wait for the person behind a visitor to answer, and record what was said."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Literal

import orjson

from agents.wording import plain
from graphs.meeting import GuestLine
from graphs.meeting import GuestTurn as Asked
from history.history import History
from history.inbox import Inbox, VisitorTurn
from history.observers import RunObserver
from history.records import Intervention
from world.adapter import Grant
from world.run_resources import VISITOR_PATIENCE
from world.visiting.wishes import LONGEST_LINE

KIND: Literal["visitor_says"] = "visitor_says"
LOOK_SECONDS = 0.1
"""Seconds between two checks for an answer."""


@dataclass(kw_only=True)
class Listening:
    """Asks for visitors' lines through a run's inbox, each only once, even after a crash.

    Every line is recorded at once, as an intervention keyed by talk and line: a tick that is run
    again does not ask anybody again.
    """

    history: History
    inbox: Inbox
    watch: RunObserver = field(default_factory=RunObserver)
    patience: float = VISITOR_PATIENCE

    async def hear(self, asked: Asked, grant: Grant, tick: int, at: int) -> GuestLine:
        """Return a visitor's line in a turn; empty when time is up, or when they leave."""
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
            self.inbox.talks.close(grant.id, asked.n)
        words = orjson.loads(recorded)
        return GuestLine(text=words["text"], ends=words["ends"])

    async def _wait(self, turn: VisitorTurn) -> GuestLine:
        """Wait until a turn is answered, or no answer can be expected any more."""
        talks = self.inbox.talks
        talks.ask(turn)
        self.watch.listening(f"{turn.visitor}'s turn to speak to {turn.agent}.")
        try:
            while True:
                is_over = time.time() >= talks.until(turn.talk, turn.n)
                is_over = is_over or self.inbox.wants("visitor_leaves", turn.visitor)
                # After that, so that a line from the last moment is not lost.
                answer = talks.answer(turn.talk, turn.n)
                if answer is not None:
                    return GuestLine(text=plain(answer.text, LONGEST_LINE), ends=answer.ends)
                if is_over:
                    return GuestLine(text="")
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            self.watch.listening("")
