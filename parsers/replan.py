"""The answer of the step `replan`: new subtasks for the rest of a block."""

from typing import Self

from pydantic import Field

from smolville.parsers.decompose import Subtasks
from smolville.parsers.prompt_inputs import PersonaInput, PlannedCard, PromptInput, RecalledMemory


class ReplanInput(PromptInput):
    """The inputs that the prompt `replan` shows."""

    me: PersonaInput
    now: str
    reason: str
    """What interrupted the block."""
    activity: str
    """The activity of the hourly block."""
    tasks: tuple[PlannedCard, ...]
    """The tasks in the block that were still to be done."""
    start: str
    """Clock time at which the new tasks begin."""
    end: str
    """Clock time at which the new tasks end."""
    minutes: int
    """Minutes that the new tasks fill."""
    agreed: tuple[str, ...] = Field((), exclude_if=lambda agreed: not agreed)
    """What was agreed for today and tomorrow, one line each."""
    memories: tuple[RecalledMemory, ...] = Field((), exclude_if=lambda memories: not memories)
    """What is on my mind about it: at most three memories."""


class NewTasks(Subtasks):
    """The tasks of an agent for the time that is left, in order."""

    @classmethod
    def example(cls) -> Self:
        """Return a worked example: 45 minutes are left."""
        return cls.of(
            ("walking to the post office", 10),
            ("posting the letter to the landlord", 10),
            ("finishing the accounts", 25),
        )
