"""Say where and with what each task of a block is done."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from agents.chance import pick
from agents.mind import Mind
from agents.places import join_address, object_of
from agents.plan import Block, Spot, is_sleep
from agents.times import minute_of
from graphs import choose_place
from graphs.candidates import Here, offered, within
from graphs.cards import Card, PlaceCard, TaskCard, Who
from graphs.gather import now, who
from graphs.loop.step import Choices, Step
from graphs.thinking import Thinking, Thought
from parsers.ground_block import ELSEWHERE, GroundedTask, Grounding

MOST = 6
"""Tasks a call."""
AHEAD = 120
"""Minutes ahead for which places are chosen."""
SPLIT = 60
"""A longer block that is still whole is split first."""


class GroundBlockInput(Card):
    """What the prompt `ground_block` shows."""

    me: Who
    now: str
    """Date and clock."""
    tasks: tuple[TaskCard, ...]
    places: tuple[PlaceCard, ...]
    """At most 12, numbered from 1."""


def context(inputs: GroundBlockInput) -> dict[str, Any]:
    """Return the tasks' numbers, each place's objects, and the names behind the numbers."""
    return {
        "addresses": {place.number: place.address for place in inputs.places},
        "activities": {task.number: task.activity for task in inputs.tasks},
        "people": [inputs.me.name],
        "tasks": [task.number for task in inputs.tasks],
        "places": {place.number: list(place.objects) for place in inputs.places},
    }


def choices(inputs: GroundBlockInput) -> Choices:
    """Return the numbers of tasks and places as the only ones allowed."""
    return {
        "items[].task": [task.number for task in inputs.tasks],
        "items[].place": [ELSEWHERE, *(place.number for place in inputs.places)],
    }


def fallback(inputs: GroundBlockInput) -> Grounding:
    """Return every task done at the place that suits them best by rule, with nothing in hand."""
    best = inputs.places[0].number
    items = [
        GroundedTask(task=each.number, place=best, emoji="🙂", predicate="is at", thing="it")
        for each in inputs.tasks
    ]
    return Grounding(items=items)


def case(inputs: GroundBlockInput) -> str:
    """Return this case as examples are told."""
    places = "; ".join(
        f"{place.number}. {place.address}{f' ({place.note})' if place.note else ''}: "
        f"{', '.join(place.objects) or 'none'}"
        for place in inputs.places
    )
    tasks = "; ".join(f"{task.number}. {task.activity}" for task in inputs.tasks)
    return f"PLACES: {places}\nTASKS: {tasks}"


STEP = Step(
    name="ground_block",
    inputs=GroundBlockInput,
    answer=Grounding,
    fallback=fallback,
    context=context,
    choices=choices,
    temperature=0.4,
    max_tokens=900,
    case=case,
    sheds=("places",),
)


def to_ground(mind: Mind, at: int) -> tuple[Block, ...]:
    """Return the blocks from this moment on that want a place now, at most six."""
    assert mind.plan is not None
    minute = minute_of(at)
    found: list[Block] = []
    for block in mind.plan.blocks:
        if block.end <= minute or len(found) == MOST:
            continue
        whole = not block.part_of and block.minutes >= SPLIT
        if block.start >= minute + AHEAD or is_sleep(block.activity) or (whole and found):
            break
        if block.spot is None:
            found.append(block)
    return tuple(found)


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
        and block.spot.fallback != STEP.name
        and block.spot.place not in mind.refused
    }
    blocks = tuple(
        replace(block, spot=known.get((block.activity, block.part_of)))
        if block.spot is None
        else block
        for block in mind.plan.blocks
    )
    return replace(mind, plan=replace(mind.plan, blocks=blocks))


def bed_spot(thought: Thought, mind: Mind) -> Spot:
    """Return where the agent sleeps, by rule: a bed at home that was not found taken."""
    home = thought.persona.home
    known = mind.places.get(home)
    beds = [
        thing
        for thing in (known.objects if known else ())
        if "bed" in thing.split() and join_address(home, thing) not in mind.refused
    ]
    bed = pick(sorted(beds), "bed", thought.name) if beds else ""
    return Spot(
        place=join_address(home, bed),
        emoji="😴",
        predicate="is",
        object="asleep",
        object_state=f"being slept in by {thought.name}" if bed else "",
        object_emoji="🛏️" if bed else "",
    )


async def ground_block(state: Thinking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Ask where the next tasks are done, and write the places into the plan."""
    thought, mind = runtime.context, state.mind
    assert mind.plan is not None
    mind = with_known_places(mind)
    assert mind.plan is not None
    tasks = to_ground(mind, thought.surroundings.at)
    if not tasks:
        return {"mind": mind}
    here = _here(thought)
    recent = [block.spot.place for block in mind.plan.blocks if block.spot][-6:]
    names = [f"{task.activity} {task.part_of}" for task in tasks]
    places = offered(mind, thought.persona, here, names, recent)
    spots = await _asked(thought, mind, tasks, places)
    by_start = {
        task.start: spot or await _elsewhere(thought, mind, task, here)
        for task, spot in zip(tasks, spots, strict=True)
    }
    blocks = tuple(
        replace(block, spot=by_start[block.start]) if block.start in by_start else block
        for block in mind.plan.blocks
    )
    return {"mind": replace(mind, plan=replace(mind.plan, blocks=blocks))}


def _here(thought: Thought) -> Here:
    """Return where the agent stands, and which objects in sight are in use."""
    around = thought.surroundings
    seen = [
        join_address(sight.arena, thing) for sight in around.sights() for thing in sight.objects
    ]
    taken = frozenset(address for address in seen if around.is_taken(address))
    return Here(arena=around.body().place, taken=taken)


async def _elsewhere(thought: Thought, mind: Mind, task: Block, here: Here) -> Spot:
    """Return a place for a task that fitted none of those offered: its sector is asked first."""
    sector, is_fallback = await choose_place.choose(thought, mind, task.activity)
    places = within(mind, sector, thought.name, task.activity, here)
    (spot,) = await _asked(thought, mind, (task,), places)
    if spot is None:
        spot = Spot(
            place=here.arena, emoji="🙂", predicate="is", object=task.activity, nowhere=True
        )
    return replace(spot, fallback=choose_place.STEP.name) if is_fallback else spot


async def _asked(
    thought: Thought, mind: Mind, tasks: Sequence[Block], places: tuple[PlaceCard, ...]
) -> list[Spot | None]:
    """Return a spot for each task; None for one that fits none of the places."""
    cards = tuple(
        TaskCard(
            number=number,
            time=task.span(),
            activity=task.activity,
            part_of=task.part_of or task.activity,
        )
        for number, task in enumerate(tasks, 1)
    )
    inputs = GroundBlockInput(
        me=who(thought, mind),
        now=now(thought),
        tasks=cards,
        places=places,
    )
    taken = await STEP.take(thought, inputs)
    items = {item.task: item for item in taken.answer.items}
    by_number = {place.number: place.address for place in places}
    return [
        _spot(items[card.number], by_number, card.activity, is_fallback=taken.is_fallback)
        for card in cards
    ]


def _spot(
    item: GroundedTask, places: dict[int, str], activity: str, *, is_fallback: bool
) -> Spot | None:
    """Return a grounded task as a spot; None for elsewhere."""
    if item.place == ELSEWHERE:
        return None
    address = join_address(places[item.place], item.object or "")
    used = object_of(address) != ""
    return Spot(
        place=address,
        emoji=item.emoji,
        predicate="is" if is_fallback else item.predicate,
        object=activity if is_fallback else item.thing,
        object_state=(item.object_state or "") if used else "",
        object_emoji=(item.object_emoji or "") if used else "",
        fallback=STEP.name if is_fallback else "",
    )
