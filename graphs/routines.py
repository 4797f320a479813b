"""Reuse routines instead of asking a model: an activity's earlier tasks, a task's earlier place.

An agent's routines are in its mind, as of the thought's start; `decompose` and `ground_block` add
to them. These steps also handle whatever no routine fits.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from langgraph.runtime import Runtime

from smolville.agents.mind import Mind
from smolville.agents.places import arena_of, object_of
from smolville.agents.plan import Block, Spot, lay_out, splice
from smolville.agents.routines import (
    VARIETY,
    KnownSpot,
    KnownTasks,
    Match,
    Reuse,
    best_match,
    may_match,
    place_text,
    same_words,
    similarities,
    without_names,
)
from smolville.agents.times import at_of, day_of, minute_of
from smolville.graphs.components import ROUTINES
from smolville.graphs.context import MindContext, Thinker
from smolville.graphs.decompose import to_split, window
from smolville.graphs.norms import broken_rule
from smolville.graphs.places import (
    best_object,
    here_of,
    is_usable,
    object_score,
    open_arenas,
    spot_of,
    task_of,
)
from smolville.graphs.settled_places import to_ground, with_spots
from smolville.graphs.state import MindState
from smolville.parsers.decompose import apportion_minutes

Known = TypeVar("Known", KnownTasks, KnownSpot)

REUSE_TASKS = "reuse_tasks"
REUSE_SPOTS = "reuse_spots"
MOST_STRETCHED = 2.0
"""Maximum factor by which a routine is stretched or shortened."""


def may_reuse_tasks(state: MindState, me: Thinker) -> bool:
    """Return True when a block is about to start, and earlier ways to split blocks are known."""
    is_known = me.has(ROUTINES) and state.mind.routines.tasks != ()
    return is_known and to_split(state.mind, me.surroundings.at) != ()


def may_reuse_spots(state: MindState, me: Thinker) -> bool:
    """Return True when some tasks still need a place, and places of earlier tasks are known."""
    is_known = me.has(ROUTINES) and state.mind.routines.spots != ()
    return is_known and to_ground(state.mind, me.surroundings.at) != ()


async def reuse_tasks(state: MindState, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Split the hours that are about to start, each by the earlier routine that fits best.

    The durations are scaled to the block, which they fill exactly.
    """
    context, mind = runtime.context, state.mind
    me = context.of(state.agent)
    at = me.surroundings.at
    reused: list[Reuse] = []
    for block in to_split(mind, at):
        start, end = window(block, at)
        known = [
            each
            for each in mind.routines.tasks
            if may_match(block.activity, start, each)
            and _fit_minutes(each, end - start) is not None
            and _is_place_open(me, mind, each)
        ]
        found = await _find(context, me, block.activity, start, known)
        if found is None:
            continue
        routine, minutes = known[found.position], _fit_minutes(known[found.position], end - start)
        assert minutes is not None
        names = [activity for activity, _ in routine.tasks]
        new = lay_out(start, zip(names, minutes, strict=True), block.activity)
        assert mind.plan is not None
        blocks = splice(mind.plan.blocks, start, end, new)
        mind = replace(mind, plan=replace(mind.plan, blocks=blocks))
        reused.append(_record(me, "tasks", block.activity, routine, found, start, end, names))
    return {"mind": mind, "path": [*state.path, REUSE_TASKS], "reused": [*state.reused, *reused]}


async def reuse_spots(state: MindState, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Assign the next tasks the places where such tasks were done before, if usable now."""
    context, mind = runtime.context, state.mind
    me = context.of(state.agent)
    spots: dict[int, Spot] = {}
    reused: list[Reuse] = []
    for block in to_ground(mind, me.surroundings.at):
        text = place_text(block.activity, block.part_of)
        placed = [
            (each, spot)
            for each in mind.routines.spots
            if may_match(text, block.start, each)
            and (spot := _spot_for(me, mind, block, each)) is not None
            and not broken_rule(me, block, spot.place, minute_of(me.surroundings.at))
        ]
        known = [each for each, _ in placed]
        found = await _find(context, me, text, block.start, known)
        if found is None:
            continue
        spots[block.start] = placed[found.position][1]
        names = [block.activity]
        reused.append(
            _record(me, "spot", text, known[found.position], found, block.start, block.end, names)
        )
    return {
        "mind": with_spots(mind, spots),
        "path": [*state.path, REUSE_SPOTS],
        "reused": [*state.reused, *reused],
    }


async def _find(
    context: MindContext, me: Thinker, text: str, start: int, known: Sequence[Known]
) -> Match | None:
    """Return the best match for an activity; occasionally none, for variety."""
    least = context.client.rules.routine_similarity
    if not known or least is None:
        return None
    dice = context.dice("routines", type(known[0]).__name__, text, start)
    if dice.fraction("variety") < VARIETY:
        return None
    wanted = same_words(text)
    texts: list[str] = [each.text for each in known]
    values = [1.0 if same_words(each) == wanted else 0.0 for each in texts]
    if not any(values):
        bare = [without_names(each) for each in texts]
        others: list[str] = list(dict.fromkeys(bare))
        found = similarities(await me.embed([without_names(text), *others]))
        by_text = dict(zip(others, found, strict=True))
        values = [by_text[each] for each in bare]
    pick: Callable[[Sequence[int]], int] = lambda indices: dice.pick(indices, "variant")  # noqa: E731
    return best_match(start, known, values, least, pick)


def _fit_minutes(routine: KnownTasks, minutes: int) -> list[int] | None:
    """Return the durations of a routine's tasks, scaled to a total; None if they do not fit."""
    if not 1 / MOST_STRETCHED <= minutes / routine.minutes <= MOST_STRETCHED:
        return None
    own = [each for _, each in routine.tasks]
    return own if sum(own) == minutes else apportion_minutes(own, minutes)


def _is_place_open(me: Thinker, mind: Mind, routine: KnownTasks) -> bool:
    """Return whether a place where the activity was done can be used; True if none is known."""
    places = [each for each in mind.routines.spots if each.part_of == routine.activity]
    return not places or any(_can_be_used(me, mind, each, each) for each in places)


def _can_be_used(me: Thinker, mind: Mind, known: KnownSpot, block: Block | KnownSpot) -> bool:
    """Return True for a known, open place whose object is there, free and in a usable state."""
    arena, name = arena_of(known.place), object_of(known.place)
    task = task_of(me.persona, block.activity, block.part_of or block.activity)
    if arena not in open_arenas(mind, me.persona, task):
        return False
    is_there = not name or name in mind.places[arena].objects
    return is_there and (not name or is_usable(mind, here_of(me), known.place))


def _spot_for(me: Thinker, mind: Mind, block: Block, known: KnownSpot) -> Spot | None:
    """Return the spot for a task in the room of a similar earlier one; None if it cannot be used.

    If the two tasks have different words, and the earlier object does not suit the new task, the
    object in that room that suits it best is taken.
    """
    if not _can_be_used(me, mind, known, block):
        return None
    task = task_of(me.persona, block.activity, block.part_of or block.activity)
    arena, name = arena_of(known.place), object_of(known.place)
    if block.activity != known.activity and not (name and object_score(task, arena, name)):
        name = best_object(mind, arena, task, here_of(me))
    return spot_of(task, arena, name)


def _record(
    me: Thinker,
    kind: Any,
    activity: str,
    routine: KnownTasks | KnownSpot,
    found: Match,
    start: int,
    end: int,
    tasks: Sequence[str],
) -> Reuse:
    day = day_of(me.surroundings.at)
    return Reuse(
        agent=me.name,
        tick=me.surroundings.tick,
        kind=kind,
        activity=activity,
        matched=routine.text,
        similarity=found.similarity,
        learnt=routine.tick,
        since=at_of(day, start),
        until=at_of(day, end),
        tasks=tuple(tasks),
    )
