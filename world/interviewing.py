"""Interview the people of a run, finished or going on; nothing of it reaches the town.

Memories are read from the history, their vectors from a copy of the run's store (`recalling`).
Questions and answers are kept in the inbox's side table, which neither memories nor digest know.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from agents.errors import RunError
from agents.stream import Vector
from graphs.cards import Said
from graphs.context import Senses, Thinker, context_of
from graphs.draft import Draft
from graphs.interview import interview
from graphs.loop.desk import Desk
from graphs.loop.ledger import MemoryJournal
from graphs.state import InterviewSeen
from graphs.streaming import OnAsk
from graphs.surroundings import Body
from models.chat import Chat
from models.embedding.embedder import Embedder, open_embedder
from prompts.prompt import TemplateBook, TemplateSet
from world.means import Means
from world.recalling import stream_of
from world.runs.folder import RunFolder
from world.runs.inbox import Inbox, Interview
from world.runs.reader import RunReader
from world.runs.spec import rules_in
from world.telling.present import mind_of, presences
from world.town.town import Town
from world.watch import untraced


@dataclass(frozen=True, kw_only=True)
class Answered:
    """One question and its answer."""

    agent: str
    question: str
    answer: str
    is_fallback: bool
    """True when no model's answer stands behind it."""
    at: int
    """Town second as of which was asked."""


@dataclass(kw_only=True)
class Seat:
    """Somebody who is interviewed, as they were at one moment of the run."""

    me: Thinker
    lines: tuple[Said, ...] = ()
    draft: Draft = field(default_factory=Draft)
    """Thrown away at the end: an interview touches neither memories nor last accesses."""


class Interviewer:
    """Asks the people of a run, as of one moment of it."""

    def __init__(
        self,
        folder: RunFolder,
        reader: RunReader,
        town: Town,
        chats: tuple[Chat, Chat],
        means: Means | None = None,
        templates: TemplateSet | None = None,
        *,
        tick: int | None = None,
    ) -> None:
        """Read nothing yet; RunError when the run has not lived a tick.

        Without `tick` people answer as of the run's watermark, which is also the latest they can;
        without `templates` they are asked with those that held then.
        """
        watermark = reader.watermark()
        if watermark is None:
            raise RunError(f"run {folder.name!r} has not lived a tick yet; nobody can answer")
        done = watermark if tick is None else max(0, min(tick, watermark))
        self.tick = done
        self.at = (done + 1) * folder.spec.tick_seconds
        self._folder = folder
        self._reader = reader
        self._town = town
        means = means or Means()
        self._embedder = open_embedder(
            folder.spec.models.embedder, env=means.env, may_send=means.may_send
        )
        self._desk = Desk(
            fast=chats[0],
            strong=chats[1],
            journal=MemoryJournal(),
            seed=folder.spec.seed,
            templates=TemplateBook(templates or TemplateSet(reader.templates_at(done))),
            rules=replace(rules_in(folder.spec.settings), strict=False),
            backoff=means.backoff,
            cache=means.cache,
        )
        self._seats: dict[str, Seat] = {}

    async def ask(
        self, agent: str, question: str, asker: str, on_ask: OnAsk | None = None
    ) -> Answered:
        """Return an agent's answer, and keep both in the run's inbox.

        `on_ask` is told of each try to answer, as it begins.
        """
        seat = self._seats.get(agent) or self._seat(agent)
        asked = InterviewSeen(
            agent=agent, asker=asker, question=question, lines=seat.lines, draft=seat.draft
        )
        # Opened first: where nothing can be kept, nobody is asked.
        with Inbox(self._folder) as inbox:
            done = await untraced(interview(context_of(seat.me, self._desk), asked, on_ask))
            seat.lines, seat.draft = done.lines, done.draft
            answer = done.lines[-1].text
            is_fallback = done.finished[-1].record.outcome == "fallback"
            inbox.put_interview(
                Interview(asker=asker, agent=agent, question=question, answer=answer, at=self.at)
            )
        return Answered(
            agent=agent, question=question, answer=answer, is_fallback=is_fallback, at=self.at
        )

    def _seat(self, agent: str) -> Seat:
        """Read somebody's mind and memories as of the watermark."""
        mind = mind_of(self._reader, agent, self.tick)
        if mind is None:
            raise RunError(f"{agent} has not had a thought yet and cannot answer")
        persona = self._town.personas[agent]
        me = Thinker(
            persona=persona,
            surroundings=self._surroundings(agent),
            stream=stream_of(self._reader, persona.name, self.tick, self._embedder),
            embed=_Embedding(self._embedder),
            mind=mind,
        )
        self._seats[agent] = Seat(me=me)
        return self._seats[agent]

    def _surroundings(self, agent: str) -> Senses:
        """Return what an interview needs of the town: the moment, and what the agent does."""
        people = presences(self._reader, self._town.map, self.tick)
        here = next(each for each in people if each.name == agent)
        body = Body(place=here.place, action=here.action, arrived=not here.is_walking)
        return Senses(
            tick=self.tick + 1,
            at=self.at,
            start_date=self._town.start_date,
            why=(),
            own=body,
            events=(),
            places=(),
            used={},
        )


class _Embedding:
    """Embeds texts beside the event loop."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def __call__(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text."""
        made = await asyncio.to_thread(self._embedder.embed, list(texts))
        return list(np.asarray(made, np.float32))
