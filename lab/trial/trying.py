"""Try a model on a fixed set of moments of every step, through the step loop a town uses."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agents.errors import ContextError, StoppedError
from graphs.alone import nowhere, persona_of, thought_alone
from graphs.cards import Card, Who
from graphs.catalogue import STEPS
from graphs.loop.desk import Desk
from graphs.loop.ledger import Call, MemoryJournal, StepOutcome
from graphs.loop.rules import Rules
from graphs.loop.step import Step
from graphs.loop.template_set import TemplateBook, TemplateSet
from lab.trial.scenes import moments_of
from models.chat import Chat
from models.errors import TransportError


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
    templates: TemplateSet | None = None,
    progress: Callable[[Tried, int, int], None] = lambda tried, done, total: None,
    waiting: Callable[[TransportError, float], None] = lambda error, seconds: None,
) -> Trial:
    """Return how a model did on the moments of every step, `turns` times.

    It is asked with `templates`, the shipped ones for None. As many calls as the server has slots are in flight; what is asked does not depend on it.
    Raises TransportError when the server cannot be asked any more.
    """
    used = replace(rules or Rules(), strict=False)
    journal = MemoryJournal()
    desk = Desk(
        fast=chat,
        strong=chat,
        journal=journal,
        seed=0,
        rules=used,
        templates=TemplateBook(templates),
        waiting=waiting,
    )
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
    thought = thought_alone(persona_of(_me(inputs)), nowhere(_tick(moment)), desk)
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
