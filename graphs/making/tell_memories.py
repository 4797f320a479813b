"""Write what a new person remembers from before the first day, a sentence at a time."""

from typing import Any

from smolville.graphs.loop.graph import keep_answer, take_given
from smolville.graphs.loop.state import GivenSeen
from smolville.graphs.loop.step import Choices, Step
from smolville.graphs.making.cards import HOLLIN, BeginningCard, SketchCard, TownCard
from smolville.graphs.making.strangers import KNOWN_PEOPLE
from smolville.graphs.making.tell_story import sketch_of
from smolville.graphs.making.words import endings_of, fallback_by_rule, words
from smolville.graphs.prompt_inputs import PromptInput
from smolville.graphs.scenes import Scene
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.making.naming import find_alike
from smolville.parsers.making.tell_memories import SeedMemories
from smolville.prompts.making import making_templates

BATCH = 4
"""Maximum number of memories asked at once: small models repeat themselves in longer lists."""


class TellMemoriesInput(PromptInput):
    """The inputs that the prompt `tell_memories` shows."""

    town: TownCard
    person: SketchCard
    story: str
    told: tuple[str, ...]
    """The memories written so far."""
    beginnings: tuple[BeginningCard, ...]


def context(inputs: TellMemoriesInput) -> dict[str, Any]:
    """Return the beginnings by number, and the memories written so far."""
    begun = {each.number: each.text for each in inputs.beginnings}
    return {"numbers": list(begun), "beginnings": begun, "told": inputs.told}


def choices(inputs: TellMemoriesInput) -> Choices:
    """Return the beginnings' numbers: only these are allowed."""
    return {"memories[].number": [each.number for each in inputs.beginnings]}


def standin(inputs: TellMemoriesInput, dice: Dice) -> RuleAnswer:
    """Return a sentence for each beginning from the stand-in's word lists, all different."""
    told = list(inputs.told)
    things = dice.shuffled(words("things"), "things")
    free = [each for each in things if not any(each in memory for memory in told)] or things
    memories = []
    for place, each in enumerate(inputs.beginnings):
        endings = dice.shuffled(endings_of(each.text), each.text)
        frames = [f"{each.text} {ending}" for ending in endings]
        frames += dice.shuffled(words("memories"), "any", each.text)
        turned = [*free[place % len(free) :], *free, *things]
        texts = (
            frame.format(thing=thing, town=inputs.town.name) for thing in turned for frame in frames
        )
        spare = f"You remember {things[0]} number {len(told) + 1}"
        text = next((text for text in texts if not find_alike(text, told)), spare)
        told.append(text)
        memories.append({"number": each.number, "memory": text})
    return RuleAnswer({"memories": memories})


def sample(scene: Scene) -> TellMemoriesInput:
    """Return sample inputs for the prompt, made from a scene."""
    texts = ("You came to this town because", "You collect")
    return TellMemoriesInput(
        town=HOLLIN,
        person=sketch_of(scene),
        story=scene.me.learned,
        told=("You like the first hour of the day best",),
        beginnings=tuple(BeginningCard(number=at, text=each) for at, each in enumerate(texts, 1)),
    )


STEP = Step(
    name="tell_memories",
    about="what somebody remembers from before the first day",
    inputs=TellMemoriesInput,
    answer=SeedMemories,
    gather=take_given,
    apply=keep_answer,
    sample=sample,
    seen=GivenSeen,
    fallback=fallback_by_rule(SeedMemories, standin),
    standin=standin,
    context=context,
    choices=choices,
    sense=(KNOWN_PEOPLE,),
    sheds=("told",),
    tier="strong",
    temperature=0.9,
    max_tokens=600,
    templates=making_templates,
)
