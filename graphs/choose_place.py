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
    """Return the sectors' names by number."""
    return {"sectors": {sector.number: sector.name for sector in inputs.sectors}}


def choices(inputs: ChoosePlaceInput) -> Choices:
    """Return the sectors' numbers as the only ones allowed."""
    return {"sector": [sector.number for sector in inputs.sectors]}


def fallback(inputs: ChoosePlaceInput) -> SectorChoice:
    """Return home."""
    home = sector_of(inputs.me.home)
    number = next((each.number for each in inputs.sectors if each.name == home), 1)
    return SectorChoice(reason="nothing better is known", sector=number)


STEP = Step(
    name="choose_place",
    inputs=ChoosePlaceInput,
    answer=SectorChoice,
    fallback=fallback,
    context=context,
    choices=choices,
    temperature=0.3,
    max_tokens=160,
)


async def choose(thought: Thought, mind: Mind, activity: str) -> str:
    """Return the name of the sector where an activity is best done."""
    known = sectors(mind, thought.name, activity)
    inputs = ChoosePlaceInput(
        me=who(thought, mind), now=now(thought), activity=activity, sectors=known
    )
    taken = await STEP.take(thought, inputs)
    return next(each.name for each in known if each.number == taken.answer.sector)
