"""Tell what a new person remembers from before the first day, a topic at a time."""

from typing import Any

from graphs.loop.graph import keep_answer, take_given
from graphs.loop.state import GivenSeen
from graphs.loop.step import Choices, Step
from graphs.making.cards import HOLLIN, SketchCard, TopicCard, TownCard
from graphs.making.strangers import KNOWN_PEOPLE
from graphs.making.tell_story import sketch_of
from graphs.making.words import fallback_by_rule, memories_about, words
from graphs.prompt_inputs import PromptInput
from graphs.scenes import Scene
from models.standin.rule import Dice, RuleAnswer
from parsers.making.tell_memories import SeedMemories
from prompts.making import making_templates

BATCH = 4
"""Number of memories asked at once at most: small models repeat themselves in longer lists."""


class TellMemoriesInput(PromptInput):
    """What the prompt `tell_memories` shows."""

    town: TownCard
    person: SketchCard
    story: str
    told: tuple[str, ...]
    """The memories told so far."""
    topics: tuple[TopicCard, ...]


def context(inputs: TellMemoriesInput) -> dict[str, Any]:
    """Return the numbers of the topics, and the memories told so far."""
    return {"numbers": [topic.number for topic in inputs.topics], "told": inputs.told}


def choices(inputs: TellMemoriesInput) -> Choices:
    """Return the topics' numbers: only these are allowed."""
    return {"memories[].number": [topic.number for topic in inputs.topics]}


def standin(inputs: TellMemoriesInput, dice: Dice) -> RuleAnswer:
    """Return a sentence of the stand-in's words for each topic, each with another thing in it."""
    told = list(inputs.told)
    things = dice.shuffled(words("things"), "things")
    free = [each for each in things if not any(each in memory for memory in told)] or things
    memories = []
    for place, topic in enumerate(inputs.topics):
        frames = [*memories_about(topic.topic), *dice.shuffled(words("memories"), topic.topic)]
        slots = {"thing": free[place % len(free)], "town": inputs.town.name}
        texts = [frame.format(**slots) for frame in frames]
        first = dice.draw(topic.topic) % max(1, len(memories_about(topic.topic)))
        text = next(each for each in (*texts[first:], *texts) if each not in told)
        told.append(text)
        memories.append({"number": topic.number, "memory": text})
    return RuleAnswer({"memories": memories})


def sample(scene: Scene) -> TellMemoriesInput:
    """Return believable inputs, made from a scene."""
    topics = ("where you grew up", "something that you collect")
    return TellMemoriesInput(
        town=HOLLIN,
        person=sketch_of(scene),
        story=scene.me.learned,
        told=("You like the first hour of the day best",),
        topics=tuple(TopicCard(number=at, topic=each) for at, each in enumerate(topics, 1)),
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
