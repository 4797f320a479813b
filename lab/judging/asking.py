"""What all judging models share: steps with a template in this folder, and how one model is asked.

These steps are executed by the same loop as the steps of a mind, but are in no list of steps.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, TypeVar

from smolville.graphs.alone import asked_person
from smolville.graphs.context import MindContext
from smolville.graphs.loop.ledger import MemoryJournal
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.rules import Rules
from smolville.graphs.loop.state import GivenSeen
from smolville.graphs.loop.step import A, Changes, I, Step, StepInputs, StepResult
from smolville.lab.evaluation.evaluate import AHEAD
from smolville.lab.single_step import PreparedStep, reason_of
from smolville.models.chat import Chat
from smolville.models.errors import TransportError
from smolville.models.pacing import Backoff
from smolville.prompts.folder import shipped_texts
from smolville.prompts.prompt import Prompt, TemplateBook, TemplateSet

Job = TypeVar("Job")
Progress = Callable[[int, int], None]
"""Callback with the number of verdicts, and the total."""


@dataclass(frozen=True, kw_only=True)
class JudgingStep(Step[GivenSeen, I, A]):
    """A judge's step. Its template lies beside this file, not among the shipped templates."""

    @cached_property
    def prompt(self) -> Prompt[I]:
        """The prompt of the step."""
        return judge_templates().prompt(self)


@cache
def judge_templates() -> TemplateSet:
    """Return the shipped templates together with those of the judges."""
    own = {
        each.name: each.read_text(encoding="utf-8")
        for each in files("smolville.lab.judging").iterdir()
        if each.name.endswith(".jinja")
    }
    return TemplateSet({**shipped_texts(), **own})


async def gather_given(state: GivenSeen, context: MindContext) -> StepInputs[Any]:
    """Return the inputs unchanged."""
    return StepInputs(inputs=state.inputs)


def apply_nothing(state: GivenSeen, context: MindContext, result: StepResult[Any, Any]) -> Changes:
    """Return no changes: only the answer is needed."""
    return {}


def who_of(use: PreparedStep) -> tuple[str, ...]:
    """Return a description of the person who was asked, in a few lines."""
    me = asked_person(use.inputs)
    facts = {"Character": me.innate, "Habits": me.lifestyle, "Home": me.home, "Work": me.work}
    lines = (f"{name}: {text}" for name, text in facts.items() if text)
    return f"{me.name}, {me.age} years old", *lines, f"On their mind: {me.currently}"


def case_of(use: PreparedStep) -> tuple[str, ...]:
    """Return the situation in a few lines: time, place, and the case as the step states it."""
    text: str = use.step.case(use.inputs)
    around = (
        ("It is", getattr(use.inputs, "now", "")),
        ("Place:", getattr(use.inputs, "place", "")),
    )
    known = (f"{words} {fact}" for words, fact in around if fact and str(fact) not in text)
    return *known, *text.splitlines()


@dataclass(frozen=True, kw_only=True)
class JudgeCalls:
    """How a judging model is asked, and who is told about it."""

    chat: Chat
    rules: Rules | None = None
    progress: Progress = lambda done, total: None
    waiting: Callable[[TransportError, float], None] = lambda error, seconds: None
    backoff: Backoff | None = None

    def client(self) -> ModelClient:
        """Return a model client that uses only the judging model, without examples."""
        return ModelClient(
            fast=self.chat,
            strong=self.chat,
            journal=MemoryJournal(),
            seed=0,
            rules=replace(
                self.rules or Rules(),
                strict=False,
                strict_sense=(),
                examples=0,
            ),
            templates=TemplateBook(judge_templates()),
            waiting=self.waiting,
            backoff=self.backoff or Backoff(),
        )

    async def ask_all(
        self, jobs: Sequence[Job], done: int, ask: Callable[[Job], Awaitable[None]]
    ) -> None:
        """Ask for every job in turn, in all slots of the server; `done` were asked before.

        Raises the error of a model that can no longer be asked: ModelError or StoppedError.
        """
        total = done + len(jobs)
        self.progress(done, total)

        async def work(queue: Iterator[Job]) -> None:
            nonlocal done
            for job in queue:
                await ask(job)
                done += 1
                self.progress(done, total)

        queue = iter(jobs)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(AHEAD * self.chat.slots):
                    group.create_task(work(queue))
        except ExceptionGroup as several:
            raise reason_of(several.exceptions[0]) from None
