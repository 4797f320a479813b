"""Waiting for the person behind a visitor: the town listens, and keeps what was said."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Literal

import orjson

from graphs.meeting import Spoken
from graphs.meeting import Turn as Asked
from world.adapter import Grant
from world.means import VISITOR_PATIENCE
from world.records import Intervention
from world.runs.history import History
from world.runs.inbox import Inbox, Turn
from world.visiting.words import LONGEST_LINE, plain
from world.watch import Watch

KIND: Literal["visitor_says"] = "visitor_says"
LOOK_SECONDS = 0.1
"""Between two looks for an answer."""


@dataclass(kw_only=True)
class Listening:
    """Asks for visitors' lines through a run's inbox, each once for all time.

    What was said is recorded at once, as an intervention keyed by talk and line: a tick that is
    lived again asks nobody again.
    """

    history: History
    inbox: Inbox
    watch: Watch = field(default_factory=Watch)
    patience: float = VISITOR_PATIENCE

    async def hear(self, asked: Asked, grant: Grant, tick: int, at: int) -> Spoken:
        """Return what a visitor says in a turn; nothing when patience ends, or when they leave."""
        wish = f"{KIND}/{grant.id}/{asked.n}"
        said = self.history.intervention(wish)
        if said is None:
            now = time.time()
            turn = Turn(
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
            told = {"talk": grant.id, "n": asked.n, "text": spoken.text, "ends": spoken.ends}
            said = orjson.dumps(told).decode()
            made = Intervention(id=wish, tick=tick, kind=KIND, target=asked.guest, text=said)
            self.history.record(made)
            self.inbox.talks.close(grant.id, asked.n)
        words = orjson.loads(said)
        return Spoken(text=words["text"], ends=words["ends"])

    async def _wait(self, turn: Turn) -> Spoken:
        """Wait until a turn is answered, or nobody can be expected to answer any more."""
        talks = self.inbox.talks
        talks.ask(turn)
        self.watch.listening(f"{turn.visitor}'s turn to speak to {turn.agent}.")
        try:
            while True:
                is_over = time.time() >= talks.until(turn.talk, turn.n)
                is_over = is_over or self.inbox.wants("visitor_leaves", turn.visitor)
                # After that, so that nothing said in the last moment is lost.
                answer = talks.answer(turn.talk, turn.n)
                if answer is not None:
                    return Spoken(text=plain(answer.text, LONGEST_LINE), ends=answer.ends)
                if is_over:
                    return Spoken(text="")
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            self.watch.listening("")
