"""Choose rare memories at random, for a dream or for a new idea."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from smolville.agents.memory import Memory
from smolville.agents.rare_memories import MOST, MemoryDraw, cluster_sizes, draw_rare
from smolville.agents.routines import ALIKE
from smolville.graphs.context import MindContext, Thinker
from smolville.graphs.state import MindSeen

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

LEAST = 8
"""Minimum number of memories that somebody must have for any to be chosen."""
DRAWN = 4
"""Number of memories chosen at once."""

Node = Callable[[MindSeen, "Runtime[MindContext]"], Awaitable[dict[str, Any]]]


def memories_to_draw(me: Thinker) -> list[Memory]:
    """Return the latest memories that may be chosen: no dreams or plans, and none that expired."""
    at = me.surroundings.at
    return [
        each
        for each in me.stream.latest(MOST, ("event", "thought", "talk"))
        if each.predicate != "plan" and (each.expires is None or each.expires > at)
    ]


def can_draw(me: Thinker) -> bool:
    """Return True when there are enough memories to choose from."""
    return len(memories_to_draw(me)) >= LEAST


def draws_for(step: str) -> tuple[str, Node]:
    """Return a node, with its name, that chooses memories for a step at random."""

    async def draw(state: MindSeen, runtime: "Runtime[MindContext]") -> dict[str, Any]:
        """Choose memories at random; the larger a memory's cluster, the smaller is its chance."""
        context = runtime.context
        me = context.of(state.agent)
        memories = memories_to_draw(me)
        alike = context.client.rules.routine_similarity or ALIKE
        vectors = me.stream.vectors([each.id for each in memories])
        sizes, clusters = cluster_sizes(vectors, alike)
        dice = context.dice(name)
        places = draw_rare(sizes.tolist(), DRAWN, lambda at: dice.fraction(memories[at].id))
        drawn = MemoryDraw(
            agent=me.name,
            tick=context.tick,
            step=step,
            memories=tuple(memories[at].id for at in places),
            sizes=tuple(int(sizes[at]) for at in places),
            among=len(memories),
            clusters=clusters,
            alike=alike,
        )
        return {"came_up": drawn.memories, "draws": [drawn], "path": [name]}

    name = f"draw_for_{step}"
    return name, draw
