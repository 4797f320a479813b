"""One use of one step by itself: of a trial, or of a moment that is asked again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.errors import ContextError, StoppedError
from agents.persona import Persona
from agents.stream import Recollection
from graphs.alone import context_alone, nowhere
from graphs.cards import Card, Who
from graphs.context import RecallResult
from graphs.draft import Draft
from graphs.loop.desk import Desk
from graphs.loop.graph import ask_step
from graphs.loop.ledger import Call, CallReading, MemoryJournal, StepOutcome
from graphs.loop.step import AnyStep
from models.errors import TransportError
from parsers.answer import Answer


@dataclass(frozen=True, kw_only=True)
class Use:
    """One use of a step, ready to be made; its inputs hold all that the mind knows."""

    step: AnyStep
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
    odd: tuple[str, ...] = ()
    """What in an accepted answer makes no sense, a sentence each."""
    odd_kinds: tuple[str, ...] = ()
    """The kind of each of them, in the same order."""


async def take_alone(desk: Desk, use: Use) -> Took:
    """Return how a use of a step ends at a desk; its calls are journaled apart from all others.

    Raises StoppedError when the server went away for good.
    """
    journal = MemoryJournal()
    context = context_alone(
        use.persona, nowhere(use.tick), replace(desk, journal=journal), owner=use.owner
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
        return Took(outcome=None, problems=(str(error),))
    (finished,) = done.finished
    record = finished.record
    return Took(
        outcome=record.outcome,
        answer=done.answer,
        calls=tuple(journal.calls.values()),
        readings=finished.readings,
        problems=record.problems,
        odd=record.odd,
        odd_kinds=record.odd_kinds,
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
