"""A single step executed outside a run: in a model trial, or to ask a moment again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from smolville.agents.errors import ContextError, StoppedError
from smolville.agents.persona import Persona
from smolville.agents.stream import Recollection
from smolville.graphs.alone import context_alone, make_empty_senses
from smolville.graphs.draft import Draft
from smolville.graphs.loop.graph import ask_step
from smolville.graphs.loop.ledger import Call, CallReading, MemoryJournal, StepOutcome
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.rules import Rules
from smolville.graphs.loop.step import AnyStep
from smolville.graphs.recall import RecallResult
from smolville.models.chat import Chat
from smolville.models.errors import TransportError
from smolville.models.pacing import Backoff
from smolville.parsers.answer import Answer
from smolville.parsers.prompt_inputs import PromptInput
from smolville.prompts.prompt import TemplateBook, TemplateSet


@dataclass(frozen=True, kw_only=True)
class PreparedStep:
    """A step with its inputs, ready to be executed.

    The inputs hold everything that the agent knows: no memories are looked up for the step.
    """

    step: AnyStep
    inputs: PromptInput
    persona: Persona
    owner: str
    """First part of each call's key; the call's seed is derived from the key."""
    tick: int
    ordinal: int = 0
    recalled: Sequence[Recollection] = ()
    """The memories recalled for this step, with their scores, by which memories are dropped from a
    prompt that is too long."""


@dataclass(frozen=True, kw_only=True)
class StepEnding:
    """The result of a single use of a step: outcome, answer and calls."""

    outcome: StepOutcome | None
    """The outcome; None if the prompt does not fit the model's context."""
    answer: Answer | None = None
    calls: tuple[Call, ...] = ()
    readings: tuple[CallReading, ...] = ()
    """How each call's reply was read, in call order."""
    problems: tuple[str, ...] = ()
    """The problems of the last answer when it ended in a fallback, or why it could not be asked."""
    odd: tuple[str, ...] = ()
    """What makes no sense in an accepted answer, one sentence each."""
    odd_kinds: tuple[str, ...] = ()
    """The kind of each entry of `odd`, in the same order."""


async def take_alone(client: ModelClient, use: PreparedStep) -> StepEnding:
    """Execute a step outside a run and return its result; the calls are recorded in it alone.

    Raises StoppedError when the server is gone for good.
    """
    journal = MemoryJournal()
    context = context_alone(
        use.persona, make_empty_senses(use.tick), replace(client, journal=journal), owner=use.owner
    )
    try:
        done = await ask_step(
            use.step,
            context,
            use.inputs,
            RecallResult(found=tuple(use.recalled)),
            agent=use.persona.name,
            draft=Draft(uses={use.step.name: use.ordinal}),
        )
    except ContextError as error:
        return StepEnding(outcome=None, problems=(str(error),))
    (finished,) = done.finished
    record = finished.record
    return StepEnding(
        outcome=record.outcome,
        answer=done.answer,
        calls=tuple(journal.calls.values()),
        readings=finished.readings,
        problems=record.problems,
        odd=record.odd,
        odd_kinds=record.odd_kinds,
    )


def client_for(
    chat: Chat,
    templates: TemplateSet,
    rules: Rules | None = None,
    *,
    waiting: Callable[[TransportError, float], None] = lambda error, seconds: None,
    backoff: Backoff | None = None,
) -> ModelClient:
    """Return a client for steps outside a run: one model, lenient, without examples."""
    how = replace(rules or Rules(), strict=False, examples=0)
    return ModelClient(
        fast=chat,
        strong=chat,
        journal=MemoryJournal(),
        seed=0,
        rules=how,
        templates=TemplateBook(templates),
        waiting=waiting,
        backoff=backoff or Backoff(),
    )


def reason_of(error: Exception) -> Exception:
    """Return the underlying transport error of a StoppedError, or `error` itself.

    The message of a StoppedError speaks of a run's commits, which do not exist here.
    """
    if isinstance(error, StoppedError) and isinstance(error.__cause__, TransportError):
        return error.__cause__
    return error
