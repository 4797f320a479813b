"""Choose the spot at which each task of a block is done, where no rule knows it.

One number a task is all that a model is asked; how it looks there is told by rule.
"""

from dataclasses import replace
from typing import Any

from agents.plan import Block, Spot
from graphs.activities.deeds import PLAIN, spot_of, verb_and_thing
from graphs.candidates import offered, task_of, within
from graphs.cards import Card, SpotCard, TaskCard, Who
from graphs.context import MindContext, Thinker, now, who
from graphs.loop.step import Changes, Choices, Gathered, Step, StepResult
from graphs.scenes import Scene
from graphs.sense.places import CHECKS
from graphs.settled_places import STEP as NAME
from graphs.settled_places import here_of, to_ground
from graphs.standin.places import ground_block
from graphs.state import MindSeen
from parsers.ground_block import ELSEWHERE, LETTERS, Grounding


class GroundBlockInput(Card):
    """What the prompt `ground_block` shows."""

    me: Who
    now: str
    """Date and clock."""
    tasks: tuple[TaskCard, ...]
    """At most six, each with its own spots."""


def context(inputs: GroundBlockInput) -> dict[str, Any]:
    """Return the letters of the tasks, and the addresses of each one's spots by number."""
    return {
        "tasks": [task.letter for task in inputs.tasks],
        "spots": {
            task.letter: {spot.number: _address(spot) for spot in task.spots}
            for task in inputs.tasks
        },
        "people": [inputs.me.name],
    }


def choices(inputs: GroundBlockInput) -> Choices:
    """Return the numbers of each task's spots as the only ones allowed for it."""
    return {
        task.letter: [ELSEWHERE, *(spot.number for spot in task.spots)] for task in inputs.tasks
    }


def fallback(inputs: GroundBlockInput) -> Grounding:
    """Return every task done at the spot that suits it best by rule."""
    best = {task.letter: 1 if task.spots else ELSEWHERE for task in inputs.tasks}
    return Grounding.model_validate(best)


def case(inputs: GroundBlockInput) -> str:
    """Return this case as examples are told."""
    told = (
        f"{task.letter}. {task.activity} "
        f"[{'; '.join(f'{spot.number} = {_told(spot)}' for spot in task.spots)}]"
        for task in inputs.tasks
    )
    return f"TASKS: {' '.join(told)}"


def unplaced_task(state: MindSeen) -> Block:
    """Return the first of the tasks that fit none of the spots offered."""
    assert state.mind.plan is not None
    return next(block for block in state.mind.plan.blocks if block.start == state.elsewhere[0])


def _tasks(state: MindSeen, at: int) -> tuple[Block, ...]:
    """Return the tasks that are asked about: the next ones, or one that fitted no spot offered."""
    return (unplaced_task(state),) if state.elsewhere else to_ground(state.mind, at)


async def gather(state: MindSeen, context: MindContext) -> Gathered[GroundBlockInput]:
    """Return the tasks, each with the spots where it may be done."""
    me, mind = context.of(state.agent), state.mind
    blocks = _tasks(state, me.surroundings.at)
    cards = tuple(
        TaskCard(
            letter=letter,
            activity=block.activity,
            part_of=block.part_of or block.activity,
            spots=_spots(state, me, block),
        )
        for letter, block in zip(LETTERS, blocks, strict=False)
    )
    return Gathered(inputs=GroundBlockInput(me=who(me, mind), now=now(me), tasks=cards))


def _spots(state: MindSeen, me: Thinker, block: Block) -> tuple[SpotCard, ...]:
    """Return the spots offered for a task: of all the agent knows, or of the sector chosen."""
    mind, here = state.mind, here_of(me)
    assert mind.plan is not None
    task = task_of(me.persona, block.activity, block.part_of or block.activity)
    if state.elsewhere:
        return within(mind, state.sector, me.persona, here, task)
    recent = [each.spot.place for each in mind.plan.blocks if each.spot][-6:]
    return offered(mind, me.persona, here, task, recent)


def apply(
    state: MindSeen, context: MindContext, result: StepResult[GroundBlockInput, Grounding]
) -> Changes:
    """Write the spots into the plan; tasks that fit none of them are asked about one by one.

    A task that fits no spot of the sector chosen for it is done where the agent stands. One that
    had no room in the prompt is left for the next time.
    """
    me, plan = context.of(state.agent), state.mind.plan
    assert plan is not None
    spots: dict[int, Spot | None] = {}
    for block, card in zip(_tasks(state, me.surroundings.at), result.inputs.tasks, strict=True):
        number = result.answer.of(card.letter)
        if number is not None:
            spots[block.start] = _spot(me, card, number, is_fallback=result.is_fallback)
    elsewhere = tuple(start for start, spot in spots.items() if spot is None)
    if state.elsewhere:
        here, (block,) = me.surroundings.body().place, _tasks(state, me.surroundings.at)
        spot = spots.get(block.start) or _nowhere(block, here)
        if state.sector_fallback:
            spot = replace(spot, fallback=state.sector_fallback)
        spots, elsewhere = {block.start: spot}, state.elsewhere[1:]
    blocks = tuple(
        replace(block, spot=spots.get(block.start) or block.spot) if block.start in spots else block
        for block in plan.blocks
    )
    mind = replace(state.mind, plan=replace(plan, blocks=blocks))
    return {"mind": mind, "elsewhere": elsewhere, "sector": "", "sector_fallback": ""}


def _nowhere(task: Block, here: str) -> Spot:
    """Return the spot of a task that fits no place."""
    predicate, thing = verb_and_thing(task.activity)
    return Spot(place=here, emoji=PLAIN, predicate=predicate, object=thing, nowhere=True)


def _spot(me: Thinker, card: TaskCard, number: int, *, is_fallback: bool) -> Spot | None:
    """Return a task at the spot of a number; None for elsewhere."""
    chosen = next((spot for spot in card.spots if spot.number == number), None)
    if chosen is None:
        return None
    task = task_of(me.persona, card.activity, card.part_of)
    spot = spot_of(task, chosen.place, chosen.object)
    return replace(spot, fallback=NAME) if is_fallback else spot


def _address(spot: SpotCard) -> str:
    """Return the address of a spot, down to its object."""
    return f"{spot.place}: {spot.object}" if spot.object else spot.place


def _told(spot: SpotCard) -> str:
    """Return a spot as an example case tells it."""
    return f"{_address(spot)} ({spot.note})" if spot.note else _address(spot)


def sample(scene: Scene) -> GroundBlockInput:
    """Return believable inputs, made from a scene."""
    return GroundBlockInput(
        me=scene.me,
        now=scene.now,
        tasks=tuple(
            TaskCard(
                letter=letter,
                activity=activity,
                part_of=scene.block[0],
                spots=tuple(
                    SpotCard(number=number, place=place, object=name, note=note)
                    for number, (place, name, note) in enumerate(spots, 1)
                ),
            )
            for letter, (_, activity), spots in zip(LETTERS, scene.tasks, scene.spots, strict=False)
        ),
    )


STEP = Step(
    name=NAME,
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
    temperature=0.2,
    max_tokens=80,
    sense=CHECKS,
    case=case,
    sheds=("tasks",),
)
