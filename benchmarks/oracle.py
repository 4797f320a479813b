"""The critical path of a lived town: what each thought had to wait for, whatever the schedule."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphs.surroundings import Stimulus, Surroundings
    from world.adapter import Grant
    from world.simulation import Simulation
    from world.thought_runner import ThoughtOutcome


@dataclass(kw_only=True)
class Node:
    """A thought or a talk: how long it took, whose it was, and whom it read."""

    tick: int
    owners: tuple[str, ...]
    is_talk: bool = False
    seconds: float = 0.0
    read: set[str] = field(default_factory=set)
    """People whose doings it perceived."""


class Watched:
    """Notes every thought and talk of a simulation from now on."""

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
        """Note a thought."""
        node = Node(tick=tick, owners=(agent,))
        self._open[agent, tick] = node
        loop = asyncio.get_running_loop()
        started = loop.time()
        found = await self._think(agent, tick, stimuli)
        node.seconds = loop.time() - started
        self.nodes.append(node)
        return found

    async def talk(self, grant: "Grant", tick: int) -> "ThoughtOutcome":
        """Note a talk."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        found = await self._talk(grant, tick)
        seconds = loop.time() - started
        self.nodes.append(Node(tick=tick, owners=grant.participants, is_talk=True, seconds=seconds))
        return found

    def surroundings(
        self, agent: str, tick: int, stimuli: "tuple[Stimulus, ...]"
    ) -> "Surroundings":
        """Note whom an agent perceives."""
        found = self._surroundings(agent, tick, stimuli)
        node = self._open.get((agent, tick))
        if node is not None:
            node.read |= {each.subject for each in found.percepts()} & self._names
        return found


def critical_seconds(nodes: Sequence[Node]) -> float:
    """Return the length of the longest chain of nodes of which each had to wait for the last.

    A thought waits for the last thought or talk of its owner, and of everybody it perceived, before
    its tick. A talk waits for the thoughts of those who take part, at its tick too.
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
