"""Asks a judge model which of two answers makes more sense, in both orders."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from graphs.loop.ledger import MemoryJournal
from graphs.loop.model_client import ModelClient
from graphs.loop.rules import Rules
from lab.evaluation.evaluate import AHEAD
from lab.judging.pairs import Contest, Pair
from lab.judging.question import STEP, Preference, inputs_of, judge_templates
from lab.judging.verdicts import NONE, SAME, PairVerdict, Verdicts
from lab.prepared import PreparedStep, reason_of, take_alone
from models.chat import Chat
from models.errors import TransportError
from models.pacing import Backoff
from prompts.prompt import TemplateBook

Progress = Callable[[int, int], None]
"""Callback with the number of pairs judged, and the total."""


class ModelVerdict(NamedTuple):
    """A model's verdict for one order of the answers."""

    prefers: str
    """A variant's label, `SAME`, or `NONE`."""
    reason: str


async def ask_judge(
    contest: Contest,
    verdicts: Verdicts,
    chat: Chat,
    *,
    rules: Rules | None = None,
    progress: Progress = lambda done, total: None,
    waiting: Callable[[TransportError, float], None] = lambda error, seconds: None,
    backoff: Backoff | None = None,
) -> None:
    """Let a model judge every pair of a contest that it has not judged yet.

    Each verdict is saved at once. Raises the error of a model that can no longer be asked:
    ModelError or StoppedError.
    """
    client = _desk(chat, rules or Rules(), waiting, backoff or Backoff())
    judge, total = chat.spec, len(contest.pairs)
    left = contest.queue(judge, verdicts.of(judge))
    done = total - len(left)
    progress(done, total)

    async def work(queue: Iterator[Pair]) -> None:
        nonlocal done
        for pair in queue:
            verdicts.keep(await judged(pair, client, judge))
            done += 1
            progress(done, total)

    queue = iter(left)
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(AHEAD * chat.slots):
                group.create_task(work(queue))
    except ExceptionGroup as several:
        raise reason_of(several.exceptions[0]) from None


async def judged(pair: Pair, client: ModelClient, judge: str) -> PairVerdict:
    """Return a model's verdict: its preference when both orders agree, otherwise a tie."""
    one, other = [await _heard(pair, client, first) for first in (0, 1)]
    prefers = one.prefers if one.prefers == other.prefers else SAME
    is_silent = NONE in (one.prefers, other.prefers)
    return PairVerdict(
        pair=pair.key,
        judge=judge,
        prefers=NONE if is_silent else prefers,
        moment=pair.asked.moment.id,
        reason=" / ".join(filter(None, dict.fromkeys((one.reason, other.reason)))),
        wavers=one.prefers != other.prefers and not is_silent,
    )


async def _heard(pair: Pair, client: ModelClient, first: int) -> ModelVerdict:
    """Return the model's verdict when the answer of variant `first` is shown first."""
    took = await take_alone(
        client,
        PreparedStep(
            step=STEP,
            inputs=inputs_of(pair, first),
            persona=pair.asked.use.persona,
            owner=f"judge/{pair.key}",
            tick=0,
            ordinal=first,
        ),
    )
    if took.outcome in (None, "fallback") or not isinstance(took.answer, Preference):
        return ModelVerdict(NONE, "")
    by_letter = {"A": pair.labels[first], "B": pair.labels[1 - first], "same": SAME}
    return ModelVerdict(by_letter[took.answer.better], took.answer.reason)


def _desk(
    chat: Chat, rules: Rules, waiting: Callable[[TransportError, float], None], backoff: Backoff
) -> ModelClient:
    """Return a model client that uses only the judge model, without examples."""
    return ModelClient(
        fast=chat,
        strong=chat,
        journal=MemoryJournal(),
        seed=0,
        rules=replace(rules, strict=False, strict_sense=(), examples=0, examples_from_run=False),
        templates=TemplateBook(judge_templates()),
        waiting=waiting,
        backoff=backoff,
    )
