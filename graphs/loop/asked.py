"""The state of the step loop: one use of one step."""

from dataclasses import dataclass, field

from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from agents.recall import Recollection
from graphs.cards import Card
from graphs.loop.budget import Showing
from graphs.loop.declared import Declared
from graphs.loop.ledger import Call, CallReading
from graphs.loop.repairing import Wrong
from parsers.answer import Answer


@dataclass(kw_only=True)
class Asking:
    """The loop's state: one use of one step."""

    step: Declared
    inputs: Card
    ordinal: int
    recalled: tuple[Recollection, ...] = ()
    showing: Showing | None = None
    """What the prompt shows of the inputs; None before anything was asked."""
    first: list[BaseMessage] = field(default_factory=list)
    """The rendered prompt."""
    render_ms: float = 0.0
    """It took to render it."""
    wrongs: tuple[Wrong, ...] = ()
    """The replies that were not accepted, in their order."""
    attempt: int = 0
    warmth: float = 0.0
    call: Call | None = None
    kept: tuple[BaseModel, ...] = ()
    """Items of a list answer that are right already."""
    problems: tuple[str, ...] = ()
    readings: tuple[CallReading, ...] = ()
    answer: Answer | None = None
    outcome: str = ""

    @property
    def shown(self) -> Card:
        """The inputs as the model saw them: what its answer is held to."""
        return self.inputs if self.showing is None else self.showing.inputs
