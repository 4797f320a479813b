"""Choose a sector for a task that fits none of the places offered."""

from typing import Any

from agents.places import sector_of
from graphs.candidates import sectors, task_of
from graphs.context import MindContext, now, who
from graphs.ground_block import unplaced_task
from graphs.loop.step import Changes, Choices, Step, StepInputs, StepResult
from graphs.prompt_inputs import PersonaInput, PromptInput, SectorCard
from graphs.scenes import Scene
from graphs.standin.places import choose_place
from graphs.state import MindSeen
from parsers.choose_place import SectorChoice


class ChoosePlaceInput(PromptInput):
    """What the prompt `choose_place` shows."""

    me: PersonaInput
    now: str
    activity: str
    sectors: tuple[SectorCard, ...]
    """Every sector I know."""


def context(inputs: ChoosePlaceInput) -> dict[str, Any]:
    """Return the sectors' names and rooms by number, and people's names, which are no places."""
    return {
        "sectors": {sector.number: sector.name for sector in inputs.sectors},
        "rooms": {sector.number: list(sector.rooms) for sector in inputs.sectors},
        "people": [inputs.me.name],
    }


def choices(inputs: ChoosePlaceInput) -> Choices:
    """Return the sectors' numbers as the only ones allowed."""
    return {"sector": [sector.number for sector in inputs.sectors]}


def fallback(inputs: ChoosePlaceInput) -> SectorChoice:
    """Return home."""
    home = sector_of(inputs.me.home)
    number = next((each.number for each in inputs.sectors if each.name == home), 1)
    return SectorChoice(reason="nothing better is known", sector=number)


def case(inputs: ChoosePlaceInput) -> str:
    """Return the case as one short text, the form in which examples are compared and shown."""
    sectors = "; ".join(f"{sector.number}. {sector.name}" for sector in inputs.sectors)
    return f"What you want to do: {inputs.activity}\nSECTORS: {sectors}"


async def gather(state: MindSeen, context: MindContext) -> StepInputs[ChoosePlaceInput]:
    """Return the first task that fits no place offered, and every sector the agent knows."""
    me, mind = context.of(state.agent), state.mind
    task = unplaced_task(state)
    inputs = ChoosePlaceInput(
        me=who(me, mind),
        now=now(me),
        activity=task.activity,
        sectors=sectors(
            mind, me.persona, task_of(me.persona, task.activity, task.part_of or task.activity)
        ),
    )
    return StepInputs(inputs=inputs)


def apply(
    state: MindSeen, context: MindContext, result: StepResult[ChoosePlaceInput, SectorChoice]
) -> Changes:
    """Store the sector whose places the task is offered next, and whether a fallback chose it."""
    chosen = result.answer.sector
    sector = next(each.name for each in result.inputs.sectors if each.number == chosen)
    return {"sector": sector, "sector_fallback": STEP.name if result.is_fallback else ""}


def sample(scene: Scene) -> ChoosePlaceInput:
    """Return believable inputs, made from a scene."""
    return ChoosePlaceInput(
        me=scene.me,
        now=scene.now,
        activity=scene.errand,
        sectors=tuple(
            SectorCard(number=number, name=name, rooms=rooms)
            for number, (name, rooms) in enumerate(scene.sectors, 1)
        ),
    )


STEP = Step(
    name="choose_place",
    about="the sector for a task that fits no place near",
    inputs=ChoosePlaceInput,
    answer=SectorChoice,
    gather=gather,
    apply=apply,
    sample=sample,
    seen=MindSeen,
    fallback=fallback,
    standin=choose_place,
    context=context,
    choices=choices,
    temperature=0.3,
    max_tokens=160,
    case=case,
)
