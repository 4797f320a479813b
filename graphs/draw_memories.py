"""Choose rare memories at random, for a dream or for a new idea."""

from typing import TYPE_CHECKING, Any

from smolville.agents.memory import Memory
from smolville.agents.rare_memories import MOST, MemoryDraw, cluster_sizes, draw_rare
from smolville.agents.routines import ALIKE
from smolville.graphs.context import MindContext, Thinker
from smolville.graphs.state import MindState

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

LEAST = 8
"""Minimum number of memories that somebody must have for any to be chosen."""
DRAWN = 4
"""Number of memories chosen at once."""


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


async def draw_for_dream(state: MindState, runtime: "Runtime[MindContext]") -> dict[str, Any]:
    """Choose memories at random for a dream."""
    return _draw("dream", state, runtime.context)


async def draw_for_wander(state: MindState, runtime: "Runtime[MindContext]") -> dict[str, Any]:
    """Choose memories at random for a new idea."""
    return _draw("wander", state, runtime.context)


def _draw(step: str, state: MindState, context: MindContext) -> dict[str, Any]:
    """Choose memories for a step; the larger a memory's cluster, the smaller is its chance."""
    name, me = f"draw_for_{step}", context.of(state.agent)
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
    return {
        "came_up": drawn.memories,
        "draws": [*state.draws, drawn],
        "path": [*state.path, name],
    }
