"""Places chosen by rule: a task's earlier place, a place that the task names, or one's own bed.

All parts of an activity are done in one building, so the model is asked only about the first part.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agents.chance import pick
from agents.mind import Mind
from agents.places import join_address, sector_of
from agents.plan import Block, Spot, is_sleep
from agents.times import minute_of
from graphs.activities.spots import (
    Task,
    plain_name,
    spot_of,
    verb_and_thing,
)
from graphs.candidates import list_sector_spots, offer_spots, task_of
from graphs.context import MindContext, Thinker
from graphs.frame.day import HABIT
from graphs.named_spots import (
    CertainSpot,
    here_of,
    named_spot,
)
from graphs.norms import broken_rule, with_rules
from graphs.prompt_inputs import SpotCard
from graphs.sense.words import stands_in, words_of
from graphs.state import MindSeen

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

STEP = "ground_block"
"""The step that places the other tasks; places chosen by its fallback are asked about again."""
MOST = 6
"""Maximum number of tasks in a call."""
AHEAD = 120
"""Number of minutes ahead for which places are chosen."""
SPLIT = 60
"""Minutes of a block from which it must be split before it gets a place."""


def without_place(mind: Mind, at: int) -> tuple[Block, ...]:
    """Return the current block and those soon to start, as far as they have no place yet."""
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
    """Return the blocks to ask the model about in one call: at most six.

    Only the first part of an activity is asked about. Once it has a place, the other parts get
    theirs by rule.
    """
    firsts: dict[str, Block] = {}
    for block in without_place(mind, at):
        firsts.setdefault(block.part_of or f"at {block.start}", block)
    return tuple(firsts.values())[:MOST]


def with_known_places(me: Thinker, mind: Mind) -> Mind:
    """Return the mind with repeated tasks placed where they were done earlier in the day.

    Tasks are the same if both the task and its hourly activity have the same words. Places chosen
    by the step's fallback, and tasks for which the model found no place, are asked about again.
    """
    assert mind.plan is not None
    now = minute_of(me.surroundings.at)
    known = {
        (block.activity, block.part_of): block.spot
        for block in mind.plan.blocks
        if block.spot
        and not block.spot.nowhere
        and block.spot.fallback != STEP
        and block.spot.place not in mind.refused
    }
    return with_spots(
        mind,
        {
            block.start: spot
            for block in mind.plan.blocks
            if block.spot is None
            and (spot := known.get((block.activity, block.part_of)))
            and not broken_rule(me, block, spot.place, now)
        },
    )


def with_named_places(me: Thinker, mind: Mind) -> Mind:
    """Return the mind; the next tasks have a place if rules alone can decide where they are done.

    Rules decide for tasks that name their own place or object, and for habits, which code has put
    into the day. A part of an activity goes to the likeliest spot in the building of the part
    before it. If that earlier part found no place, the new part stays where the earlier one was
    done. If only one building is possible, its likeliest spot is taken.
    """
    assert mind.plan is not None
    now = minute_of(me.surroundings.at)
    spots: dict[int, Spot] = {}
    buildings = {
        block.part_of: sector_of(block.spot.place)
        for block in mind.plan.blocks
        if block.part_of and block.spot and not block.spot.nowhere and not block.spot.fallback
    }
    nowhere = {
        block.part_of: block.spot
        for block in mind.plan.blocks
        if block.part_of and block.spot and block.spot.nowhere
    }
    for block in without_place(mind, me.surroundings.at):
        whole = block.part_of or block.activity
        task = task_of(me.persona, block.activity, whole)
        building = buildings.get(block.part_of, "") or _named_building(mind, whole)
        named = named_spot(mind, me.persona, here_of(me), task)
        if building and (named is None or not _is_said(named, task, building)):
            offered = list_sector_spots(mind, building, me.persona, here_of(me), task)
            named = _choose_likeliest_spot(with_rules(me, block, offered, now))
        stay = nowhere.get(block.part_of) if named is None else None
        if named is None and stay is None:
            named = _find_clear_spot(me, mind, block, task)
        if stay is not None and not broken_rule(me, block, stay.place, now):
            spots[block.start] = _stay(stay, task)
        elif named is not None and not broken_rule(me, block, named.address, now):
            spots[block.start] = replace(spot_of(task, named.arena, named.name), by_rule=True)
            if block.part_of:
                buildings.setdefault(block.part_of, sector_of(named.arena))
    # What is placed may have hidden a whole activity behind it (`without_place`).
    return with_named_places(me, with_spots(mind, spots)) if spots else mind


def _stay(before: Spot, task: Task) -> Spot:
    """Return the spot of a task that stays where the earlier part of its activity was done."""
    predicate, thing = verb_and_thing(task.activity)
    return replace(before, predicate=predicate, object=thing, by_rule=True)


def _find_clear_spot(me: Thinker, mind: Mind, block: Block, task: Task) -> CertainSpot | None:
    """Return the likeliest spot for a block; None if a model must choose the spot.

    No model is asked about a habit. Nor is one asked if all spots are in one building, or if the
    likeliest spot for an activity at home is at home.
    """
    offered, now = offer_spots(mind, me.persona, here_of(me), task), minute_of(me.surroundings.at)
    likeliest = _choose_likeliest_spot(with_rules(me, block, offered, now))
    if likeliest is None or block.source == HABIT:
        return likeliest
    buildings = {sector_of(spot.place) for spot in offered}
    is_at_home = task.is_at_home and sector_of(likeliest.arena) == sector_of(me.persona.home)
    return likeliest if len(buildings) == 1 or is_at_home else None


def _named_building(mind: Mind, activity: str) -> str:
    """Return the only known building that an activity names; empty if there is not just one."""
    words = words_of(activity)
    named = {
        sector
        for sector in map(sector_of, mind.places)
        if activity and stands_in(plain_name(sector), words)
    }
    return named.pop() if len(named) == 1 else ""


def _is_said(named: CertainSpot, task: Task, building: str) -> bool:
    """Return True if a spot is in `building`, or in a building that the task itself names."""
    sector = sector_of(named.arena)
    return sector == building or task.names(sector)


def _choose_likeliest_spot(spots: Sequence[SpotCard]) -> CertainSpot | None:
    """Return the best lawful spot of those offered, which are sorted; None if none is lawful."""
    lawful = (spot for spot in spots if not spot.forbidden)
    return next((CertainSpot(spot.place, spot.object) for spot in lawful), None)


async def reuse_places(state: MindSeen, runtime: "Runtime[MindContext]") -> dict[str, Any]:
    """Give tasks the place where a task in exactly the same words was done earlier today."""
    me = runtime.context.of(state.agent)
    return {"mind": with_known_places(me, state.mind), "path": ["reuse_places"]}


async def place_named(state: MindSeen, runtime: "Runtime[MindContext]") -> dict[str, Any]:
    """Put tasks that name exactly one place or object there, without a model call."""
    me = runtime.context.of(state.agent)
    return {"mind": with_named_places(me, state.mind), "path": ["place_named"]}


def bed_spot(me: Thinker, mind: Mind) -> Spot:
    """Return where the agent sleeps: in a bed at home, unless its use was refused to the agent."""
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


def with_spots(mind: Mind, spots: dict[int, Spot]) -> Mind:
    """Return the mind with these spots, given by start minute, in the blocks of its plan."""
    if not spots or mind.plan is None:
        return mind
    blocks = tuple(
        replace(block, spot=spots[block.start]) if block.start in spots else block
        for block in mind.plan.blocks
    )
    return replace(mind, plan=replace(mind.plan, blocks=blocks))
