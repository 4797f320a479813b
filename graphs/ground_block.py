"""Say where and with what each task of a block is done."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from agents.chance import pick
from agents.mind import Mind
from agents.places import join_address, object_of
from agents.plan import Block, Spot, is_sleep
from agents.times import minute_of
from graphs.candidates import Here, offered, within
from graphs.cards import Card, PlaceCard, TaskCard, Who
from graphs.context import MindContext, Thinker, now, who
from graphs.loop.step import Changes, Choices, Gathered, Step, StepResult
from graphs.scenes import Scene
from graphs.sense.places import CHECKS
from graphs.standin.places import ground_block
from graphs.state import MindSeen
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


async def reuse_places(state: MindSeen, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Give tasks that were done today before, to the very word, the same place again."""
    return {"mind": with_known_places(state.mind), "path": ["reuse_places"]}


def unplaced_task(state: MindSeen) -> Block:
    """Return the first of the tasks that fit none of the places offered."""
    assert state.mind.plan is not None
    return next(block for block in state.mind.plan.blocks if block.start == state.elsewhere[0])


def _tasks(state: MindSeen, at: int) -> tuple[Block, ...]:
    """Return the tasks that are asked about: the next ones, or one that fitted no place offered."""
    return (unplaced_task(state),) if state.elsewhere else to_ground(state.mind, at)


async def gather(state: MindSeen, context: MindContext) -> Gathered[GroundBlockInput]:
    """Return the tasks, and the places where they may be done."""
    me, mind = context.of(state.agent), state.mind
    assert mind.plan is not None
    tasks, here = _tasks(state, me.surroundings.at), _here(me)
    if state.elsewhere:
        places = within(mind, state.sector, me.name, tasks[0].activity, here)
    else:
        recent = [block.spot.place for block in mind.plan.blocks if block.spot][-6:]
        names = [f"{task.activity} {task.part_of}" for task in tasks]
        places = offered(mind, me.persona, here, names, recent)
    cards = tuple(
        TaskCard(
            number=number,
            time=task.span(),
            activity=task.activity,
            part_of=task.part_of or task.activity,
        )
        for number, task in enumerate(tasks, 1)
    )
    inputs = GroundBlockInput(me=who(me, mind), now=now(me), tasks=cards, places=places)
    return Gathered(inputs=inputs)


def apply(
    state: MindSeen, context: MindContext, result: StepResult[GroundBlockInput, Grounding]
) -> Changes:
    """Write the places into the plan; tasks that fit none of them are asked about one by one.

    A task that fits no place of the sector chosen for it is done where the agent stands.
    """
    me, plan = context.of(state.agent), state.mind.plan
    assert plan is not None
    items = {item.task: item for item in result.answer.items}
    numbers = {place.number: place.address for place in result.inputs.places}
    tasks = _tasks(state, me.surroundings.at)
    spots = {
        task.start: _spot(items[card.number], numbers, card.activity, result.is_fallback)
        for task, card in zip(tasks, result.inputs.tasks, strict=True)
    }
    if state.elsewhere:
        here = me.surroundings.body().place
        spots = {
            task.start: _elsewhere(state, spots[task.start] or _nowhere(task, here))
            for task in tasks
        }
        elsewhere = state.elsewhere[1:]
    else:
        elsewhere = tuple(start for start, spot in spots.items() if spot is None)
    blocks = tuple(
        replace(block, spot=spots.get(block.start) or block.spot) if block.start in spots else block
        for block in plan.blocks
    )
    mind = replace(state.mind, plan=replace(plan, blocks=blocks))
    return {"mind": mind, "elsewhere": elsewhere, "sector": "", "sector_fallback": ""}


def _here(me: Thinker) -> Here:
    """Return where the agent stands, and which objects in sight are in use."""
    around = me.surroundings
    seen = [
        join_address(sight.arena, thing) for sight in around.sights() for thing in sight.objects
    ]
    taken = frozenset(address for address in seen if around.is_taken(address))
    return Here(arena=around.body().place, taken=taken)


def _nowhere(task: Block, here: str) -> Spot:
    """Return the spot of a task that fits no place."""
    return Spot(place=here, emoji="🙂", predicate="is", object=task.activity, nowhere=True)


def _elsewhere(state: MindSeen, spot: Spot) -> Spot:
    """Return a spot in a sector that was chosen for it, marked where a fallback chose that."""
    return replace(spot, fallback=state.sector_fallback) if state.sector_fallback else spot


def _spot(
    item: GroundedTask, places: dict[int, str], activity: str, is_fallback: bool
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


def sample(scene: Scene) -> GroundBlockInput:
    """Return believable inputs, made from a scene."""
    return GroundBlockInput(
        me=scene.me,
        now=scene.now,
        tasks=tuple(
            TaskCard(number=number, time=time, activity=activity, part_of=scene.block[0])
            for number, (time, activity) in enumerate(scene.tasks, 1)
        ),
        places=tuple(
            PlaceCard(number=number, address=address, objects=objects, note=note)
            for number, (address, objects, note) in enumerate(scene.places, 1)
        ),
    )


STEP = Step(
    name="ground_block",
    about="where tasks are done, and with what",
    inputs=GroundBlockInput,
    answer=Grounding,
    gather=gather,
    apply=apply,
    sample=sample,
    seen=MindSeen,
    fallback=fallback,
    standin=ground_block,
    context=context,
    choices=choices,
    temperature=0.4,
    max_tokens=900,
    sense=CHECKS,
    case=case,
    sheds=("places",),
)
