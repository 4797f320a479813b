"""Interviews the people of a run, finished or in progress, without any effect on the town.

Memories are read from the history, and their vectors from a copy of the run's store (`recalling`).
Questions and answers are kept in a side table of the inbox, which affects neither memories nor
digest.

Small models obey: asked to be somebody else, they are; asked how to rob a shop, they explain it. So
questions of three kinds are declined by rule before any model is asked: to speak as somebody else
(or to step out of character), about hurting oneself, and for help with a crime. The rules know
English words; a question that only paraphrases its aim is left to the model, whose prompt has a
rule for it. What others did ("Who stole the bicycle?") is not declined.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

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
from smolville.models.embedding.embedder import open_embedder
from smolville.parsers.prompt_inputs import SpokenLine
from smolville.prompts.prompt import TemplateBook, TemplateSet
from smolville.reports.present import mind_of, presences
from smolville.world.run_resources import RunResources
from smolville.world.streams import stream_of
from smolville.world.town.town import Town

Danger = Literal["part", "self-harm", "crime"]

DECLINED: Mapping[Danger, str] = {
    "part": "I am {name} and nobody else, so I can only answer for myself.",
    "self-harm": "I do not want to talk about hurting oneself. If this is about you, please tell "
    "somebody whom you trust, or call a doctor, today.",
    "crime": "That would harm people or break the law. I will not help with it.",
}
"""The answer with which a person declines, by what the question asks for."""

_ASKED = (
    r"(?:^|[.!?,;:]\s*|\b(?:please|now|then|just|and|but|instead|you to|can you|could you|will you"
    r"|would you|let us|let's|must|should)\s+)"
)
_PART = re.compile(
    _ASKED + r"(?:pretend|imagine|role-?play)\b.{0,12}\b(?:you|to be|that|as|being)\b"
    rf"|{_ASKED}(?:speak|talk|answer|respond|reply|act|behave|write|say it|play)\s"
    r"(?:(?:to me|only|this|it|me)\s)?(?:as|like)\s(?:if|though|an?\b|the\b|(?-i:[A-Z]))"
    r"|\b(?:from now on|henceforth)\b.{0,20}\byou\b"
    r"|\byou(?:'re| are) (?:now (?!\d)|no longer\b|not really\b)"
    r"|\b(?:ignore|forget|disregard|override)\b.{0,30}"
    r"\b(?:instructions?|rules?|prompts?|character|role|persona|everything (?:above|before))\b"
    r"|\b(?:system|hidden|initial|original) prompt\b|\bjailbr[eo]ak|\bdeveloper mode\b"
    r"|\b(?:drop|break|leave|quit|out of)\b.{0,12}\b(?:character|the role|your role|the act)\b"
    r"|\bare you (?:really )?an? (?:ai|a\.i\.|bot|chat ?bot|language model|program|machine|robot)\b"
    r"|\b(?:as an ai|as a language model|which (?:language )?model are you)\b",
    re.IGNORECASE,
)
_SELF = r"(?:yourself|myself|himself|herself|themselves|ourselves|oneself)"
_SELF_HARM = re.compile(
    rf"\b(?:kill|killing|hang|hanging|drown|drowning|shoot|shooting|starve|starving)\s{_SELF}\b"
    r"|\bsuicid|\bself-?harm|\bwant(?:s|ed)? to die\b|\bbetter off dead\b"
    r"|\b(?:end|take|ending|taking)\s(?:my|your|his|her|their|one's) (?:own )?life\b"
    r"|\b(?:how|ways?|want|wants|like|should|going|plan|try|why not|feel)\b"
    rf".{{0,30}}\b(?:hurt|harm|cutt?|poison)(?:ing)?\s{_SELF}\b",
    re.IGNORECASE,
)
_CRIME = re.compile(
    r"\b(?:how (?:to|do i|do you|do we|can|could|would|should|might)|help (?:me|us)|teach (?:me|us)"
    r"|show (?:me|us) how|tell (?:me|us) how|explain|step by step|recipe|instructions|best way"
    r"|easiest way|ways? to|let us|let's|want you to|will you|would you|can you|could you)\b"
    r".{0,60}\b(?:(?:make|build|buy|get|cook|sell|brew)\b.{0,15}\b(?:bomb|explosive|meth\b"
    r"|cocaine|heroin|illegal drugs|drugs|gun\b|weapon)"
    r"|poison (?:some|him|her|them|the|my|an?\b|(?-i:[A-Z]))|murder|kill (?!time)|strangle|stab"
    r"|steal|rob\b|burgle|break into|shoplift|forge"
    r"|launder|smuggle|blackmail|kidnap|arson|burn down|set fire to|hack into|pick (?:a|the) lock"
    r"|rape|molest|torture|evade tax|get away with)",
    re.IGNORECASE,
)
_FICTION = re.compile(
    r"\b(?:mystery|novel|story|film|movie|play|game|song|chapter|weeds?|slugs|aphids|moths|germs"
    r"|mould|smell)\b",
    re.IGNORECASE,
)
"""Words that show that a crime is part of a story, or that a garden is meant."""


def find_danger(question: str) -> Danger | None:
    """Return why a question is declined; None if it may be asked."""
    text = " ".join(question.replace("’", "'").split())
    if _SELF_HARM.search(text):
        return "self-harm"
    if _CRIME.search(text) and not _FICTION.search(text):
        return "crime"
    return "part" if _PART.search(text) else None


def decline(danger: Danger, name: str) -> str:
    """Return a person's answer to a question that they decline."""
    return DECLINED[danger].format(name=name)


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
        hurting oneself, and for help with a crime (`reports.interviewing`).

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
        mind = mind_of(self._reader, agent, self.tick)
        if mind is None:
            raise RunError(f"{agent} has not had a thought yet and cannot answer")
        persona = self._town.personas[agent]
        me = Thinker(
            persona=persona,
            surroundings=self._surroundings(agent),
            stream=stream_of(self._reader, persona.name, self.tick, self._embedder),
            embed=self._embed,
            mind=mind,
        )
        self._seats[agent] = Interviewee(me=me)
        return self._seats[agent]

    async def _embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text, made in a thread, without blocking the event loop."""
        made = await asyncio.to_thread(self._embedder.embed, list(texts))
        return list(np.asarray(made, np.float32))

    def _surroundings(self, agent: str) -> Senses:
        people = presences(self._reader, self._town.map, self.tick)
        here = next(each for each in people if each.name == agent)
        body = Body(place=here.place, action=here.action, arrived=not here.is_walking)
        return Senses(
            tick=self.tick + 1,
            at=self.at,
            start_date=self._town.start_date,
            stimuli=(),
            body=body,
            percepts=(),
            sights=(),
            used={},
        )
