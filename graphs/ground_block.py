"""Choose the room in which each task of a block is done, unless it is certain.

The model only answers one number per task. A rule chooses the object there, and decides how the
task looks to others.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from smolville.agents.mind import Mind
from smolville.agents.places import arena_of
from smolville.agents.plan import Block, DayPlan, Spot, is_sleep
from smolville.agents.routines import KnownSpot
from smolville.agents.times import clock, minute_of
from smolville.graphs.components import ROUTINES
from smolville.graphs.context import MindContext, Thinker, now, who
from smolville.graphs.loop.step import Changes, Choices, Step, StepInputs, StepResult
from smolville.graphs.norms import broken_rule, with_rules
from smolville.graphs.places import (
    PLAIN,
    Task,
    here_of,
    offer_others,
    offer_places,
    room_score,
    task_of,
    verb_and_thing,
)
from smolville.graphs.scenes import Scene
from smolville.graphs.sense import CheckContext, SenseCheck
from smolville.graphs.settled_places import STEP as NAME
from smolville.graphs.settled_places import spot_in, to_ground, with_spots
from smolville.graphs.standin.days import ground_block
from smolville.graphs.state import MindState
from smolville.parsers.ground_block import ELSEWHERE, LETTERS, GroundBlockInput, Grounding
from smolville.parsers.problem import Problem, rule_problem
from smolville.parsers.prompt_inputs import TaskCard


def context(inputs: GroundBlockInput) -> dict[str, Any]:
    """Return the letters of the tasks that need a place, and the rooms' addresses by number."""
    return {
        "tasks": [task.letter for task in inputs.asked],
        "places": {place.number: place.place for place in inputs.places},
        "people": [inputs.me.name],
    }


def choices(inputs: GroundBlockInput) -> Choices:
    """Return the numbers allowed for each task: those of the places, and 0 for none of them."""
    numbers = [ELSEWHERE, *(place.number for place in inputs.places)]
    return {task.letter: numbers for task in inputs.asked}


def fallback(inputs: GroundBlockInput) -> Grounding:
    """Return the likeliest place of each task at which no rule of the town forbids it."""
    me = inputs.me
    best: dict[str, int] = {}
    for card in inputs.asked:
        task = Task(card.activity, card.part_of, me.home, me.work, me.learned)
        lawful = [each for each in inputs.places if card.letter not in each.barred]
        ranked = sorted(lawful, key=lambda each: (-room_score(task, each.place), each.number))
        best[card.letter] = ranked[0].number if ranked else ELSEWHERE
    return Grounding.model_validate(best)


def _tasks(state: MindState, at: int) -> tuple[Block, ...]:
    """Return the tasks to ask about: those that fitted no place offered, or else the next ones."""
    assert state.mind.plan is not None
    if not state.elsewhere:
        return to_ground(state.mind, at)
    return tuple(block for block in state.mind.plan.blocks if block.start in state.elsewhere)


async def gather(state: MindState, context: MindContext) -> StepInputs[GroundBlockInput]:
    """Return the tasks, and the rooms in which they may be done."""
    me, mind = context.of(state.agent), state.mind
    assert mind.plan is not None
    blocks = dict(zip(LETTERS, _tasks(state, me.surroundings.at), strict=False))
    tasks = [_task(me, block) for block in blocks.values()]
    if state.elsewhere:
        places = offer_others(mind, me.persona, here_of(me), tasks, state.offered)
    else:
        known = [each for each in mind.plan.blocks if each.spot]
        recent = [each.spot.place for each in (*known[-6:], *_beside(known, blocks)) if each.spot]
        places = offer_places(mind, me.persona, here_of(me), tasks, recent)
    inputs = GroundBlockInput(
        me=who(me, mind),
        now=now(me),
        places=with_rules(me, blocks, places, minute_of(me.surroundings.at)),
        tasks=_cards(mind.plan, blocks),
    )
    return StepInputs(inputs=inputs)


def _beside(known: Sequence[Block], asked: Mapping[str, Block]) -> list[Block]:
    starts = {each.start for each in asked.values()}
    ends = {each.end for each in asked.values()}
    return [each for each in known if each.end in starts or each.start in ends]


def _task(me: Thinker, block: Block) -> Task:
    return task_of(me.persona, block.activity, block.part_of or block.activity)


def _cards(plan: DayPlan, asked: Mapping[str, Block]) -> tuple[TaskCard, ...]:
    """Return the tasks that are asked, and those just before and between that have a place."""
    letters = {block.start: letter for letter, block in asked.items()}
    first, last = min(letters), max(letters)
    cards = []
    for block in plan.blocks:
        is_near = block.end >= first and block.start <= last and not is_sleep(block.activity)
        if block.start in letters or (is_near and block.spot is not None):
            card = TaskCard(
                letter=letters.get(block.start, ""),
                time=clock(block.start),
                activity=block.activity,
                part_of=block.part_of or block.activity,
                place=arena_of(block.spot.place)
                if block.start not in letters and block.spot
                else "",
            )
            cards.append(card)
    return tuple(cards)


def apply(
    state: MindState, context: MindContext, result: StepResult[GroundBlockInput, Grounding]
) -> Changes:
    """Enter the places into the plan; tasks that fit none are asked about once more, with others.

    A task that fits none of these either is done where the agent stands, or at home if a rule of
    the town forbids it there. A task that had no room in the prompt is left for the next thought.
    """
    me, plan = context.of(state.agent), state.mind.plan
    assert plan is not None
    rooms = {place.number: place.place for place in result.inputs.places}
    letters = {card.letter for card in result.inputs.asked}
    spots: dict[int, Spot] = {}
    elsewhere: list[Block] = []
    for letter, block in zip(LETTERS, _tasks(state, me.surroundings.at), strict=False):
        number = result.answer.of(letter) if letter in letters else None
        if number in rooms:
            spot = spot_in(me, state.mind, block, rooms[number])
            fallback = NAME if result.is_fallback else ""
            spots[block.start] = replace(spot, by_rule=False, fallback=fallback)
        elif number is not None:
            elsewhere.append(block)
    tasks, offered = [_task(me, block) for block in elsewhere], tuple(rooms.values())
    if state.elsewhere or not offer_others(state.mind, me.persona, here_of(me), tasks, offered):
        spots |= {block.start: _nowhere(me, block) for block in elsewhere}
        elsewhere = []
    mind = with_spots(state.mind, spots)
    if me.has(ROUTINES) and result.is_sound:
        mind = _with_spots_learnt(mind, spots, me.surroundings.tick)
    starts = tuple(block.start for block in elsewhere)
    return {"mind": mind, "elsewhere": starts, "offered": offered}


def _with_spots_learnt(mind: Mind, spots: Mapping[int, Spot], tick: int) -> Mind:
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
    here, home = me.surroundings.body.place, me.persona.home
    now = minute_of(me.surroundings.at)
    if broken_rule(me, task, here, now) and not broken_rule(me, task, home, now):
        here = home
    return Spot(place=here, emoji=PLAIN, predicate=predicate, object=thing, nowhere=True)


def sample(scene: Scene) -> GroundBlockInput:
    """Return sample inputs for the prompt, made from a scene."""
    settled = (scene.settled,) if scene.settled else ()
    return GroundBlockInput(
        me=scene.me,
        now=scene.now,
        places=scene.offered,
        tasks=(
            *settled,
            *(
                TaskCard(letter=letter, time=span[:5], activity=activity, part_of=scene.block[0])
                for letter, (span, activity) in zip(LETTERS, scene.tasks, strict=False)
            ),
        ),
    )


def breaks_no_rule(
    answer: Grounding, inputs: GroundBlockInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield tasks put where they would break a rule of the town."""
    places = {place.number: place for place in inputs.places}
    for task in inputs.asked:
        place = places.get(answer.of(task.letter) or 0)
        if place is not None and task.letter in place.barred:
            lawful = [str(each.number) for each in inputs.places if task.letter not in each.barred]
            advice = f"Choose another place: {', '.join(lawful)} or, for none of them, 0."
            yield rule_problem(task.letter, place.number, place.rule, advice)


STEP = Step(
    name=NAME,
    about="where tasks are done",
    inputs=GroundBlockInput,
    answer=Grounding,
    gather=gather,
    apply=apply,
    sample=sample,
    fallback=fallback,
    standin=ground_block,
    context=context,
    choices=choices,
    temperature=0.2,
    max_tokens=80,
    sense=(SenseCheck(look=breaks_no_rule, action="refuse"),),
    sheds=("tasks",),
)
