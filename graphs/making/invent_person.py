"""Invent a person for a town: name, age, work and character."""

from typing import Any

from smolville.graphs.loop.graph import keep_answer, take_given
from smolville.graphs.loop.state import GivenSeen
from smolville.graphs.loop.step import Choices, Step
from smolville.graphs.making.cards import HOLLIN, KindCard, TownCard
from smolville.graphs.making.words import fallback_by_rule, pick_unused, words
from smolville.graphs.prompt_inputs import PromptInput
from smolville.graphs.scenes import Scene
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.making.invent_person import Newcomer
from smolville.prompts.making import making_templates

NONE = "none"
"""Written in place of a workplace for somebody without work."""


class InventPersonInput(PromptInput):
    """The inputs that the prompt `invent_person` shows."""

    town: TownCard
    about: str
    """A description of the person: `a retired sailor`; empty for anybody."""
    name: str
    """The name that the person must have; empty for any name."""
    initials: str
    """Initials of the new name: `M and T`."""
    age: str
    """Approximate age: `about 40`; empty for any age."""
    work: tuple[KindCard, ...]
    """The places where they may work, each with what is done there."""
    taken: tuple[str, ...]
    """Names that other people have already."""


def context(inputs: InventPersonInput) -> dict[str, Any]:
    """Return the name given, the names of others, and the places offered."""
    offered = [each.name for each in inputs.work]
    return {"name": inputs.name, "taken": inputs.taken, "work": offered}


def choices(inputs: InventPersonInput) -> Choices:
    """Return the values to which a server may restrict the fields of the answer."""
    name: Choices = {"name": [inputs.name]} if inputs.name else {}
    return {**name, "work": [each.name for each in inputs.work]}


def standin(inputs: InventPersonInput, dice: Dice) -> RuleAnswer:
    """Return a person made from the stand-in's word lists, with an unused name."""
    used = [part for name in inputs.taken for part in name.split()]
    first = pick_unused(dice, "first_names", used)
    family = pick_unused(dice, "family_names", [*used, first])
    place = inputs.work[0] if not inputs.about else inputs.work[-1]
    job = inputs.about or (
        dice.pick(words("no_jobs"), "job") if place.name == NONE else place.about
    )
    told = [word for word in inputs.age.split() if word.isdecimal()]
    age = int(told[0]) if told else 20 + dice.draw("age") % 55
    if "retired" in job and age < 62:
        age = 62 + dice.draw("old age") % 20
    return RuleAnswer(
        {
            "name": inputs.name or f"{first} {family}",
            "age": age,
            "work": place.name,
            "job": job[:60].strip(),
            "traits": dice.shuffled(words("traits"), "traits")[:3],
        }
    )


def sample(scene: Scene) -> InventPersonInput:
    """Return sample inputs for the prompt, made from a scene."""
    work = (KindCard(name=scene.me.work, about="runs it"), KindCard(name=NONE, about="no work"))
    return InventPersonInput(
        town=HOLLIN,
        about="a retired sailor",
        name=scene.me.name,
        initials="M and T",
        age="about 40",
        work=work,
        taken=scene.others,
    )


STEP = Step(
    name="invent_person",
    about="who somebody new is",
    inputs=InventPersonInput,
    answer=Newcomer,
    gather=take_given,
    apply=keep_answer,
    sample=sample,
    seen=GivenSeen,
    fallback=fallback_by_rule(Newcomer, standin),
    standin=standin,
    context=context,
    choices=choices,
    tier="strong",
    temperature=0.9,
    templates=making_templates,
)
