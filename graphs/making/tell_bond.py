"""Describe how a new person and a resident of the town are related."""

from typing import Any

from smolville.graphs.loop.graph import keep_answer, take_given
from smolville.graphs.loop.state import GivenSeen
from smolville.graphs.loop.step import Choices, Step
from smolville.graphs.making.cards import HOLLIN, SketchCard, TownCard
from smolville.graphs.making.strangers import KNOWN_PEOPLE
from smolville.graphs.making.tell_story import sketch_of
from smolville.graphs.making.words import fallback_by_rule, words
from smolville.graphs.prompt_inputs import PromptInput
from smolville.graphs.scenes import Scene
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.making.tell_bond import Bond
from smolville.prompts.making import making_templates


class TellBondInput(PromptInput):
    """The inputs that the prompt `tell_bond` shows."""

    town: TownCard
    person: SketchCard
    story: str
    other: SketchCard
    """Somebody who lives in the town."""
    other_story: str
    shared: str
    """What is known of both: `They work at the same place.`; empty for nothing."""
    bonds: tuple[str, ...]


def context(inputs: TellBondInput) -> dict[str, Any]:
    """Return the bonds offered, and the first names that the sentence must contain."""
    names = [inputs.person.first_name, inputs.other.first_name]
    return {"bonds": inputs.bonds, "first_names": names}


def choices(inputs: TellBondInput) -> Choices:
    """Return the values to which a server may restrict the fields of the answer."""
    return {"bond": list(inputs.bonds)}


def standin(inputs: TellBondInput, dice: Dice) -> RuleAnswer:
    """Return any bond, with a fact from the stand-in's word lists."""
    me, other = inputs.person.first_name, inputs.other.first_name
    fact = dice.pick(words("facts"), "fact").format(me=me, other=other)
    bond = dice.pick(inputs.bonds, "bond")
    return RuleAnswer({"bond": bond, "fact": fact}, used=(me, other, bond))


def sample(scene: Scene) -> TellBondInput:
    """Return sample inputs for the prompt, made from a scene."""
    other = SketchCard(
        name="Olga Pike", first_name="Olga", age=30, traits="quick", job="a baker", work="none"
    )
    return TellBondInput(
        town=HOLLIN,
        person=sketch_of(scene),
        story=scene.me.learned,
        other=other,
        other_story="Olga Pike bakes at night and sleeps at noon.",
        shared="They live in the same house.",
        bonds=("friends", "rivals"),
    )


STEP = Step(
    name="tell_bond",
    about="what ties two people",
    inputs=TellBondInput,
    answer=Bond,
    gather=take_given,
    apply=keep_answer,
    sample=sample,
    seen=GivenSeen,
    fallback=fallback_by_rule(Bond, standin),
    standin=standin,
    context=context,
    choices=choices,
    sense=(KNOWN_PEOPLE,),
    tier="strong",
    temperature=0.8,
    max_tokens=200,
    templates=making_templates,
)
