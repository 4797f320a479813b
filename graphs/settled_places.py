"""Places that need no question: of habits, of repetitions, of what is done here, and beds."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from smolville.agents.action import GOING
from smolville.agents.chance import pick
from smolville.agents.mind import Mind
from smolville.agents.places import join_address, sector_of
from smolville.agents.plan import Block, Spot, is_sleep
from smolville.agents.times import minute_of
from smolville.graphs.context import MindContext, Thinker
from smolville.graphs.frame import DUTY, HABIT
from smolville.graphs.norms import broken_rule
from smolville.graphs.places import (
    BY_KIND,
    Task,
    best_object,
    here_of,
    is_at_home,
    plain_name,
    rank_rooms,
    spot_of,
    task_of,
)
from smolville.graphs.sense import stands_in, words_of
from smolville.graphs.state import MindState

STEP = "ground_block"
"""The step that places the other tasks; places chosen by its fallback are asked about again."""
MOST = 6
"""Maximum number of tasks in a call."""
AHEAD = 120
"""Number of minutes ahead for which places are chosen."""
SPLIT = 60
"""Minutes of a block from which it must be split before it gets a place."""
BY_PERSONA = (HABIT, DUTY)
"""Sources of blocks in the persona file's words: a rule ranks their places."""


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
    """Return the blocks to ask the model about in one call: at most six."""
    return without_place(mind, at)[:MOST]


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


def with_certain_places(me: Thinker, mind: Mind) -> Mind:
    """Return the mind; the next tasks have a place if it is certain where they are done.

    It is certain where only one room is known, and for the persona's habits and duties, of which a
    rule ranks the places.
    """
    now = minute_of(me.surroundings.at)
    spots: dict[int, Spot] = {}
    for block in without_place(mind, me.surroundings.at):
        if len(mind.places) == 1:
            (arena,) = mind.places
        else:
            arena = _habit_room(me, mind, block) if block.source in BY_PERSONA else ""
        if arena and not broken_rule(me, block, arena, now):
            spots[block.start] = spot_in(me, mind, block, arena)
    # What is placed may have hidden a whole activity behind it (`without_place`).
    return with_certain_places(me, with_spots(mind, spots)) if spots else mind


def spot_here(me: Thinker, mind: Mind, block: Block) -> Spot | None:
    """Return the present room as the place of a task that names no other; None if it must be asked.

    What one does about something in sight is done on the spot: at the object that the task names,
    even if it could not be used as usual because it is on fire.
    """
    here = me.surroundings.body.place
    if here not in mind.places or _leads_away(mind, here, block.activity):
        return None
    minute = minute_of(me.surroundings.at)
    if broken_rule(me, block, here, minute):
        return None
    words, taken = words_of(block.activity), here_of(me).taken
    for name in mind.places[here].objects:
        address = join_address(here, name)
        is_free = address not in taken and not broken_rule(me, block, address, minute)
        if is_free and stands_in(words_of(name), words):
            task = task_of(me.persona, block.activity, block.part_of or block.activity)
            return replace(spot_of(task, here, name), by_rule=True)
    return spot_in(me, mind, block, here)


def _leads_away(mind: Mind, here: str, activity: str) -> bool:
    """Return whether a deed goes somewhere, or names another building."""
    words = words_of(activity)
    others = {sector_of(arena) for arena in mind.places} - {sector_of(here)}
    is_elsewhere = any(stands_in(plain_name(sector), words) for sector in others)
    return is_elsewhere or bool({*GOING, "home"} & {*words})


def spot_in(me: Thinker, mind: Mind, block: Block, arena: str) -> Spot:
    """Return the spot of a task in a room, at the object that suits it best.

    Whoever only goes to the building needs no object, nor does anybody use one that a rule forbids.
    """
    task, here = task_of(me.persona, block.activity, block.part_of or block.activity), here_of(me)
    least = 0.0 if block.source in BY_PERSONA else BY_KIND
    words = words_of(task.activity)
    is_named = "home" in words or stands_in(plain_name(sector_of(arena)), words)
    goes = is_named and words[0] in GOING
    name = "" if goes else best_object(mind, arena, task, here, least)
    if name and broken_rule(me, block, join_address(arena, name), minute_of(me.surroundings.at)):
        name = ""
    return replace(spot_of(task, arena, name), by_rule=True)


def _habit_room(me: Thinker, mind: Mind, block: Block) -> str:
    """Return the likeliest lawful room for a habit, in the one building where all of it is done."""
    whole = task_of(me.persona, block.part_of or block.activity, block.part_of or block.activity)
    task = task_of(me.persona, block.activity, whole.activity)
    building = _habit_building(mind, whole)
    if not building:
        building = sector_of(next(_lawful_rooms(me, mind, block, whole), ""))
    rooms = _lawful_rooms(me, mind, block, task)
    return next((arena for arena in rooms if sector_of(arena) == building), "")


def _lawful_rooms(me: Thinker, mind: Mind, block: Block, task: Task) -> Iterator[str]:
    now = minute_of(me.surroundings.at)
    for _, arena in rank_rooms(mind, me.persona, here_of(me), task):
        if not broken_rule(me, block, arena, now):
            yield arena


def _habit_building(mind: Mind, task: Task) -> str:
    """Return the building that a habit names, by its full name or as home; empty if none does.

    `the shop` and the like mean the person's own workplace if its name has the word.
    """
    words = words_of(task.activity)
    sectors = dict.fromkeys(map(sector_of, mind.places))
    named = [sector for sector in sectors if stands_in(plain_name(sector), words)]
    if len(named) == 1:
        return named[0]
    if is_at_home(task.activity):
        return sector_of(task.home)
    at_work = set(words_of(task.work)) & {
        word
        for place, article, word in zip(words, words[1:], words[2:], strict=False)
        if place in ("at", "in") and article in ("the", "my", "her", "his", "their")
    }
    return sector_of(task.work) if at_work and sector_of(task.work) in sectors else ""


async def reuse_places(state: MindState, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Give tasks the place where a task in exactly the same words was done earlier today."""
    me = runtime.context.of(state.agent)
    return {"mind": with_known_places(me, state.mind), "path": [*state.path, "reuse_places"]}


async def place_named(state: MindState, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Place habits and duties without a model call."""
    me = runtime.context.of(state.agent)
    return {"mind": with_certain_places(me, state.mind), "path": [*state.path, "place_named"]}


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
