"""Write the life of a new person so far, and what is on their mind."""

from typing import Any

from smolville.graphs.loop.graph import keep_answer, take_given
from smolville.graphs.loop.state import GivenSeen
from smolville.graphs.loop.step import Step
from smolville.graphs.making.cards import HOLLIN, SketchCard, TownCard
from smolville.graphs.making.strangers import KNOWN_PEOPLE
from smolville.graphs.making.words import fallback_by_rule, words
from smolville.graphs.prompt_inputs import PromptInput
from smolville.graphs.scenes import Scene
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.making.tell_story import LifeStory
from smolville.prompts.making import making_templates


class TellStoryInput(PromptInput):
    """The inputs that the prompt `tell_story` shows."""

    town: TownCard
    person: SketchCard
    about: str
    """A description of the person: `a retired sailor`; empty for anybody."""
    occasion: str
    """What this person is planning for the town; empty for nothing."""


def context(inputs: TellStoryInput) -> dict[str, Any]:
    """Return the name by which the person must be called."""
    return {"first_name": inputs.person.first_name}


def standin(inputs: TellStoryInput, dice: Dice) -> RuleAnswer:
    """Return a life story made from the stand-in's word lists."""
    who, town = inputs.person, inputs.town.name
    slots = {"town": town, "years": str(3 + dice.draw("years") % 20)}
    arrival = dice.pick(words("arrivals"), "arrival").format(**slots)
    side = dice.pick(words("sides"), "side")
    wish = dice.pick(words("wishes"), "wish").format(**slots)
    planned = f" {who.first_name} is also planning {inputs.occasion}." if inputs.occasion else ""
    return RuleAnswer(
        {
            "learned": f"{who.name} is {who.job} and {arrival}. {who.first_name} {side}.",
            "currently": f"{who.name} {wish}.{planned}",
        }
    )


def sample(scene: Scene) -> TellStoryInput:
    """Return sample inputs for the prompt, made from a scene."""
    return TellStoryInput(
        town=HOLLIN, person=sketch_of(scene), about="a retired sailor", occasion="a kite race"
    )


def sketch_of(scene: Scene) -> SketchCard:
    """Return a scene's person as a sketch: the few facts that a new person has at this step."""
    return SketchCard(
        name=scene.me.name,
        first_name=scene.me.first_name,
        age=scene.me.age,
        traits=scene.me.innate,
        job="somebody who likes to be up early",
        work=scene.me.work,
    )


STEP = Step(
    name="tell_story",
    about="somebody's life so far",
    inputs=TellStoryInput,
    answer=LifeStory,
    gather=take_given,
    apply=keep_answer,
    sample=sample,
    seen=GivenSeen,
    fallback=fallback_by_rule(LifeStory, standin),
    standin=standin,
    context=context,
    sense=(KNOWN_PEOPLE,),
    tier="strong",
    temperature=0.8,
    templates=making_templates,
)
