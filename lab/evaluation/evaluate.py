"""Runs an evaluation, with as many calls in flight as each server has slots."""

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from smolville.agents.errors import StoppedError
from smolville.graphs.loop.ledger import MemoryJournal
from smolville.graphs.loop.model_client import ModelClient
from smolville.lab.evaluation.asking import ask_again
from smolville.lab.evaluation.result_store import ResultStore
from smolville.lab.evaluation.results import Evaluation
from smolville.lab.evaluation.spec import EvaluationSpec, Job
from smolville.lab.single_step import reason_of
from smolville.models.errors import TransportError
from smolville.models.pacing import Backoff
from smolville.models.standin.model import StandInError
from smolville.prompts.prompt import TemplateBook

AHEAD = 2
"""Moments in progress per slot: while one reply is parsed, the next call is at the server."""

Progress = Callable[[int, int, int], None]
"""Callback with the number of results, the total, and the number of results objected to."""


async def evaluate(
    question: EvaluationSpec,
    kept: ResultStore | None = None,
    *,
    progress: Progress = lambda done, total, objected: None,
    waiting: Callable[[TransportError, float], None] = lambda error, seconds: None,
    backoff: Backoff | None = None,
) -> Evaluation:
    """Return the results of every moment with every variant.

    Questions whose results are in `kept` are not asked again. Every result is saved at once. Raises
    the error of a model that can no longer be asked: ModelError or StoppedError.
    """
    kept = ResultStore() if kept is None else kept
    began = time.perf_counter() - kept.seconds
    desks = _desks(question, waiting, backoff or Backoff())
    left = [job for job in question.jobs if job.key not in kept.results]
    objected = sum(result.is_objected_to for result in kept.results.values())
    progress(len(kept.results), len(question.jobs), objected)

    async def work(queue: Iterator[Job]) -> None:
        nonlocal objected
        for job in queue:
            result = await ask_again(
                job.moment,
                desks[job.variant],
                turn=job.turn,
                variant=job.variant,
                examples=question.examples,
            )
            kept.keep(result, time.perf_counter() - began)
            objected += result.is_objected_to
            progress(len(kept.results), len(question.jobs), objected)

    try:
        async with asyncio.TaskGroup() as group:
            for spec, slots in _slots(question).items():
                queue = iter([job for job in left if _spec(question, job) == spec])
                for _ in range(AHEAD * slots):
                    group.create_task(work(queue))
    except ExceptionGroup as several:
        raise _choose_reported_error(several.exceptions[0]) from None
    return evaluation_of(question, kept)


def evaluation_of(question: EvaluationSpec, kept: ResultStore) -> Evaluation:
    """Return the results known so far, in the order in which the questions are asked."""
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
    question: EvaluationSpec, waiting: Callable[[TransportError, float], None], backoff: Backoff
) -> list[ModelClient]:
    """Return a model client for each variant; they share the slots of their servers."""
    first = question.variants[0].chat
    whole = ModelClient(
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


def _slots(question: EvaluationSpec) -> dict[str, int]:
    """Return the number of slots of each model's server."""
    return {each.chat.spec: each.chat.slots for each in question.variants}


def _spec(question: EvaluationSpec, job: Job) -> str:
    return question.variants[job.variant].chat.spec


def _choose_reported_error(error: Exception) -> Exception:
    """Return the error to report after `error` has ended the evaluation."""
    if isinstance(error, StandInError):
        return StoppedError(f"Templates leave out what the stand-in needs: {error}.")
    return reason_of(error)
