"""A frozen moment: one use of one step in a run, with all that is needed to ask it again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any

import orjson

from agents.times import moment as town_time
from graphs.loop.ledger import StepOutcome, StepRecord
from world.runs.thoughts import Attempt

DIGITS = 8
"""Hex digits of a moment's id behind its run's name."""


def moment_digits(owner: str, tick: int, step: str, ordinal: int) -> str:
    """Return the digits that name one use of a step within its run."""
    told = "\0".join((owner, str(tick), step, str(ordinal)))
    return blake2b(told.encode(), digest_size=DIGITS // 2).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Moment:
    """One use of one step, as it was."""

    run: str
    """The run's name."""
    seed: int
    """The run's: draws for the calls' seeds are named by it."""
    at: int
    """Town second of the thought or talk."""
    record: StepRecord
    """How it ended; its answer is the accepted one, or the fallback."""
    attempts: tuple[Attempt, ...]
    """Its calls, at least one: the first has the inputs, what was recalled, and the messages."""
    memories: Mapping[str, str] = field(default_factory=dict)
    """Texts of the memories that came with it, by id."""
    templates: Mapping[str, str] = field(default_factory=dict)
    """File name to text: the templates it was asked with, where they are known."""

    @property
    def id(self) -> str:
        """The run's name and eight hex digits: `clumsy/3f9a1c2e`."""
        key = self.record
        return f"{self.run}/{moment_digits(key.owner, key.tick, key.step, key.ordinal)}"

    @property
    def step(self) -> str:
        """The step's name."""
        return self.record.step

    @property
    def agent(self) -> str:
        """Whose mind asked."""
        return self.record.agent

    @property
    def time(self) -> str:
        """The town time, `1 07:40`."""
        return town_time(self.at)

    @property
    def outcome(self) -> StepOutcome:
        """How the step ended."""
        return self.record.outcome

    @cached_property
    def inputs(self) -> dict[str, Any]:
        """The step's typed inputs as plain data, as the first call showed them."""
        told: dict[str, Any] = orjson.loads(self.attempts[0].call.inputs)
        return told

    @cached_property
    def answer(self) -> dict[str, Any]:
        """The accepted (or fallback) answer as plain data."""
        told: dict[str, Any] = orjson.loads(self.record.answer)
        return told
