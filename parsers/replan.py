"""The answer of the step `replan`: new subtasks for the rest of a block."""

from typing import Self

from smolville.parsers.decompose import Subtask, Subtasks


class NewTasks(Subtasks):
    """The tasks of an agent for the time that is left, in order."""

    @classmethod
    def example(cls) -> Self:
        """Return a worked example: 45 minutes are left."""
        return cls(
            subtasks=[
                Subtask(activity="walking to the post office", minutes=10),
                Subtask(activity="posting the letter to the landlord", minutes=10),
                Subtask(activity="finishing the accounts", minutes=25),
            ]
        )
