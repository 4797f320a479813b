"""Sense checks of dreams and new ideas: no copied memory, no unknown person, nothing usual."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from graphs.prompt_inputs import RecalledMemory
from graphs.sense.check import ENGLISH, CheckContext, SenseCheck
from graphs.sense.days import meal_of
from graphs.sense.thinking import unknown_names
from graphs.sense.words import minutes_in, share_in, words_of
from parsers.dream import Dream
from parsers.problem import Problem, field_problem
from parsers.wander import NovelIdea

if TYPE_CHECKING:
    from graphs.dream import DreamInput
    from graphs.wander import WanderInput

THE_SAME = 0.85
"""A text is nothing new if at least this share of its words is in one memory or in the usual
day."""


def _is_again(text: str, memories: Sequence[RecalledMemory]) -> bool:
    """Return whether a text repeats one memory."""
    own = words_of(text)
    return any(share_in(own, words_of(each.text)) >= THE_SAME for each in memories)


def dreams_a_memory(answer: Dream, inputs: "DreamInput", shown: CheckContext) -> Iterator[Problem]:
    """Yield a dream that is an unchanged memory."""
    if _is_again(answer.dream, inputs.memories):
        rest = ", which is a memory as it was. Mix two memories into something strange."
        yield field_problem("dream", answer.dream, rest, "repeat")


def dreams_of_strangers(
    answer: Dream, inputs: "DreamInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield a dream that names somebody who is in no memory."""
    yield from unknown_names([("dream", answer.dream)], shown)


def meets_oneself(answer: Dream, inputs: "DreamInput", shown: CheckContext) -> Iterator[Problem]:
    """Yield a dream that mentions its dreamer by name, as if it were another person."""
    if inputs.me.name in answer.dream:
        rest = f". You are {inputs.me.name}, and it is your dream: write `I`."
        yield field_problem("dream", answer.dream, rest, "speaker")


def is_nothing_new(
    answer: NovelIdea, inputs: "WanderInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield an idea that is a memory, part of the usual day, a meal, or bound to a fixed time."""
    idea = answer.idea
    if _is_again(idea, inputs.memories):
        rest = ", which has happened already. Think of something new."
        yield field_problem("idea", idea, rest, "repeat")
    elif share_in(words_of(idea), words_of(inputs.usual)) >= THE_SAME or meal_of(idea):
        rest = ", which is a part of any day. Think of something you do not usually do."
        yield field_problem("idea", idea, rest, "repeat")
    elif minutes_in(idea):
        rest = ". Leave the time out: `part` says when."
        yield field_problem("idea", idea, rest, "hours")


def is_of_strangers(
    answer: NovelIdea, inputs: "WanderInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield an idea that names an unknown person or thing."""
    yield from unknown_names([("idea", answer.idea)], shown)


DREAM_CHECKS = (
    SenseCheck(look=dreams_a_memory, action="ask"),
    SenseCheck(look=meets_oneself, action="ask"),
    SenseCheck(look=dreams_of_strangers, action="ask", languages=ENGLISH),
)
IDEA_CHECKS = (
    SenseCheck(look=is_nothing_new, action="ask"),
    SenseCheck(look=is_of_strangers, action="ask", languages=ENGLISH),
)
