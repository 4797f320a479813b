"""Try a model on a fixed set of moments of every step, through the step loop a town uses."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import numpy as np

from agents.errors import ContextError, StoppedError
from agents.persona import Persona
from agents.stream import MemoryStream, Vector
from graphs.cards import Card, Who
from graphs.catalogue import STEPS
from graphs.loop.desk import Desk
from graphs.loop.ledger import Call, MemoryJournal, StepOutcome
from graphs.loop.rules import Rules
from graphs.loop.step import Step
from graphs.notebook import Notebook
from graphs.surroundings import Body
from graphs.thinking import Ledger, Thought
from lab.trial.scenes import moments_of
from models.chat import Chat
from models.embedding.words import Words
from models.errors import TransportError
from world.senses import Senses

DAY = date(2024, 5, 6)
"""The date of the moments, which is no part of what is asked."""
WORDS = Words()


@dataclass(frozen=True, kw_only=True)
class Moment:
    """One use of one step."""

    step: str
    person: str
    case: int
    """From 1: which of the step's moments."""
    turn: int
    """From 0; another turn is asked with other seeds."""


@dataclass(frozen=True, kw_only=True)
class Tried:
    """How one moment ended."""

    moment: Moment
    outcome: StepOutcome | None
    """None where the prompt does not fit the model's context."""
    calls: tuple[Call, ...] = ()
    problems: tuple[str, ...] = ()
    """Of the last answer, when it ended in a fallback; why it could not be asked."""


@dataclass(frozen=True, kw_only=True)
class Trial:
    """All moments of a trial, in the order of the steps."""

    chat: Chat = field(repr=False)
    rules: Rules
    tried: tuple[Tried, ...]
    seconds: float

    def of(self, step: str) -> tuple[Tried, ...]:
        """Return the moments of one step."""
        return tuple(each for each in self.tried if each.moment.step == step)


async def try_model(
    chat: Chat,
    *,
    rules: Rules | None = None,
    turns: int = 1,
    steps: Sequence[Step[Any, Any]] = STEPS,
    progress: Callable[[Tried, int, int], None] = lambda tried, done, total: None,
    waiting: Callable[[TransportError, float], None] = lambda error, seconds: None,
) -> Trial:
    """Return how a model did on the moments of every step, `turns` times.

    As many calls as the server has slots are in flight; what is asked does not depend on it.
    Raises TransportError when the server cannot be asked any more.
    """
    used = replace(rules or Rules(), strict=False)
    journal = MemoryJournal()
    desk = Desk(fast=chat, strong=chat, journal=journal, seed=0, rules=used, waiting=waiting)
    moments = [
        (Moment(step=step.name, person=_me(inputs).name, case=case, turn=turn), step, inputs)
        for step in steps
        for case, inputs in enumerate(moments_of(step), 1)
        for turn in range(turns)
    ]
    started, done = time.perf_counter(), 0

    async def lived(moment: Moment, step: Step[Any, Any], inputs: Card) -> Tried:
        nonlocal done
        tried = await _tried(desk, journal, moment, step, inputs)
        done += 1
        progress(tried, done, len(moments))
        return tried

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(lived(*each)) for each in moments]
    except ExceptionGroup as several:
        raise _reason(several.exceptions[0]) from None
    return Trial(
        chat=chat,
        rules=used,
        tried=tuple(task.result() for task in tasks),
        seconds=time.perf_counter() - started,
    )


async def _tried(
    desk: Desk, journal: MemoryJournal, moment: Moment, step: Step[Any, Any], inputs: Card
) -> Tried:
    """Return how one moment ended."""
    thought = _thought(_me(inputs), moment, desk)
    try:
        taken = await step.take(thought, inputs)
    except ContextError as error:
        return Tried(moment=moment, outcome=None, problems=(str(error),))
    (record,) = thought.ledger.steps
    mine = (moment.step, moment.person, _tick(moment))
    return Tried(
        moment=moment,
        outcome=taken.outcome,
        calls=tuple(
            call
            for call in journal.calls.values()
            if (call.key.step, call.key.owner, call.key.tick) == mine
        ),
        problems=record.problems,
    )


def _reason(error: Exception) -> Exception:
    """Return why a trial ended; what a run would say of its commits has no place here."""
    if isinstance(error, StoppedError) and isinstance(error.__cause__, TransportError):
        return error.__cause__
    return error


def _tick(moment: Moment) -> int:
    """Return a tick of the moment's own: seeds are drawn from it."""
    return 100 * moment.turn + moment.case


def _me(inputs: Card) -> Who:
    """Return whose inputs these are: every step is asked as somebody."""
    me: Who = getattr(inputs, "me")  # noqa: B009 - no card but the steps' inputs has it
    return me


def _thought(me: Who, moment: Moment, desk: Desk) -> Thought:
    """Return a thought of somebody who stands nowhere and remembers nothing: inputs hold it all."""
    persona = _persona(me)
    around = Senses(
        tick=_tick(moment),
        at=0,
        start_date=DAY,
        why=(),
        own=Body(place="outdoors", action=None, arrived=True),
        events=(),
        places=(),
        used={},
    )
    return Thought(
        owner=me.name,
        persona=persona,
        surroundings=around,
        notes=Notebook(
            persona=persona,
            stream=MemoryStream(me.name, WORDS.dimension),
            embed=_embed,
            tick=_tick(moment),
            at=0,
        ),
        desk=desk,
        ledger=Ledger(),
    )


def _persona(me: Who) -> Persona:
    """Return the person that a card tells of."""
    return Persona(
        name=me.name,
        age=me.age,
        innate=me.innate,
        learned=me.learned,
        currently=me.currently,
        lifestyle=me.lifestyle,
        home=me.home,
        work="" if me.work == "none" else me.work,
        daily_requirement=me.currently,
    )


async def _embed(texts: Sequence[str]) -> Sequence[Vector]:
    """Return vectors of texts, without a model."""
    return list(np.asarray(WORDS.embed(texts), np.float32))
