"""The steps that make a new person: outside any run, with no mind and no memories.

The words of the stand-in (`words.toml`) also stand where no model gives an answer.
"""

import tomllib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from smolville.graphs.loop.graph import keep_answer, take_given
from smolville.graphs.loop.state import StepState
from smolville.graphs.loop.step import AnyStep, Choices, Step
from smolville.graphs.scenes import Scene
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.answer import Answer
from smolville.parsers.making import (
    BeginningCard,
    Bond,
    InventPersonInput,
    LifeStory,
    Newcomer,
    SeedMemories,
    SketchCard,
    TellBondInput,
    TellMemoriesInput,
    TellStoryInput,
    TownCard,
    WorkCard,
    find_alike,
)
from smolville.parsers.prompt_inputs import PromptInput
from smolville.prompts.folder import Texts
from smolville.prompts.making import making_templates
from smolville.prompts.prompt import TemplateSet

_ALIKE: dict[str, Any] = {
    "gather": take_given,
    "apply": keep_answer,
    "seen": StepState,
    "tier": "strong",
    "templates": making_templates,
}
"""What all these steps declare alike."""


HOLLIN = TownCard(
    name="Hollin Ridge",
    description="Hollin Ridge is a slate village on a windy hill, far from any railway.",
)
"""A town for samples."""


def sketch_of(scene: Scene) -> SketchCard:
    """Return a scene's person as a sketch."""
    return SketchCard(
        name=scene.me.name,
        first_name=scene.me.first_name,
        age=scene.me.age,
        traits=scene.me.innate,
        job="somebody who likes to be up early",
        work=scene.me.work,
    )


A = TypeVar("A", bound=Answer)
I = TypeVar("I", bound=PromptInput)  # noqa: E741 - the inputs


@cache
def _words() -> dict[str, Any]:
    file = files("smolville.graphs.making").joinpath("words.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def words(name: str) -> Sequence[str]:
    """Return a list of words."""
    found: Sequence[str] = _words()[name]
    return found


def pick_unused(dice: Dice, name: str, used: Iterable[str]) -> str:
    """Return a word of a list that is not used yet; if all are used, one with an ending."""
    taken = {each.casefold() for each in used}
    order = dice.shuffled(words(name), name)
    return next((each for each in order if each.casefold() not in taken), f"{order[0]}son")


def fallback_by_rule(answer: type[A], rule: Callable[[I, Dice], RuleAnswer]) -> Callable[[I], A]:
    """Return a fallback that answers by the stand-in's rule."""

    def fall_back(inputs: I) -> A:
        return answer.model_validate(rule(inputs, Dice("fallback", inputs)).answer)

    return fall_back


NONE = "none"
"""Written in place of a workplace for somebody without work."""


def _person_context(inputs: InventPersonInput) -> dict[str, Any]:
    return {"name": inputs.name, "taken": inputs.taken}


def _person_choices(inputs: InventPersonInput) -> Choices:
    name: Choices = {"name": [inputs.name]} if inputs.name else {}
    return {**name, "work": [each.name for each in inputs.work]}


def _person_standin(inputs: InventPersonInput, dice: Dice) -> RuleAnswer:
    used = [part for name in inputs.taken for part in name.split()]
    first = pick_unused(dice, "first_names", used)
    family = pick_unused(dice, "family_names", [*used, first])
    place = inputs.work[0] if not inputs.about else inputs.work[-1]
    job = inputs.about or (
        dice.pick(words("no_jobs"), "job") if place.name == NONE else place.about
    )
    age = 20 + dice.draw("age") % 55
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


def _person_sample(scene: Scene) -> InventPersonInput:
    work = (WorkCard(name=scene.me.work, about="runs it"), WorkCard(name=NONE, about="no work"))
    return InventPersonInput(
        town=HOLLIN,
        about="a retired sailor",
        name=scene.me.name,
        work=work,
        taken=scene.others,
    )


INVENT_PERSON = Step(
    name="invent_person",
    about="who somebody new is",
    inputs=InventPersonInput,
    answer=Newcomer,
    sample=_person_sample,
    fallback=fallback_by_rule(Newcomer, _person_standin),
    standin=_person_standin,
    context=_person_context,
    choices=_person_choices,
    temperature=0.9,
    **_ALIKE,
)


def _story_standin(inputs: TellStoryInput, dice: Dice) -> RuleAnswer:
    who, town = inputs.person, inputs.town.name
    slots = {"town": town, "years": str(3 + dice.draw("years") % 20)}
    arrival = dice.pick(words("arrivals"), "arrival").format(**slots)
    side = dice.pick(words("sides"), "side")
    wish = dice.pick(words("wishes"), "wish").format(**slots)
    place = dice.pick(inputs.places, "place")
    return RuleAnswer(
        {
            "learned": f"{who.name} is {who.job} and {arrival}. {who.first_name} {side}.",
            "currently": f"{who.name} {wish}.",
            "pastime": dice.pick(words("pastimes"), "pastime"),
            "place": place,
        },
        used=(place,),
    )


def _story_sample(scene: Scene) -> TellStoryInput:
    return TellStoryInput(
        town=HOLLIN,
        person=sketch_of(scene),
        about="a retired sailor",
        places=(scene.me.home, scene.place),
    )


TELL_STORY = Step(
    name="tell_story",
    about="somebody's life so far",
    inputs=TellStoryInput,
    answer=LifeStory,
    sample=_story_sample,
    fallback=fallback_by_rule(LifeStory, _story_standin),
    standin=_story_standin,
    context=lambda inputs: {"first_name": inputs.person.first_name},
    choices=lambda inputs: {"place": list(inputs.places)},
    temperature=0.8,
    **_ALIKE,
)


BATCH = 4
"""Maximum number of memories asked at once: small models repeat themselves in longer lists."""


def _memories_context(inputs: TellMemoriesInput) -> dict[str, Any]:
    begun = {each.number: each.text for each in inputs.beginnings}
    return {"numbers": list(begun), "beginnings": begun, "told": inputs.told}


def _memories_standin(inputs: TellMemoriesInput, dice: Dice) -> RuleAnswer:
    told = list(inputs.told)
    things = dice.shuffled(words("things"), "things")
    memories = []
    for place, each in enumerate(inputs.beginnings):
        frames = [f"{each.text} {ending}" for ending in _words()["endings"].get(each.text, ())]
        frames += dice.shuffled(words("memories"), "any", each.text)
        turned = things[place % len(things) :] + things
        texts = (
            frame.format(thing=thing, town=inputs.town.name) for thing in turned for frame in frames
        )
        spare = f"I remember {things[0]} number {len(told) + 1}"
        text = next((text for text in texts if not find_alike(text, told)), spare)
        told.append(text)
        memories.append({"number": each.number, "memory": text})
    return RuleAnswer({"memories": memories})


def _memories_sample(scene: Scene) -> TellMemoriesInput:
    texts = ("I came to this town because", "I collect")
    return TellMemoriesInput(
        town=HOLLIN,
        person=sketch_of(scene),
        story=scene.me.learned,
        told=("I like the first hour of the day best",),
        beginnings=tuple(BeginningCard(number=at, text=each) for at, each in enumerate(texts, 1)),
    )


TELL_MEMORIES = Step(
    name="tell_memories",
    about="what somebody remembers from before the first day",
    inputs=TellMemoriesInput,
    answer=SeedMemories,
    sample=_memories_sample,
    fallback=fallback_by_rule(SeedMemories, _memories_standin),
    standin=_memories_standin,
    context=_memories_context,
    choices=lambda inputs: {"memories[].number": [each.number for each in inputs.beginnings]},
    sheds=("told",),
    temperature=0.9,
    max_tokens=600,
    **_ALIKE,
)


def _bond_context(inputs: TellBondInput) -> dict[str, Any]:
    names = [inputs.person.first_name, inputs.other.first_name]
    return {"first_names": names}


def _bond_standin(inputs: TellBondInput, dice: Dice) -> RuleAnswer:
    me, other = inputs.person.first_name, inputs.other.first_name
    fact = dice.pick(words("facts"), "fact").format(me=me, other=other)
    bond = dice.pick(inputs.bonds, "bond")
    return RuleAnswer({"bond": bond, "fact": fact}, used=(me, other, bond))


def _bond_sample(scene: Scene) -> TellBondInput:
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


TELL_BOND = Step(
    name="tell_bond",
    about="what ties two people",
    inputs=TellBondInput,
    answer=Bond,
    sample=_bond_sample,
    fallback=fallback_by_rule(Bond, _bond_standin),
    standin=_bond_standin,
    context=_bond_context,
    choices=lambda inputs: {"bond": list(inputs.bonds)},
    temperature=0.8,
    max_tokens=200,
    **_ALIKE,
)


MAKING: tuple[AnyStep, ...] = (INVENT_PERSON, TELL_STORY, TELL_MEMORIES, TELL_BOND)
"""The steps, in the order in which they are run."""


def check_making_templates(texts: Texts) -> TemplateSet:
    """Return templates that can be used; raises PromptError, with file and line, otherwise."""
    templates = TemplateSet(texts)
    for step in MAKING:
        templates.prompt(step)
    return templates
