"""Asks what an evaluation asks, as many calls at a time as each server has slots."""

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from agents.errors import StoppedError
from graphs.loop.desk import Desk
from graphs.loop.ledger import MemoryJournal
from lab.evaluation.asking import ask_again
from lab.evaluation.kept import Kept
from lab.evaluation.question import Job, Question
from lab.evaluation.results import Evaluation
from lab.taking import reason_of
from models.errors import TransportError
from models.pacing import Backoff
from models.standin.errors import StandInError
from prompts.prompt import TemplateBook

AHEAD = 2
"""Moments in hand for each slot: while one call's reply is read, the next one is at the server."""

Progress = Callable[[int, int, int], None]
"""Told how many are done, of how many, and how many of those done were sensible."""


async def evaluate(
    question: Question,
    kept: Kept | None = None,
    *,
    progress: Progress = lambda done, total, sensible: None,
    waiting: Callable[[TransportError, float], None] = lambda error, seconds: None,
    backoff: Backoff | None = None,
) -> Evaluation:
    """Return how every moment ended with every variant; what `kept` holds is not asked again.

    Every result is kept at once. Raises what is wrong with a model that cannot be asked any more:
    ModelError, or StoppedError.
    """
    kept = Kept() if kept is None else kept
    began = time.perf_counter() - kept.seconds
    desks = _desks(question, waiting, backoff or Backoff())
    left = [job for job in question.jobs if job.key not in kept.results]
    sensible = sum(result.is_sensible for result in kept.results.values())
    progress(len(kept.results), len(question.jobs), sensible)

    async def work(queue: Iterator[Job]) -> None:
        nonlocal sensible
        for job in queue:
            result = await ask_again(
                job.moment,
                desks[job.variant],
                turn=job.turn,
                variant=job.variant,
                examples=question.examples,
            )
            kept.keep(result, time.perf_counter() - began)
            sensible += result.is_sensible
            progress(len(kept.results), len(question.jobs), sensible)

    try:
        async with asyncio.TaskGroup() as group:
            for spec, slots in _slots(question).items():
                queue = iter([job for job in left if _spec(question, job) == spec])
                for _ in range(AHEAD * slots):
                    group.create_task(work(queue))
    except ExceptionGroup as several:
        raise _told(several.exceptions[0]) from None
    return evaluation_of(question, kept)


def evaluation_of(question: Question, kept: Kept) -> Evaluation:
    """Return what is known so far, in the order in which it is asked."""
    found = kept.results
    return Evaluation(
        variants=tuple(each.name for each in question.variants),
        moments=tuple(each.stored for each in question.moments),
        turns=question.turns,
        results=[found[job.key] for job in question.jobs if job.key in found],
        repairs=question.rules.repairs,
        seconds=kept.seconds,
    )


def _desks(
    question: Question, waiting: Callable[[TransportError, float], None], backoff: Backoff
) -> list[Desk]:
    """Return a desk for each variant; they share their gates, so slots are shared by them all."""
    first = question.variants[0].chat
    whole = Desk(
        fast=first,
        strong=first,
        journal=MemoryJournal(),
        seed=0,
        rules=question.rules,
        waiting=waiting,
        backoff=backoff,
    )
    return [
        replace(whole, fast=each.chat, strong=each.chat, templates=TemplateBook(each.templates))
        for each in question.variants
    ]


def _slots(question: Question) -> dict[str, int]:
    """Return how many calls each model's server takes."""
    return {each.chat.spec: each.chat.slots for each in question.variants}


def _spec(question: Question, job: Job) -> str:
    return question.variants[job.variant].chat.spec


def _told(error: Exception) -> Exception:
    """Return why nothing more can be asked, for whoever asked."""
    if isinstance(error, StandInError):
        return StoppedError(f"Templates leave out what the stand-in needs: {error}.")
    return reason_of(error)
