"""Interview the people of a run, finished or going on; nothing of it reaches the town.

Memories are read from the history and embedded again, since Chroma belongs to the run's owner.
Questions and answers are kept in the inbox's side table, which neither memories nor digest know.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from agents.errors import RunError
from agents.mind import Mind
from agents.persona import Persona
from agents.stream import Vector
from graphs.answer_interview import answer_interview
from graphs.cards import Said
from graphs.loop.desk import Desk
from graphs.loop.ledger import MemoryJournal
from graphs.loop.template_set import TemplateBook, TemplateSet
from graphs.notebook import Notebook
from graphs.senses import Senses
from graphs.surroundings import Body
from graphs.thinking import Ledger, Thought
from models.chat import Chat
from models.embedding.embedder import Embedder, open_embedder
from world.means import Means
from world.recalling import stream_of
from world.runs.folder import RunFolder
from world.runs.inbox import Inbox, Interview
from world.runs.reader import RunReader
from world.runs.settings import rules_in
from world.telling.present import mind_of, presences
from world.town.town import Town
from world.untraced import untraced


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


@dataclass(frozen=True, kw_only=True)
class Guest:
    """Somebody who is interviewed, as they were at one moment of the run."""

    mind: Mind
    thought: Thought
    said: list[Said] = field(default_factory=list)


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
        self._guests: dict[str, Guest] = {}

    async def ask(self, agent: str, question: str, asker: str) -> Answered:
        """Return an agent's answer, and keep both in the run's inbox."""
        guest = self._guests.get(agent) or self._seat(agent)
        # Opened first: where nothing can be kept, nobody is asked.
        with Inbox(self._folder) as inbox:
            answer, is_fallback = await untraced(
                answer_interview(guest.thought, guest.mind, asker, question, guest.said)
            )
            guest.said.append(Said(speaker=asker, text=question))
            guest.said.append(Said(speaker=agent, text=answer))
            inbox.put_interview(
                Interview(asker=asker, agent=agent, question=question, answer=answer, at=self.at)
            )
        return Answered(
            agent=agent, question=question, answer=answer, is_fallback=is_fallback, at=self.at
        )

    def _seat(self, agent: str) -> Guest:
        """Read somebody's mind and memories as of the watermark."""
        mind = mind_of(self._reader, agent, self.tick)
        if mind is None:
            raise RunError(f"{agent} has not had a thought yet and cannot answer")
        persona = self._town.personas[agent]
        thought = Thought(
            owner=agent,
            persona=persona,
            surroundings=self._surroundings(agent),
            notes=self._notebook(persona),
            desk=self._desk,
            ledger=Ledger(),
        )
        self._guests[agent] = Guest(mind=mind, thought=thought)
        return self._guests[agent]

    def _notebook(self, persona: Persona) -> Notebook:
        return Notebook(
            persona=persona,
            stream=stream_of(self._reader, persona.name, self.tick, self._embedder),
            embed=_Embedding(self._embedder),
            tick=self.tick + 1,
            at=self.at,
        )

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
