"""Recorded thoughts and talks with their steps and calls, and single uses of steps."""

from dataclasses import dataclass
from typing import NamedTuple

from smolville.agents.action import Talk
from smolville.graphs.loop.ledger import Call, CallReading, StepOutcome, StepRecord
from smolville.history.records import ThoughtRow


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedAttempt:
    """One call of a step, and the parse result of its reply."""

    call: Call
    reading: CallReading | None
    """How the reply was read; None if the step ended before that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """One step: how it ended, and its attempts in order."""

    record: StepRecord
    attempts: tuple[RecordedAttempt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """One run of the mind graph with its steps."""

    row: ThoughtRow
    steps: tuple[StepView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTalk:
    """One talk with its steps."""

    talk: Talk
    tick: int
    """Tick at which the talk was granted and held."""
    steps: tuple[StepView, ...]


class UseKey(NamedTuple):
    """The key of a use of a step within its run."""

    owner: str
    """The agent whose thought it belongs to, or the id of the talk."""
    tick: int
    step: str
    ordinal: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StepUse:
    """One use of a step, with the fields shown in lists."""

    key: UseKey
    agent: str
    outcome: StepOutcome
    attempts: int
    model: str
    """The model that was asked first."""
    template: str
    """Version of the prompt template that was used."""
    problems: tuple[str, ...]
    """What was wrong with the first reply."""
    mends: tuple[str, ...]
    """What was mended in the first reply."""
    odd: tuple[str, ...] = ()
    """Sentences on what in the accepted answer makes no sense."""
    odd_kinds: tuple[str, ...] = ()
    """The kind of each oddity in `odd` (`parsers.problem.SENSE_KINDS`)."""
