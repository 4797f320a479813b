"""The critical path of a run: what each thought had to wait for under any schedule."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smolville.graphs.surroundings import Stimulus, Surroundings
    from smolville.world.adapter import Grant
    from smolville.world.simulation import Simulation
    from smolville.world.thought_runner import ThoughtOutcome


@dataclass(kw_only=True)
class Node:
    """A thought or talk: its duration, its agents, and the people it perceived."""

    tick: int
    owners: tuple[str, ...]
    is_talk: bool = False
    seconds: float = 0.0
    read: set[str] = field(default_factory=set)
    """The people whose actions were perceived."""


class Watched:
    """Records every thought and talk of a simulation from now on."""

    def __init__(self, simulation: "Simulation") -> None:
        self.nodes: list[Node] = []
        thinkers = simulation.engine.runner.thinkers
        self._names = set(simulation.world.names)
        self._open: dict[tuple[str, int], Node] = {}
        self._think, self._talk = thinkers.think, thinkers.talk
        self._surroundings = simulation.world.surroundings
        thinkers.think = self.think  # type: ignore[method-assign]
        thinkers.talk = self.talk  # type: ignore[method-assign]
        simulation.world.surroundings = self.surroundings  # type: ignore[method-assign]

    async def think(
        self, agent: str, tick: int, stimuli: "tuple[Stimulus, ...]"
    ) -> "ThoughtOutcome":
        """Run and record a thought."""
        node = Node(tick=tick, owners=(agent,))
        self._open[agent, tick] = node
        loop = asyncio.get_running_loop()
        started = loop.time()
        found = await self._think(agent, tick, stimuli)
        node.seconds = loop.time() - started
        self.nodes.append(node)
        return found

    async def talk(self, grant: "Grant", tick: int) -> "ThoughtOutcome":
        """Hold and record a talk."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        found = await self._talk(grant, tick)
        seconds = loop.time() - started
        self.nodes.append(Node(tick=tick, owners=grant.participants, is_talk=True, seconds=seconds))
        return found

    def surroundings(
        self, agent: str, tick: int, stimuli: "tuple[Stimulus, ...]"
    ) -> "Surroundings":
        """Return an agent's surroundings, and record whom they perceive."""
        found = self._surroundings(agent, tick, stimuli)
        node = self._open.get((agent, tick))
        if node is not None:
            node.read |= {each.subject for each in found.percepts()} & self._names
        return found


def critical_seconds(nodes: Sequence[Node]) -> float:
    """Return the duration of the longest chain of nodes that each waited for the previous one.

    A thought waits for the last thought or talk, before its tick, of its agent and of everybody it
    perceived. A talk also waits for the thoughts of its participants at its own tick.
    """
    ends: dict[str, float] = {}
    order = sorted(nodes, key=lambda node: (node.tick, node.is_talk))
    for _, together in groupby(order, key=lambda node: (node.tick, node.is_talk)):
        ends.update(
            {owner: _start(node, ends) + node.seconds for node in together for owner in node.owners}
        )
    return max(ends.values(), default=0.0)


def _start(node: Node, ends: Mapping[str, float]) -> float:
    return max((ends.get(name, 0.0) for name in {*node.owners, *node.read}), default=0.0)
