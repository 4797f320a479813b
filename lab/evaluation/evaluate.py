"""An evaluation: every moment asked with every variant, in all slots of each server."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple

import orjson

from smolville.agents.errors import StoppedError
from smolville.graphs.loop.ledger import MemoryJournal
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.rules import Rules
from smolville.history.spec import flatten_settings
from smolville.lab.evaluation.asking import ReadyMoment, ask_again
from smolville.lab.evaluation.results import Evaluation, ResultStore, VariantName
from smolville.lab.moments.files import set_name
from smolville.lab.single_step import reason_of
from smolville.models.chat import Chat
from smolville.models.errors import TransportError
from smolville.models.pacing import Backoff
from smolville.models.request import ModelSettings
from smolville.models.standin.model import StandInError
from smolville.prompts.prompt import TemplateBook, TemplateSet

OWN = "its own"
"""Name of the templates that a moment was originally asked with."""
AHEAD = 2
"""Moments in progress per slot: while one reply is parsed, the next call is at the server."""
UNSHAPING = ("timeout", "keep_alive", "strict", "examples")
"""Settings that do not change the answers of an evaluation."""

Progress = Callable[[int, int], None]
"""Callback with the number of results, and of those objected to among them."""


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A template set and a model."""

    name: VariantName
    chat: Chat = field(repr=False)
    templates: TemplateSet = field(repr=False)

    @property
    def version(self) -> str:
        """Eight hex digits that identify the templates."""
        return set_name(self.templates.texts)


def variants_of(
    sets: Sequence[tuple[str, TemplateSet]], chats: Iterable[Chat]
) -> tuple[Variant, ...]:
    """Return a variant for every combination of template set and model."""
    return tuple(
        Variant(name=VariantName(prompts=name, model=chat.spec), chat=chat, templates=templates)
        for chat in chats
        for name, templates in sets
    )


class Job(NamedTuple):
    """One question: a moment asked once with one variant."""

    moment: ReadyMoment
    variant: int
    turn: int

    @property
    def key(self) -> tuple[str, int, int]:
        """The key of the question's result."""
        return self.moment.id, self.variant, self.turn


@dataclass(frozen=True, kw_only=True)
class EvaluationSpec:
    """Everything that distinguishes one evaluation from another."""

    variants: tuple[Variant, ...]
    moments: tuple[ReadyMoment, ...]
    turns: int = 1
    """How often each moment is asked with each variant."""
    rules: Rules = field(default_factory=Rules)
    examples: int | None = None
    """Number of example cases shown with each question; None for as many as in the moment
    itself."""
    models: ModelSettings = field(default_factory=ModelSettings)

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        """All questions, in an order that suits a server's prefix cache.

        Questions with the same step and agent come together, one variant after the other.
        """
        moments = sorted(self.moments, key=lambda each: (each.step, each.use.persona.name))
        steps = dict.fromkeys(each.step for each in moments)
        return tuple(
            Job(each, variant, turn)
            for step in steps
            for variant in range(len(self.variants))
            for each in moments
            if each.step == step
            for turn in range(self.turns)
        )

    @cached_property
    def asked(self) -> Mapping[str, Any]:
        """The specification as plain data, without settings that cannot change an answer."""
        digest = blake2b(digest_size=8)
        for each in self.moments:
            digest.update(_question(each) + b"\x1e")
        settings = flatten_settings(self.rules, self.models)
        return {
            "variants": [each.name.label for each in self.variants],
            "templates": [each.version for each in self.variants],
            # The spec is not enough: the same address may serve another model later.
            "models": [
                f"{each.chat.name}{', constrained' if each.chat.constrains else ''}"
                for each in self.variants
            ],
            "moments": f"{len(self.moments)}, {digest.hexdigest()}",
            "turns": self.turns,
            "examples": self.examples,
            "settings": {
                name: list(value) if isinstance(value, tuple) else value
                for name, value in settings.items()
                if name not in UNSHAPING
            },
        }

    @property
    def questions(self) -> dict[str, tuple[str, str, str]]:
        """The step and the person of each moment, and digits of what is asked, by its id."""
        return {
            each.id: (
                each.step,
                each.person,
                blake2b(_question(each), digest_size=4).hexdigest(),
            )
            for each in self.moments
        }

    @property
    def name(self) -> str:
        """Sixteen hex digits that identify the specification."""
        data = orjson.dumps(self.asked, option=orjson.OPT_SORT_KEYS)
        return blake2b(data, digest_size=8).hexdigest()


def _question(moment: ReadyMoment) -> bytes:
    """Return all that a moment's question depends on, without templates and model."""
    call = moment.call
    shown = () if call is None else (call.inputs, call.recalled, call.examples)
    return "\x1f".join((moment.id, str(moment.seed), *shown)).encode("utf-8", "surrogatepass")


async def evaluate(
    question: EvaluationSpec,
    kept: ResultStore | None = None,
    *,
    progress: Progress = lambda done, objected: None,
    waiting: Callable[[TransportError, float], None] = lambda error, seconds: None,
    backoff: Backoff | None = None,
) -> Evaluation:
    """Return the results of every moment with every variant.

    Questions whose results are in `kept` are not asked again. Every result is saved at once. Raises
    the error of a model that can no longer be asked: ModelError or StoppedError.
    """
    kept = ResultStore() if kept is None else kept
    began = time.perf_counter() - kept.seconds
    first = question.variants[0].chat
    whole = ModelClient(
        fast=first,
        strong=first,
        journal=MemoryJournal(),
        seed=0,
        rules=question.rules,
        waiting=waiting,
        backoff=backoff or Backoff(),
    )
    # Copies share the slots of their servers.
    clients = [
        replace(whole, fast=each.chat, strong=each.chat, templates=TemplateBook(each.templates))
        for each in question.variants
    ]
    objected = sum(result.is_objected_to for result in kept.results.values())
    progress(len(kept.results), objected)

    async def work(queue: Iterator[Job]) -> None:
        nonlocal objected
        for job in queue:
            result = await ask_again(
                job.moment,
                clients[job.variant],
                turn=job.turn,
                variant=job.variant,
                examples=question.examples,
            )
            kept.keep(result, time.perf_counter() - began)
            objected += result.is_objected_to
            progress(len(kept.results), objected)

    left = [job for job in question.jobs if job.key not in kept.results]
    specs = [each.chat.spec for each in question.variants]
    try:
        async with asyncio.TaskGroup() as group:
            for spec, slots in {
                each.chat.spec: each.chat.slots for each in question.variants
            }.items():
                queue = iter([job for job in left if specs[job.variant] == spec])
                for _ in range(AHEAD * slots):
                    group.create_task(work(queue))
    except ExceptionGroup as several:
        error = several.exceptions[0]
        if isinstance(error, StandInError):
            raise StoppedError(f"Templates leave out what the stand-in needs: {error}.") from None
        raise reason_of(error) from None
    found = kept.results
    return Evaluation(
        variants=tuple(each.name for each in question.variants),
        moments={each.id: each.step for each in question.moments},
        people={each.id: each.person for each in question.moments},
        turns=question.turns,
        results=[found[job.key] for job in question.jobs if job.key in found],
        repairs=question.rules.repairs,
        seconds=kept.seconds,
    )
