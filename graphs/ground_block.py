"""Choose the spot at which each task of a block is done, unless a rule decides it.

The model only answers one number per task. A rule decides how the task looks there to others.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agents.mind import Mind
from agents.places import sector_of
from agents.plan import Block, Spot
from agents.routines import KnownSpot
from agents.times import minute_of
from graphs.activities.spots import (
    BY_KIND,
    PLAIN,
    object_score,
    spot_of,
    suits_for_certain,
    verb_and_thing,
)
from graphs.candidates import list_sector_spots, task_of
from graphs.components import ROUTINES
from graphs.context import MindContext, Thinker, now, who
from graphs.loop.step import Changes, Choices, Step, StepInputs, StepResult
from graphs.named_spots import here_of, spots_for
from graphs.norms import broken_rule, with_rules
from graphs.prompt_inputs import PersonaInput, PromptInput, SpotCard, TaskCard
from graphs.scenes import Scene
from graphs.sense.places import CHECKS
from graphs.settled_places import STEP as NAME
from graphs.settled_places import to_ground
from graphs.standin.places import ground_block
from graphs.state import MindSeen
from parsers.ground_block import ELSEWHERE, LETTERS, Grounding


class GroundBlockInput(PromptInput):
    """The inputs that the prompt `ground_block` shows."""

    me: PersonaInput
    now: str
    """Date and clock time."""
    tasks: tuple[TaskCard, ...]
    """At most six tasks, each with its own spots."""


def context(inputs: GroundBlockInput) -> dict[str, Any]:
    """Return the letters of the tasks, and the addresses of each task's spots by number."""
    return {
        "tasks": [task.letter for task in inputs.tasks],
        "spots": {
            task.letter: {spot.number: spot.address for spot in task.spots} for task in inputs.tasks
        },
        "people": [inputs.me.name],
    }


def choices(inputs: GroundBlockInput) -> Choices:
    """Return the numbers of each task's spots: only these are allowed for it."""
    return {
        task.letter: [
            *([ELSEWHERE] if task.elsewhere or not task.spots else []),
            *(spot.number for spot in task.spots),
        ]
        for task in inputs.tasks
    }


def fallback(inputs: GroundBlockInput) -> Grounding:
    """Return for each task the best-ranked spot at which no rule of the town forbids it."""
    best = {
        task.letter: next((spot.number for spot in task.spots if not spot.forbidden), ELSEWHERE)
        for task in inputs.tasks
    }
    return Grounding.model_validate(best)


def case(inputs: GroundBlockInput) -> str:
    """Return the inputs as one short text: examples are compared by it, and shown in this form."""
    told = (
        f"{task.letter}. {task.activity} "
        f"[{'; '.join(f'{spot.number} = {_format_spot(spot)}' for spot in task.spots)}]"
        for task in inputs.tasks
    )
    return f"TASKS: {' '.join(told)}"


def unplaced_task(state: MindSeen) -> Block:
    """Return the first of the tasks that fit no spot offered to them."""
    assert state.mind.plan is not None
    return next(block for block in state.mind.plan.blocks if block.start == state.elsewhere[0])


def _tasks(state: MindSeen, at: int) -> tuple[Block, ...]:
    """Return the tasks to ask about: one that fitted no spot offered, or else the next ones."""
    return (unplaced_task(state),) if state.elsewhere else to_ground(state.mind, at)


async def gather(state: MindSeen, context: MindContext) -> StepInputs[GroundBlockInput]:
    """Return the tasks, each with the spots at which it may be done."""
    me, mind = context.of(state.agent), state.mind
    blocks = _tasks(state, me.surroundings.at)
    cards = tuple(
        _card(letter, block, me, _spots(state, me, block))
        for letter, block in zip(LETTERS, blocks, strict=False)
    )
    return StepInputs(inputs=GroundBlockInput(me=who(me, mind), now=now(me), tasks=cards))


def _card(letter: str, block: Block, me: Thinker, spots: tuple[SpotCard, ...]) -> TaskCard:
    """Return a task's card; "elsewhere" is offered only if no lawful spot suits it for certain."""
    part_of = block.part_of or block.activity
    task = task_of(me.persona, block.activity, part_of)
    return TaskCard(
        letter=letter,
        activity=block.activity,
        part_of=part_of,
        spots=spots,
        elsewhere=not any(
            suits_for_certain(task, spot.place) for spot in spots if not spot.forbidden
        ),
    )


def _spots(state: MindSeen, me: Thinker, block: Block) -> tuple[SpotCard, ...]:
    """Return the spots offered for a task: from all known places, or from its chosen sector."""
    mind, here = state.mind, here_of(me)
    assert mind.plan is not None
    now = minute_of(me.surroundings.at)
    if state.elsewhere:
        task = task_of(me.persona, block.activity, block.part_of or block.activity)
        inside = list_sector_spots(mind, state.sector, me.persona, here, task)
        return with_rules(me, block, inside, now)
    return spots_for(me, mind, block)


def apply(
    state: MindSeen, context: MindContext, result: StepResult[GroundBlockInput, Grounding]
) -> Changes:
    """Enter the spots into the plan; tasks that fit no spot offered are asked about one by one.

    A task that fits no spot of the sector chosen for it is done where the agent stands, or at home
    if a rule of the town forbids it there. A task that had no room in the prompt is left for the
    next thought.
    """
    me, plan = context.of(state.agent), state.mind.plan
    assert plan is not None
    spots: dict[int, Spot | None] = {}
    for block, card in zip(_tasks(state, me.surroundings.at), result.inputs.tasks, strict=True):
        number = result.answer.of(card.letter)
        if number is not None:
            spots[block.start] = _spot(
                me, state.mind, block, card, number, is_fallback=result.is_fallback
            )
    elsewhere = tuple(start for start, spot in spots.items() if spot is None)
    if state.elsewhere:
        (block,) = _tasks(state, me.surroundings.at)
        spot = spots.get(block.start) or _nowhere(me, block)
        if state.sector_fallback:
            spot = replace(spot, fallback=state.sector_fallback)
        spots, elsewhere = {block.start: spot}, state.elsewhere[1:]
    blocks = tuple(
        replace(block, spot=spots.get(block.start) or block.spot) if block.start in spots else block
        for block in plan.blocks
    )
    mind = replace(state.mind, plan=replace(plan, blocks=blocks))
    if me.has(ROUTINES) and result.is_sound:
        mind = _with_spots_learnt(mind, spots, me.surroundings.tick)
    return {"mind": mind, "elsewhere": elsewhere, "sector": "", "sector_fallback": ""}


def _with_spots_learnt(mind: Mind, spots: Mapping[int, Spot | None], tick: int) -> Mind:
    """Return the mind after learning the chosen spots, given by the start minutes of the tasks."""
    assert mind.plan is not None
    routines = mind.routines
    for block in mind.plan.blocks:
        spot = spots.get(block.start)
        if spot is not None and not spot.nowhere and not spot.fallback:
            known = KnownSpot(
                activity=block.activity,
                part_of=block.part_of,
                start=block.start,
                place=spot.place,
                tick=tick,
            )
            routines = routines.with_spot(known)
    return replace(mind, routines=routines)


def _nowhere(me: Thinker, task: Block) -> Spot:
    """Return the spot of a task that fits no place: here, or home if it is forbidden here."""
    predicate, thing = verb_and_thing(task.activity)
    here, home = me.surroundings.body().place, me.persona.home
    now = minute_of(me.surroundings.at)
    if broken_rule(me, task, here, now) and not broken_rule(me, task, home, now):
        here = home
    return Spot(place=here, emoji=PLAIN, predicate=predicate, object=thing, nowhere=True)


def _spot(
    me: Thinker, mind: Mind, block: Block, card: TaskCard, number: int, *, is_fallback: bool
) -> Spot | None:
    """Return the spot with this number on a task's card; None for the number of "elsewhere".

    A part of an activity is done with the object that suits it best in the chosen room or building.
    """
    chosen = next((spot for spot in card.spots if spot.number == number), None)
    if chosen is None:
        return None
    task = task_of(me.persona, card.activity, card.part_of)
    fit = object_score(task, chosen.place, chosen.object)
    if card.part_of != card.activity and fit <= BY_KIND:
        inside = list_sector_spots(mind, sector_of(chosen.place), me.persona, here_of(me), task)
        now = minute_of(me.surroundings.at)
        own = [each for each in with_rules(me, block, inside, now) if not each.forbidden]
        chosen = next((each for each in own if each.place == chosen.place), (*own, chosen)[0])
    spot = spot_of(task, chosen.place, chosen.object)
    return replace(spot, fallback=NAME) if is_fallback else spot


def _format_spot(spot: SpotCard) -> str:
    """Return the text of a spot in an example case."""
    return f"{spot.address} ({spot.note})" if spot.note else spot.address


def sample(scene: Scene) -> GroundBlockInput:
    """Return sample inputs for the prompt, made from a scene."""
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
