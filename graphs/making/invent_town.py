"""Invent a town: its name, its character, and an event that somebody plans there."""

from collections.abc import Iterator

from smolville.graphs.loop.graph import keep_answer, take_given
from smolville.graphs.loop.state import GivenSeen
from smolville.graphs.loop.step import Step
from smolville.graphs.making.words import fallback_by_rule, words
from smolville.graphs.prompt_inputs import PromptInput
from smolville.graphs.scenes import Scene
from smolville.graphs.sense.check import CheckContext, SenseCheck
from smolville.graphs.sense.words import stems_of
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.making.invent_town import TownIdea
from smolville.parsers.problem import Problem, field_problem
from smolville.prompts.making import making_templates


class InventTownInput(PromptInput):
    """The inputs that the prompt `invent_town` shows."""

    about: str
    """The kind of town wanted: `a fishing village`."""
    season: str
    """Date of the town's first day."""


def standin(inputs: InventTownInput, dice: Dice) -> RuleAnswer:
    """Return a town made from the stand-in's word lists."""
    name = dice.pick(words("town_beginnings"), "name") + dice.pick(words("town_endings"), "end")
    where = dice.pick(words("landscapes"), "where")
    life = dice.pick(words("lives"), "life")
    about = inputs.about[:80]
    description = f"{name} is {about} {where}. {life}, and strangers are noticed at once."
    occasion = dice.pick(words("occasions"), "occasion")
    return RuleAnswer({"name": name, "description": description, "occasion": occasion})


def find_borrowed_names(
    answer: TownIdea, inputs: InventTownInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield a problem for a name that is made of the words in the request."""
    asked = stems_of(inputs.about)
    borrowed = [word for word in answer.name.split() if stems_of(word) & asked]
    if borrowed:
        rest = f", with {borrowed[0]!r} of what was asked for in it. Invent another name."
        yield field_problem("name", answer.name, rest, "copied")


def sample(scene: Scene) -> InventTownInput:
    """Return sample inputs for the prompt, made from a scene."""
    return InventTownInput(about=f"the town of {scene.me.first_name}", season=scene.date)


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
    sense=(SenseCheck(look=find_borrowed_names, action="ask"),),
    tier="strong",
    temperature=0.9,
    templates=making_templates,
)
