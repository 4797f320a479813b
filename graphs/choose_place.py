"""Choose a sector for a task that fits none of the places offered."""

from collections.abc import Iterator
from typing import Any

from smolville.agents.places import join_address, sector_of
from smolville.agents.plan import Block
from smolville.agents.times import minute_of
from smolville.graphs.context import MindContext, Thinker, now, who
from smolville.graphs.ground_block import unplaced_task
from smolville.graphs.loop.step import Changes, Choices, Step, StepInputs, StepResult
from smolville.graphs.norms import broken_rule
from smolville.graphs.places import sectors, task_of
from smolville.graphs.scenes import Scene
from smolville.graphs.sense import CheckContext, SenseCheck
from smolville.graphs.standin.days import choose_place
from smolville.graphs.state import MindState
from smolville.parsers.choose_place import ChoosePlaceInput, SectorChoice
from smolville.parsers.problem import Problem, rule_problem
from smolville.parsers.prompt_inputs import ALL_NOT_ALLOWED, SectorCard


def context(inputs: ChoosePlaceInput) -> dict[str, Any]:
    """Return the sectors' names and rooms by number, and the agent's name (not a place)."""
    return {
        "sectors": {sector.number: sector.name for sector in inputs.sectors},
        "rooms": {sector.number: list(sector.own_rooms) for sector in inputs.sectors},
        "people": [inputs.me.name],
    }


def choices(inputs: ChoosePlaceInput) -> Choices:
    """Return the sectors' numbers as the only ones allowed."""
    return {"sector": [sector.number for sector in inputs.sectors]}


def fallback(inputs: ChoosePlaceInput) -> SectorChoice:
    """Return home; or, if the activity is forbidden there, a sector where it is allowed."""
    home = sector_of(inputs.me.home)
    lawful = [each for each in inputs.sectors if not each.forbidden] or inputs.sectors
    number = next((each.number for each in lawful if each.name == home), lawful[0].number)
    return SectorChoice(reason="nothing better is known", sector=number)


async def gather(state: MindState, context: MindContext) -> StepInputs[ChoosePlaceInput]:
    """Return the first task that fits no place offered, and every sector the agent knows."""
    me, mind = context.of(state.agent), state.mind
    block = unplaced_task(state)
    task = task_of(me.persona, block.activity, block.part_of or block.activity)
    inputs = ChoosePlaceInput(
        me=who(me, mind),
        now=now(me),
        activity=block.activity,
        sectors=tuple(_with_rule(me, block, sector) for sector in sectors(mind, me.persona, task)),
    )
    return StepInputs(inputs=inputs)


def _with_rule(me: Thinker, block: Block, sector: SectorCard) -> SectorCard:
    """Return a sector, with a note if the task breaks a rule of the town in each of its rooms."""
    now = minute_of(me.surroundings.at)
    rooms = [join_address(sector.name, room) for room in sector.rooms] or [sector.name]
    broken = [broken_rule(me, block, room, now) for room in rooms]
    if not all(broken):
        return sector
    return sector.model_copy(update={"rooms": (*sector.rooms, f"{ALL_NOT_ALLOWED}{broken[0]}")})


def apply(
    state: MindState, context: MindContext, result: StepResult[ChoosePlaceInput, SectorChoice]
) -> Changes:
    """Store the chosen sector, whose spots are offered next, and whether a fallback chose it."""
    chosen = result.answer.sector
    sector = next(each.name for each in result.inputs.sectors if each.number == chosen)
    return {"sector": sector, "sector_fallback": STEP.name if result.is_fallback else ""}


def sample(scene: Scene) -> ChoosePlaceInput:
    """Return sample inputs for the prompt, made from a scene."""
    return ChoosePlaceInput(
        me=scene.me,
        now=scene.now,
        activity=scene.errand,
        sectors=tuple(
            SectorCard(number=number, name=name, rooms=rooms)
            for number, (name, rooms) in enumerate(scene.sectors, 1)
        ),
    )


def keeps_out(
    answer: SectorChoice, inputs: ChoosePlaceInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield each sector whose rooms are all forbidden to the activity by a rule of the town."""
    chosen = next((each for each in inputs.sectors if each.number == answer.sector), None)
    if chosen is not None and chosen.forbidden:
        advice = f"{chosen.name} is not allowed now. Choose another one of SECTORS."
        yield rule_problem("sector", answer.sector, chosen.forbidden, advice)


STEP = Step(
    name="choose_place",
    about="the sector for a task that fits no place near",
    inputs=ChoosePlaceInput,
    answer=SectorChoice,
    gather=gather,
    apply=apply,
    sample=sample,
    fallback=fallback,
    standin=choose_place,
    context=context,
    choices=choices,
    temperature=0.3,
    max_tokens=160,
    sense=(SenseCheck(look=keeps_out, action="refuse"),),
)
