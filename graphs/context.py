"""The runtime context of every graph: what a thought may read and ask, and never changes."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from agents.mind import Mind
from agents.persona import Persona
from agents.stream import MemoryStream, Vector
from graphs.loop.desk import Desk
from graphs.surroundings import Surroundings

Embed = Callable[[Sequence[str]], Awaitable[Sequence[Vector]]]


@dataclass(frozen=True, kw_only=True)
class Thinker:
    """One who thinks or talks: who they are, what they sense, and what they remember.

    The memory stream is read as it was when the thought began; it changes at commits only.
    """

    persona: Persona
    surroundings: Surroundings
    stream: MemoryStream
    embed: Embed
    mind: Mind | None = None
    """The mind as of the start, for graphs that leave it as it is (a talk, an interview)."""

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.persona.name


@dataclass(frozen=True, kw_only=True)
class MindContext:
    """The context of one run of a graph: a thought, a talk, an interview, or a single step."""

    owner: str
    """The agent whose thought it is, or the id of the talk: the first part of every call's key."""
    tick: int
    thinkers: Mapping[str, Thinker]
    """By name: the agent, or everybody with a mind who takes part in a talk."""
    desk: Desk
    """Where models are asked."""

    def of(self, agent: str) -> Thinker:
        """Return the thinker of that name."""
        return self.thinkers[agent]


def context_of(thinker: Thinker, desk: Desk, owner: str = "") -> MindContext:
    """Return the context of a graph in which one agent thinks alone."""
    return MindContext(
        owner=owner or thinker.name,
        tick=thinker.surroundings.tick,
        thinkers={thinker.name: thinker},
        desk=desk,
    )
