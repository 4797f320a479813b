"""Places that need no question: the same task's of before, the one a task names, one's own bed."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from agents.chance import pick
from agents.mind import Mind
from agents.places import join_address
from agents.plan import Block, Spot, is_sleep
from agents.times import minute_of
from graphs.activities.deeds import spot_of
from graphs.candidates import Here, task_of
from graphs.context import MindContext, Thinker
from graphs.named_spots import named_spot
from graphs.state import MindSeen

STEP = "ground_block"
"""The step that places what is left; what its fallback placed is asked again."""
MOST = 6
"""Tasks a call."""
AHEAD = 120
"""Minutes ahead for which places are chosen."""
SPLIT = 60
"""A longer block that is still whole is split first."""


def without_place(mind: Mind, at: int) -> tuple[Block, ...]:
    """Return the blocks from this moment on that want a place now."""
    assert mind.plan is not None
    minute = minute_of(at)
    found: list[Block] = []
    for block in mind.plan.blocks:
        if block.end <= minute:
            continue
        whole = not block.part_of and block.minutes >= SPLIT
        if block.start >= minute + AHEAD or is_sleep(block.activity) or (whole and found):
            break
        if block.spot is None:
            found.append(block)
    return tuple(found)


def to_ground(mind: Mind, at: int) -> tuple[Block, ...]:
    """Return the blocks that are asked about in one call: at most six."""
    return without_place(mind, at)[:MOST]


def with_known_places(mind: Mind) -> Mind:
    """Return the mind with tasks it has done today at the same place again.

    They are the same when task and hourly activity are, to the very word. What the step's own
    fallback chose, or nobody, is asked again.
    """
    assert mind.plan is not None
    known = {
        (block.activity, block.part_of): block.spot
        for block in mind.plan.blocks
        if block.spot
        and not block.spot.nowhere
        and block.spot.fallback != STEP
        and block.spot.place not in mind.refused
    }
    return _with_spots(
        mind,
        {
            block.start: spot
            for block in mind.plan.blocks
            if block.spot is None and (spot := known.get((block.activity, block.part_of)))
        },
    )


def with_named_places(me: Thinker, mind: Mind) -> Mind:
    """Return the mind with the next tasks that name their place or object put there."""
    spots: dict[int, Spot] = {}
    for block in without_place(mind, me.surroundings.at):
        task = task_of(me.persona, block.activity, block.part_of or block.activity)
        named = named_spot(mind, me.persona, here_of(me), task)
        if named is not None:
            spots[block.start] = replace(spot_of(task, named.arena, named.name), by_rule=True)
    return _with_spots(mind, spots)


async def reuse_places(state: MindSeen, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Give tasks that were done today before, to the very word, the same place again."""
    return {"mind": with_known_places(state.mind), "path": ["reuse_places"]}


async def place_named(state: MindSeen, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Put tasks that name exactly one place or object there, without asking a model."""
    me = runtime.context.of(state.agent)
    return {"mind": with_named_places(me, state.mind), "path": ["place_named"]}


def here_of(me: Thinker) -> Here:
    """Return where the agent stands, and which objects in sight are in use."""
    around = me.surroundings
    seen = [
        join_address(sight.arena, thing) for sight in around.sights() for thing in sight.objects
    ]
    taken = frozenset(address for address in seen if around.is_taken(address))
    return Here(arena=around.body().place, taken=taken)


def bed_spot(me: Thinker, mind: Mind) -> Spot:
    """Return where the agent sleeps, by rule: a bed at home that was not found taken."""
    home = me.persona.home
    known = mind.places.get(home)
    beds = [
        thing
        for thing in (known.objects if known else ())
        if "bed" in thing.split() and join_address(home, thing) not in mind.refused
    ]
    bed = pick(sorted(beds), "bed", me.name) if beds else ""
    return Spot(
        place=join_address(home, bed),
        emoji="😴",
        predicate="is",
        object="asleep",
        object_state=f"being slept in by {me.name}" if bed else "",
        object_emoji="🛏️" if bed else "",
    )


def _with_spots(mind: Mind, spots: dict[int, Spot]) -> Mind:
    """Return the mind with spots given to the blocks that begin at these minutes."""
    if not spots or mind.plan is None:
        return mind
    blocks = tuple(
        replace(block, spot=spots[block.start]) if block.start in spots else block
        for block in mind.plan.blocks
    )
    return replace(mind, plan=replace(mind.plan, blocks=blocks))
