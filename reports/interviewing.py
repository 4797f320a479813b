"""Interviews the people of a run, finished or in progress, without any effect on the town.

Memories are read from the history, and their vectors from a copy of the run's store (`recalling`).
Questions and answers are kept in a side table of the inbox, which affects neither memories nor
digest.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from smolville.agents.errors import RunError
from smolville.agents.stream import Vector
from smolville.graphs.answer_interview import interview
from smolville.graphs.context import Thinker, context_of
from smolville.graphs.draft import Draft
from smolville.graphs.loop.ledger import MemoryJournal, OnAsk
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.state import InterviewState
from smolville.graphs.surroundings import Body, Senses
from smolville.history.folder import RunFolder
from smolville.history.inbox import Inbox, InterviewRecord
from smolville.history.observers import untraced
from smolville.history.reader import RunReader
from smolville.history.spec import rules_in
from smolville.models.chat import Chat
from smolville.models.embedding.embedder import Embedder, open_embedder
from smolville.parsers.prompt_inputs import SpokenLine
from smolville.prompts.prompt import TemplateBook, TemplateSet
from smolville.reports.interview_guard import Danger, decline, find_danger
from smolville.reports.present import mind_of, presences
from smolville.world.run_resources import RunResources
from smolville.world.streams import stream_of
from smolville.world.town.town import Town


@dataclass(frozen=True, kw_only=True)
class AnsweredQuestion:
    """One question and its answer."""

    agent: str
    question: str
    answer: str
    is_fallback: bool
    """True if no model's answer was used."""
    at: int
    """Town second of the moment as of which the person answers."""
    declined: Danger | None = None
    """Why the person declined, by rule and without a model; None for any other answer."""


@dataclass(kw_only=True)
class Interviewee:
    """A person in an interview, as they were at one moment of the run."""

    me: Thinker
    lines: tuple[SpokenLine, ...] = ()
    draft: Draft = field(default_factory=Draft)
    """The changes that the interview would make; they are discarded.

    So an interview changes neither memories nor the times of last access.
    """


class Interviewer:
    """Asks the people of a run questions, as of one moment of the run."""

    def __init__(
        self,
        folder: RunFolder,
        reader: RunReader,
        town: Town,
        chats: tuple[Chat, Chat],
        means: RunResources | None = None,
        templates: TemplateSet | None = None,
        *,
        tick: int | None = None,
        is_guarded: bool = True,
    ) -> None:
        """Store the arguments without reading anything; raises RunError if the run has no tick yet.

        A guarded interview declines, without a model, questions to speak as somebody else, about
        hurting oneself, and for help with a crime (`reports.interview_guard`).

        People answer as of `tick`. Its default is the run's last tick, which is also used for any
        later one. The default of `templates` is those that the run used at that moment.
        """
        watermark = reader.watermark()
        if watermark is None:
            raise RunError(f"run {folder.name!r} has no tick yet; nobody can answer")
        done = watermark if tick is None else max(0, min(tick, watermark))
        self.tick = done
        self.at = (done + 1) * folder.spec.tick_seconds
        self._is_guarded = is_guarded
        self._folder = folder
        self._reader = reader
        self._town = town
        means = means or RunResources()
        self._embedder = open_embedder(
            folder.spec.models.embedder, env=means.env, may_send=means.may_send
        )
        self._desk = ModelClient(
            fast=chats[0],
            strong=chats[1],
            journal=MemoryJournal(),
            seed=folder.spec.seed,
            templates=TemplateBook(templates or TemplateSet.of(reader.templates_at(done))),
            rules=replace(rules_in(folder.spec.settings), strict=False),
            backoff=means.backoff,
            cache=means.cache,
        )
        self._seats: dict[str, Interviewee] = {}

    async def ask(
        self, agent: str, question: str, asker: str, on_ask: OnAsk | None = None
    ) -> AnsweredQuestion:
        """Return an agent's answer, and store question and answer in the run's inbox.

        `on_ask` is called with each attempt as the attempt begins.
        """
        seat = self._seats.get(agent) or self._seat(agent)
        asked = InterviewState(
            agent=agent, asker=asker, question=question, lines=seat.lines, draft=seat.draft
        )
        danger = find_danger(question) if self._is_guarded else None
        # Opened first: if nothing can be stored, nobody is asked.
        with Inbox(self._folder) as inbox:
            if danger is not None:
                answer, is_fallback = decline(danger, agent), False
            else:
                context = context_of(seat.me, self._desk, asks=on_ask)
                done = await untraced(interview(context, asked))
                seat.lines, seat.draft = done.lines, done.draft
                answer = done.lines[-1].text
                is_fallback = done.finished[-1].record.outcome == "fallback"
            inbox.put_interview(
                InterviewRecord(
                    asker=asker, agent=agent, question=question, answer=answer, at=self.at
                )
            )
        return AnsweredQuestion(
            agent=agent,
            question=question,
            answer=answer,
            is_fallback=is_fallback,
            at=self.at,
            declined=danger,
        )

    def _seat(self, agent: str) -> Interviewee:
        """Return an agent with the mind and memories of the interview's moment."""
        mind = mind_of(self._reader, agent, self.tick)
        if mind is None:
            raise RunError(f"{agent} has not had a thought yet and cannot answer")
        persona = self._town.personas[agent]
        me = Thinker(
            persona=persona,
            surroundings=self._surroundings(agent),
            stream=stream_of(self._reader, persona.name, self.tick, self._embedder),
            embed=_ThreadedEmbedder(self._embedder),
            mind=mind,
        )
        self._seats[agent] = Interviewee(me=me)
        return self._seats[agent]

    def _surroundings(self, agent: str) -> Senses:
        """Return what an agent perceives in an interview: the moment, and its current action."""
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


class _ThreadedEmbedder:
    """Embeds texts in a thread, without blocking the event loop."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def __call__(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text."""
        made = await asyncio.to_thread(self._embedder.embed, list(texts))
        return list(np.asarray(made, np.float32))
