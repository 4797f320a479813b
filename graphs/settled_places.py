"""Places chosen by rule: the same task's earlier place, a place that the task names, one's own bed.

The parts of one activity are done in one building: the model is asked about the first of them only.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from agents.chance import pick
from agents.mind import Mind
from agents.places import join_address, sector_of
from agents.plan import Block, Spot, is_sleep
from agents.times import minute_of
from graphs.activities.spots import (
    BY_KIND,
    Task,
    object_score,
    plain_name,
    spot_of,
    suits_for_certain,
)
from graphs.candidates import CurrentPlace, is_back_room, list_sector_spots, offer_spots, task_of
from graphs.context import MindContext, Thinker
from graphs.frame.day import HABIT
from graphs.named_spots import CertainSpot, named_spot
from graphs.norms import broken_rule, with_rules
from graphs.prompt_inputs import SpotCard
from graphs.sense.words import stands_in, words_of
from graphs.state import MindSeen
from models.standin.words import stems

STEP = "ground_block"
"""The step that places the remaining tasks; places chosen by its fallback are asked about again."""
MOST = 6
"""Tasks per call at most."""
AHEAD = 120
"""Minutes ahead for which places are chosen."""
EVENING = 19 * 60
"""Minute of the day from which on people stay at home, where what they do can be done there."""
SPLIT = 60
"""Minutes: a longer block that is still whole must be split before it gets a place."""
_NAME = re.compile(r"(?<!^)\b[A-Z]")
"""The beginning of a name within a text: of a place, or of somebody who is visited."""


def without_place(mind: Mind, at: int) -> tuple[Block, ...]:
    """Return the blocks from this moment on that need a place now."""
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

    Only the first part of an activity is asked about: once it has a place, the other parts get
    theirs by rule.
    """
    firsts: dict[str, Block] = {}
    for block in without_place(mind, at):
        firsts.setdefault(block.part_of or f"at {block.start}", block)
    return tuple(firsts.values())[:MOST]


def with_known_places(me: Thinker, mind: Mind) -> Mind:
    """Return the mind after giving repeated tasks the place that they had earlier in the day.

    Tasks are the same if task and hourly activity agree literally. Places that the step's own
    fallback chose, or for which the model found none, are asked about again.
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
    """Return the mind after placing the next tasks that name their own place or object.

    Habits, which code has put into the day, are placed by code too: at the likeliest spot. A part
    of an activity goes to the likeliest spot in the building of the part before it.
    """
    assert mind.plan is not None
    now = minute_of(me.surroundings.at)
    spots: dict[int, Spot] = {}
    buildings = {
        block.part_of: sector_of(block.spot.place)
        for block in mind.plan.blocks
        if block.part_of and block.spot and not block.spot.nowhere and not block.spot.fallback
    }
    for block in without_place(mind, me.surroundings.at):
        task = task_of(me.persona, block.activity, block.part_of or block.activity)
        building = buildings.get(block.part_of, "") or _named_building(mind, block.part_of)
        named = named_spot(mind, me.persona, here_of(me), task)
        if building and (named is None or not _is_said(named, task, building)):
            offered = list_sector_spots(mind, building, me.persona, here_of(me), task)
            offered = tuple(without_far_fetched(me, task, offered))
            named = _choose_likeliest_spot(with_rules(me, block, offered, now))
        if named is None and block.source == HABIT:
            offered = offer_spots(mind, me.persona, here_of(me), task)
            named = _choose_likeliest_spot(with_rules(me, block, offered, now))
        elif named is None and me.is_narrow:
            named = _only_spot(me, mind, block)
        if named is not None and not broken_rule(me, block, named.address, now):
            spots[block.start] = replace(spot_of(task, named.arena, named.name), by_rule=True)
            if block.part_of:
                buildings.setdefault(block.part_of, sector_of(named.arena))
    return with_spots(mind, spots)


def placed_as(me: Thinker, block: Block) -> Task:
    """Return the task whose spots are offered for a block.

    A part of an activity is asked about for all parts of it, so it is the whole: a shopping list
    could be written anywhere, the shopping could not be done there. A part that names a place or a
    person has spots of its own.
    """
    whole = block.part_of or block.activity
    about = block.activity if _NAME.search(block.activity) is not None else whole
    return task_of(me.persona, about, whole)


def spots_for(me: Thinker, mind: Mind, block: Block) -> tuple[SpotCard, ...]:
    """Return the spots offered for a block among all known places, with the rules they break."""
    assert mind.plan is not None
    recent = [each.spot.place for each in mind.plan.blocks if each.spot][-6:]
    offered = offer_spots(mind, me.persona, here_of(me), placed_as(me, block), recent)
    return with_rules(me, block, offered, minute_of(me.surroundings.at))


def open_buildings(
    me: Thinker, mind: Mind, block: Block, spots: Sequence[SpotCard]
) -> tuple[SpotCard, ...]:
    """Return the best spot of each building between which a small model may choose, from 1.

    Such a model answers with the first spot, whatever the spots are. So where the likeliest one is
    at home or at work, it is the only one; else buildings count whose rooms suit the task. An
    object that the task does not speak of is left out: nobody runs at a pond.
    """
    task = placed_as(me, block)
    lawful = [spot for spot in spots if not spot.forbidden]
    home = [spot for spot in lawful if sector_of(spot.place) == sector_of(me.persona.home)]
    if home and block.start >= EVENING and not _NAME.search(block.part_of or block.activity):
        lawful = home
    own = (sector_of(me.persona.home), sector_of(me.persona.work or ""))
    is_out = task.kind is not None and task.kind.where == "out"
    found: dict[str, SpotCard] = {}
    for spot in [each for each in lawful if suits_for_certain(task, each.place)] or lawful:
        known = mind.places.get(spot.place)
        if known is not None and not is_back_room(known, spot.place, me.persona, task):
            found.setdefault(sector_of(spot.place), spot)
    if lawful and sector_of(lawful[0].place) in own and not is_out:
        found = {sector_of(lawful[0].place): lawful[0]}
    return tuple(
        each.model_copy(update={"number": number})
        for number, each in enumerate(without_far_fetched(me, task, found.values()), 1)
    )


def without_far_fetched(me: Thinker, task: Task, spots: Iterable[SpotCard]) -> Iterator[SpotCard]:
    """Yield spots, those outdoors or among people without an object that the task does not name.

    Only a small model's: it runs at a pond because it stands in the list.
    """
    is_out = task.kind is not None and task.kind.where == "out"
    for spot in spots:
        is_named = stems(spot.object) & task.said
        if me.is_narrow and is_out and spot.object and not is_named:
            yield spot.model_copy(update={"object": "", "note": spot.forbidden and spot.note})
        else:
            yield spot


def _only_spot(me: Thinker, mind: Mind, block: Block) -> CertainSpot | None:
    """Return the spot of a block for which only one building is sensible; None for several."""
    now, here = minute_of(me.surroundings.at), here_of(me)
    buildings = open_buildings(me, mind, block, spots_for(me, mind, block))
    if len(buildings) != 1:
        return None
    (only,) = buildings
    part = task_of(me.persona, block.activity, block.part_of or block.activity)
    inside = list_sector_spots(mind, sector_of(only.place), me.persona, here, part)
    fitting = [each for each in inside if object_score(part, each.place, each.object) > BY_KIND]
    lawful = _choose_likeliest_spot(with_rules(me, block, fitting, now))
    return lawful or CertainSpot(only.place, only.object)


def _named_building(mind: Mind, activity: str) -> str:
    """Return the one building that an activity names, among those known; empty if not just one."""
    words = words_of(activity)
    named = {
        sector
        for sector in map(sector_of, mind.places)
        if activity and stands_in(plain_name(sector), words)
    }
    return named.pop() if len(named) == 1 else ""


def _is_said(named: CertainSpot, task: Task, building: str) -> bool:
    """Return True if a spot is in this building, or the task names the other building it is in."""
    sector = sector_of(named.arena)
    return sector == building or task.names(sector)


def _choose_likeliest_spot(spots: Sequence[SpotCard]) -> CertainSpot | None:
    """Return the first lawful one of the spots offered, best first; None if there is none."""
    lawful = (spot for spot in spots if not spot.forbidden)
    return next((CertainSpot(spot.place, spot.object) for spot in lawful), None)


async def reuse_places(state: MindSeen, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Give tasks that were done today before, in exactly the same words, the same place again."""
    me = runtime.context.of(state.agent)
    return {"mind": with_known_places(me, state.mind), "path": ["reuse_places"]}


async def place_named(state: MindSeen, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Put tasks that name exactly one place or object there, without a model call."""
    me, mind = runtime.context.of(state.agent), state.mind
    placed = with_named_places(me, mind)
    # A block with a place uncovers the one behind it, about which no small model is asked either.
    while me.is_narrow and placed != mind:
        mind, placed = placed, with_named_places(me, placed)
    return {"mind": placed, "path": ["place_named"]}


def here_of(me: Thinker) -> CurrentPlace:
    """Return where the agent stands, and which objects in sight are in use."""
    around = me.surroundings
    here = [sight for sight in around.sights() if not sight.is_elsewhere]
    seen = [join_address(sight.arena, thing) for sight in here for thing in sight.objects]
    taken = frozenset(address for address in seen if around.is_taken(address))
    return CurrentPlace(arena=around.body().place, taken=taken)


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


def with_spots(mind: Mind, spots: dict[int, Spot]) -> Mind:
    """Return the mind with these spots, by start minute, given to the blocks of its plan."""
    if not spots or mind.plan is None:
        return mind
    blocks = tuple(
        replace(block, spot=spots[block.start]) if block.start in spots else block
        for block in mind.plan.blocks
    )
    return replace(mind, plan=replace(mind.plan, blocks=blocks))
