"""One use of one step by itself: of a trial, or of a moment that is asked again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from agents.errors import ContextError, StoppedError
from agents.persona import Persona
from agents.recall import Recollection
from graphs.alone import nowhere, thought_alone
from graphs.cards import Card, Who
from graphs.loop.desk import Desk
from graphs.loop.ledger import Call, CallReading, MemoryJournal, StepOutcome
from graphs.loop.step import Step
from models.errors import TransportError
from parsers.answer import Answer


@dataclass(frozen=True, kw_only=True)
class Use:
    """One use of a step, ready to be made; its inputs hold all that the mind knows."""

    step: Step[Any, Any]
    inputs: Card
    persona: Persona
    owner: str
    """With what follows the first part of each call's key, by which its seed is drawn."""
    tick: int
    ordinal: int = 0
    recalled: Sequence[Recollection] = ()
    """What came back from memory for it: which of the inputs' memories may go first."""


@dataclass(frozen=True, kw_only=True)
class Took:
    """How one use of a step ended."""

    outcome: StepOutcome | None
    """None where the prompt does not fit the model's context."""
    answer: Answer | None = None
    calls: tuple[Call, ...] = ()
    readings: tuple[CallReading, ...] = ()
    """Of the calls, in their order."""
    problems: tuple[str, ...] = ()
    """Of the last answer, when it ended in a fallback; why it could not be asked."""


async def take_alone(desk: Desk, use: Use) -> Took:
    """Return how a use of a step ends at a desk; its calls are journaled apart from all others.

    Raises StoppedError when the server went away for good.
    """
    journal = MemoryJournal()
    thought = thought_alone(
        use.persona, nowhere(use.tick), replace(desk, journal=journal), owner=use.owner
    )
    for _ in range(use.ordinal):
        thought.ledger.next_ordinal(use.step.name)
    try:
        taken = await use.step.take(thought, use.inputs, use.recalled)
    except ContextError as error:
        return Took(outcome=None, problems=(str(error),))
    (record,) = thought.ledger.steps
    return Took(
        outcome=taken.outcome,
        answer=taken.answer,
        calls=tuple(journal.calls.values()),
        readings=tuple(thought.ledger.readings),
        problems=record.problems,
    )


def who_asks(inputs: Card) -> Who:
    """Return whose inputs these are: every step is asked as somebody."""
    me: Who = getattr(inputs, "me")  # noqa: B009 - no card but the steps' inputs has it
    return me


def reason_of(error: Exception) -> Exception:
    """Return why nobody can be asked; what a run would say of its commits has no place here."""
    if isinstance(error, StoppedError) and isinstance(error.__cause__, TransportError):
        return error.__cause__
    return error
