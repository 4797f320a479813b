"""Choose the sector for a task that fits none of the places offered."""

from typing import Any

from agents.mind import Mind
from agents.places import sector_of
from graphs.candidates import sectors
from graphs.cards import Card, SectorCard, Who
from graphs.gather import now, who
from graphs.loop.step import Choices, Step
from graphs.thinking import Thought
from parsers.choose_place import SectorChoice


class ChoosePlaceInput(Card):
    """What the prompt `choose_place` shows."""

    me: Who
    now: str
    activity: str
    sectors: tuple[SectorCard, ...]
    """Every sector I know."""


def context(inputs: ChoosePlaceInput) -> dict[str, Any]:
    """Return the sectors' names and rooms by number, and who is known not to be a place."""
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
    """Return this case as examples are told."""
    sectors = "; ".join(f"{sector.number}. {sector.name}" for sector in inputs.sectors)
    return f"What you want to do: {inputs.activity}\nSECTORS: {sectors}"


STEP = Step(
    name="choose_place",
    inputs=ChoosePlaceInput,
    answer=SectorChoice,
    fallback=fallback,
    context=context,
    choices=choices,
    temperature=0.3,
    max_tokens=160,
    case=case,
)


async def choose(thought: Thought, mind: Mind, activity: str) -> tuple[str, bool]:
    """Return the name of the sector where an activity is best done, and whether by fallback."""
    known = sectors(mind, thought.name, activity)
    inputs = ChoosePlaceInput(
        me=who(thought, mind), now=now(thought), activity=activity, sectors=known
    )
    taken = await STEP.take(thought, inputs)
    sector = next(each.name for each in known if each.number == taken.answer.sector)
    return sector, taken.is_fallback
