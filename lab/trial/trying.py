"""Tries a model on a fixed set of moments of every step, through the step loop that a town uses."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from graphs.alone import persona_of
from graphs.catalogue import STEPS
from graphs.loop.ledger import Call, MemoryJournal, StepOutcome
from graphs.loop.model_client import ModelClient
from graphs.loop.rules import Rules
from graphs.loop.step import AnyStep
from graphs.prompt_inputs import PromptInput
from lab.prepared import PreparedStep, reason_of, take_alone, who_asks
from lab.trial.scenes import moments_of
from models.chat import Chat
from models.errors import TransportError
from models.pacing import Backoff
from prompts.prompt import TemplateBook, TemplateSet


@dataclass(frozen=True, kw_only=True)
class TrialMoment:
    """One use of a step in a trial."""

    step: str
    person: str
    case: int
    """Number of the moment within its step, from 1."""
    turn: int
    """Number of the repetition, from 0; each uses other seeds."""


@dataclass(frozen=True, kw_only=True)
class TrialResult:
    """The result of one moment."""

    moment: TrialMoment
    outcome: StepOutcome | None
    """None where the prompt does not fit the model's context."""
    calls: tuple[Call, ...] = ()
    problems: tuple[str, ...] = ()
    """The problems of the last answer when it ended in a fallback, or why it could not be asked."""
    odd: tuple[str, ...] = ()
    """What in the accepted answer makes no sense."""
    odd_kinds: tuple[str, ...] = ()
    """The kind of each entry of `odd`, in the same order."""

    @property
    def is_sensible(self) -> bool:
        """True when the model's answer was accepted, and nothing in it is odd."""
        return self.outcome not in (None, "fallback") and not self.odd


@dataclass(frozen=True, kw_only=True)
class ModelTrial:
    """All results of a trial, in the order of the steps."""

    chat: Chat = field(repr=False)
    rules: Rules
    templates: TemplateSet = field(repr=False)
    tried: tuple[TrialResult, ...]
    seconds: float

    def of(self, step: str) -> tuple[TrialResult, ...]:
        """Return the results of one step."""
        return tuple(each for each in self.tried if each.moment.step == step)


async def try_model(
    chat: Chat,
    *,
    rules: Rules | None = None,
    turns: int = 1,
    steps: Sequence[AnyStep] = STEPS,
    templates: TemplateSet | None = None,
    progress: Callable[[TrialResult, int, int], None] = lambda tried, done, total: None,
    waiting: Callable[[TransportError, float], None] = lambda error, seconds: None,
    backoff: Backoff | None = None,
) -> ModelTrial:
    """Return the results of a model on the moments of every step, each asked `turns` times.

    `templates` default to the shipped ones. As many calls are in flight as the server has slots,
    which does not affect what is asked. Raises TransportError when the server can no longer be
    asked.
    """
    used = replace(rules or Rules(), strict=False, strict_sense=())
    client = ModelClient(
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
        (
            TrialMoment(step=step.name, person=who_asks(inputs).name, case=case, turn=turn),
            step,
            inputs,
        )
        for step in steps
        for case, inputs in enumerate(moments_of(step), 1)
        for turn in range(turns)
    ]
    started, done = time.perf_counter(), 0

    async def lived(moment: TrialMoment, step: AnyStep, inputs: PromptInput) -> TrialResult:
        nonlocal done
        tried = await _tried(client, moment, step, inputs)
        done += 1
        progress(tried, done, len(moments))
        return tried

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(lived(*each)) for each in moments]
    except ExceptionGroup as several:
        raise reason_of(several.exceptions[0]) from None
    return ModelTrial(
        chat=chat,
        rules=used,
        templates=client.templates.latest,
        tried=tuple(task.result() for task in tasks),
        seconds=time.perf_counter() - started,
    )


async def _tried(
    client: ModelClient, moment: TrialMoment, step: AnyStep, inputs: PromptInput
) -> TrialResult:
    """Return the result of one moment."""
    use = PreparedStep(
        step=step,
        inputs=inputs,
        persona=persona_of(who_asks(inputs)),
        owner=moment.person,
        tick=_tick(moment),
    )
    took = await take_alone(client, use)
    return TrialResult(
        moment=moment,
        outcome=took.outcome,
        calls=took.calls,
        problems=took.problems,
        odd=took.odd,
        odd_kinds=took.odd_kinds,
    )


def _tick(moment: TrialMoment) -> int:
    """Return a tick that is unique to the moment, since the seeds are derived from it."""
    return 100 * moment.turn + moment.case
