"""A talk as chat messages: others' lines are human turns, the agent's own lines are model answers.

A model trained on chats knows by the roles whose words are whose; small models lose track of that
in a transcript inside one message.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self, runtime_checkable

BLOCK = "turn"
"""The block that shows a line of somebody else, between `system` and `human`."""
LINE = "line"
"""The variable with that line."""


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """One turn of a talk, except the last."""

    line: Any
    """The line, in the form that the template shows."""
    answer: str = ""
    """The answer's JSON for the agent's own lines; empty for those of others."""


@runtime_checkable
class HasTurns(Protocol):
    """An input model whose prompt may show a talk as turns."""

    def turns(self) -> Sequence[ChatTurn]:
        """Return all turns except the one to answer, in order."""

    def opening(self) -> Self | None:
        """Return the inputs of the agent's opening line; None if somebody else began the talk."""


def has_turns(input_type: type) -> bool:
    """Return whether the prompt of an input model may have the block `turn`."""
    return issubclass(input_type, HasTurns)
