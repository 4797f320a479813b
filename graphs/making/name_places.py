"""Choose which places for work and meeting a new town has, and name them."""

from collections.abc import Iterator
from typing import Any

from smolville.graphs.loop.graph import keep_answer, take_given
from smolville.graphs.loop.state import GivenSeen
from smolville.graphs.loop.step import Choices, Step
from smolville.graphs.making.cards import HOLLIN, KindCard, TownCard
from smolville.graphs.making.words import fallback_by_rule, words
from smolville.graphs.prompt_inputs import PromptInput
from smolville.graphs.scenes import Scene
from smolville.graphs.sense.check import CheckContext, SenseCheck
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.making.name_places import NamedPlaces
from smolville.parsers.problem import Problem, field_problem
from smolville.prompts.making import making_templates


class NamePlacesInput(PromptInput):
    """The inputs that the prompt `name_places` shows."""

    town: TownCard
    about: str
    """The kind of town wanted."""
    kinds: tuple[KindCard, ...]
    count: int
    """The number of kinds to choose."""


def context(inputs: NamePlacesInput) -> dict[str, Any]:
    """Return the kinds offered, and how many places are wanted."""
    return {"kinds": [kind.name for kind in inputs.kinds], "count": inputs.count}


def choices(inputs: NamePlacesInput) -> Choices:
    """Return the values to which a server may restrict the fields of the answer."""
    return {"places[].kind": [kind.name for kind in inputs.kinds]}


def standin(inputs: NamePlacesInput, dice: Dice) -> RuleAnswer:
    """Return kinds that the description suggests, then others, with names from a list."""
    told = inputs.about.casefold()
    order = dice.shuffled([kind.name for kind in inputs.kinds], "kinds")
    fitting = [name for name in order if any(word[:4] in told for word in name.split())]
    chosen = [*fitting, *(name for name in order if name not in fitting)][: inputs.count]
    signs = dice.shuffled(words("signs"), "signs")
    places = [
        {"kind": kind, "name": f"{signs[number % len(signs)]} {kind.title()}"}
        for number, kind in enumerate(chosen)
    ]
    return RuleAnswer({"square": dice.pick(words("squares"), "square"), "places": places})


def find_town_names(
    answer: NamedPlaces, inputs: NamePlacesInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield the places whose name contains the name of the town.

    Models tend to put the town's name into the name of every place.
    """
    town = inputs.town.name
    for number, place in enumerate(answer.places):
        if town.casefold() in place.name.casefold():
            rest = f". Leave {town!r} out, and write a name of its own."
            yield field_problem(f"places.{number}.name", place.name, rest, "repeat")


def sample(scene: Scene) -> NamePlacesInput:
    """Return sample inputs for the prompt, made from a scene."""
    kinds = (
        KindCard(name="bakery", about="bread and rolls"),
        KindCard(name="cafe", about=f"{scene.me.first_name} drinks coffee here"),
    )
    return NamePlacesInput(town=HOLLIN, about="a slate village", kinds=kinds, count=2)


STEP = Step(
    name="name_places",
    about="where people of a new town work and meet",
    inputs=NamePlacesInput,
    answer=NamedPlaces,
    gather=take_given,
    apply=keep_answer,
    sample=sample,
    seen=GivenSeen,
    fallback=fallback_by_rule(NamedPlaces, standin),
    standin=standin,
    context=context,
    choices=choices,
    sense=(SenseCheck(look=find_town_names, action="ask"),),
    tier="strong",
    temperature=0.8,
    max_tokens=700,
    templates=making_templates,
)
