"""Try a model on a fixed set of moments of every step, through the step loop a town uses."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from graphs.alone import persona_of
from graphs.cards import Card
from graphs.catalogue import STEPS
from graphs.loop.desk import Desk
from graphs.loop.ledger import Call, MemoryJournal, StepOutcome
from graphs.loop.rules import Rules
from graphs.loop.step import AnyStep
from lab.taking import Use, reason_of, take_alone, who_asks
from lab.trial.scenes import moments_of
from models.chat import Chat
from models.errors import TransportError
from models.pacing import Backoff
from prompts.prompt import TemplateBook, TemplateSet


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
    odd: tuple[str, ...] = ()
    """What in the accepted answer makes no sense."""
    odd_kinds: tuple[str, ...] = ()
    """The kind of each of them, in the same order."""

    @property
    def is_sensible(self) -> bool:
        """True when the model's answer was accepted, and nothing in it is odd."""
        return self.outcome not in (None, "fallback") and not self.odd


@dataclass(frozen=True, kw_only=True)
class Trial:
    """All moments of a trial, in the order of the steps."""

    chat: Chat = field(repr=False)
    rules: Rules
    templates: TemplateSet = field(repr=False)
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
    steps: Sequence[AnyStep] = STEPS,
    templates: TemplateSet | None = None,
    progress: Callable[[Tried, int, int], None] = lambda tried, done, total: None,
    waiting: Callable[[TransportError, float], None] = lambda error, seconds: None,
    backoff: Backoff | None = None,
) -> Trial:
    """Return how a model did on the moments of every step, `turns` times.

    It is asked with `templates`, the shipped ones for None. As many calls as the server has slots
    are in flight; what is asked does not depend on it. Raises TransportError when the server cannot
    be asked any more.
    """
    used = replace(rules or Rules(), strict=False, strict_sense=())
    desk = Desk(
        fast=chat,
        strong=chat,
        journal=MemoryJournal(),
        seed=0,
        rules=used,
        templates=TemplateBook(templates),
        waiting=waiting,
        backoff=backoff or Backoff(),
    )
    moments = [
        (Moment(step=step.name, person=who_asks(inputs).name, case=case, turn=turn), step, inputs)
        for step in steps
        for case, inputs in enumerate(moments_of(step), 1)
        for turn in range(turns)
    ]
    started, done = time.perf_counter(), 0

    async def lived(moment: Moment, step: AnyStep, inputs: Card) -> Tried:
        nonlocal done
        tried = await _tried(desk, moment, step, inputs)
        done += 1
        progress(tried, done, len(moments))
        return tried

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(lived(*each)) for each in moments]
    except ExceptionGroup as several:
        raise reason_of(several.exceptions[0]) from None
    return Trial(
        chat=chat,
        rules=used,
        templates=desk.templates.latest,
        tried=tuple(task.result() for task in tasks),
        seconds=time.perf_counter() - started,
    )


async def _tried(desk: Desk, moment: Moment, step: AnyStep, inputs: Card) -> Tried:
    """Return how one moment ended."""
    use = Use(
        step=step,
        inputs=inputs,
        persona=persona_of(who_asks(inputs)),
        owner=moment.person,
        tick=_tick(moment),
    )
    took = await take_alone(desk, use)
    return Tried(
        moment=moment,
        outcome=took.outcome,
        calls=took.calls,
        problems=took.problems,
        odd=took.odd,
        odd_kinds=took.odd_kinds,
    )


def _tick(moment: Moment) -> int:
    """Return a tick of the moment's own: seeds are drawn from it."""
    return 100 * moment.turn + moment.case
