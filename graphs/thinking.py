"""What a thought has at hand, and what it carries from node to node."""

from dataclasses import dataclass, field
from typing import Annotated

from langgraph.channels import UntrackedValue

from agents.mind import Mind
from agents.persona import Persona
from graphs.loop.desk import Desk
from graphs.loop.examples import Accepted
from graphs.loop.ledger import CallReading, Recall, StepRecord
from graphs.notebook import Notebook
from graphs.surroundings import Intent, Percept, Surroundings


@dataclass(kw_only=True)
class Ledger:
    """The steps of one thought or talk, in the order in which they ended."""

    steps: list[StepRecord] = field(default_factory=list)
    readings: list[CallReading] = field(default_factory=list)
    accepted: list[Accepted] = field(default_factory=list)
    """Clean answers that may be examples later; empty where the run wants none of its own."""
    nodes: list[str] = field(default_factory=list)
    """The mind graph's nodes that ran."""
    recalls: list[Recall] = field(default_factory=list)
    """Made since the last step ended: for the next one."""
    _used: dict[str, int] = field(default_factory=dict)

    def next_ordinal(self, step: str) -> int:
        """Return how often `step` was used before in this thought or talk, and count this use."""
        ordinal = self._used.get(step, 0)
        self._used[step] = ordinal + 1
        return ordinal

    def take_recalls(self) -> tuple[Recall, ...]:
        """Return the recalls made since the last step ended, once."""
        taken, self.recalls = tuple(self.recalls), []
        return taken


@dataclass(frozen=True, kw_only=True)
class Thought:
    """The context of one run of a graph: whose, when, and what it may read and ask."""

    owner: str
    """The agent whose thought it is, or the id of the talk: the first part of every call's key."""
    persona: Persona
    surroundings: Surroundings
    notes: Notebook
    desk: Desk
    ledger: Ledger

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.persona.name


@dataclass(kw_only=True)
class Thinking:
    """The mind graph's state: the mind lives on, everything else is of this thought."""

    mind: Mind
    fresh: Annotated[tuple[Percept, ...], UntrackedValue(tuple)] = ()
    """Events in sight that are new to this mind."""
    disturbed: Annotated[str, UntrackedValue(str)] = ""
    """Why the rest of the present hour wants a new plan; empty when it does not."""
    changed: Annotated[bool, UntrackedValue(bool)] = False
    """True when the plan of this very moment is another one than when the thought began."""
    questions: Annotated[tuple[str, ...], UntrackedValue(tuple)] = ()
    """What a reflection asks."""
    intent: Annotated[Intent | None, UntrackedValue(Intent)] = None
