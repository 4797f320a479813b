"""Invent a town: its name, what it is like, and what somebody plans there."""

from graphs.loop.graph import keep_answer, take_given
from graphs.loop.state import GivenSeen
from graphs.loop.step import Step
from graphs.making.words import fallback_by_rule, words
from graphs.prompt_inputs import PromptInput
from graphs.scenes import Scene
from models.standin.rule import Dice, RuleAnswer
from parsers.making.invent_town import TownIdea
from prompts.making import making_templates


class InventTownInput(PromptInput):
    """What the prompt `invent_town` shows."""

    about: str
    """What kind of town it is to be: `a fishing village`."""
    population: int
    season: str
    """The date of its first day."""


def standin(inputs: InventTownInput, dice: Dice) -> RuleAnswer:
    """Return a town of the stand-in's words."""
    name = dice.pick(words("town_beginnings"), "name") + dice.pick(words("town_endings"), "end")
    where = dice.pick(words("landscapes"), "where")
    life = dice.pick(words("lives"), "life")
    about = inputs.about[:80]
    description = f"{name} is {about} {where}. {life}, and strangers are noticed at once."
    occasion = dice.pick(words("occasions"), "occasion")
    return RuleAnswer({"name": name, "description": description, "occasion": occasion})


def sample(scene: Scene) -> InventTownInput:
    """Return believable inputs, made from a scene."""
    return InventTownInput(
        about=f"the town of {scene.me.first_name}", population=5, season=scene.date
    )


STEP = Step(
    name="invent_town",
    about="what a new town is like",
    inputs=InventTownInput,
    answer=TownIdea,
    gather=take_given,
    apply=keep_answer,
    sample=sample,
    seen=GivenSeen,
    fallback=fallback_by_rule(TownIdea, standin),
    standin=standin,
    tier="strong",
    temperature=0.9,
    templates=making_templates,
)
