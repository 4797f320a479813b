"""The stand-in's rules for what comes up by itself: a dream, and a new idea."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.keywords import keywords_of
from graphs.prompt_inputs import PersonaInput, RecalledMemory
from models.standin.rule import Dice, RuleAnswer
from models.standin.words import clip

if TYPE_CHECKING:
    from graphs.dream import DreamInput
    from graphs.wander import WanderInput

_DREAMS = (
    "I looked everywhere for {one}, and found {other} in my pocket, as small as a button.",
    "I walked through a house without walls: {one} was the door, and {other} kept calling me.",
    "I carried {one} across the river, and on the other side everybody spoke of {other}.",
    "It was snowing {one}, and I had to explain {other} to a room of sleeping people.",
)
_IDEAS = (
    ("drawing a picture of {one}", "evening"),
    ("writing a short poem about {one}", "evening"),
    ("asking the neighbours about {one}", "morning"),
    ("collecting old stories about {one}", "afternoon"),
    ("making a small present with {one} on it", "afternoon"),
    ("taking a walk to think about {one}", "morning"),
)
_NOTHING = "a lost key"
_THING = re.compile(r"\b(?:the|an?|her|his) ([a-z]{3,})(?=[ ,.]|$)")


def dream(inputs: "DreamInput", dice: Dice) -> RuleAnswer:
    """Return a dream that mixes what two memories are about."""
    one, other = (_subject(each, inputs.me, dice) for each in _two(inputs.memories, dice))
    text = dice.pick(_DREAMS, "dream").format(one=one[0], other=other[0])
    return RuleAnswer({"dream": clip(text, 240)}, (*one[1], *other[1]))


def wander(inputs: "WanderInput", dice: Dice) -> RuleAnswer:
    """Return something new to do with what a memory is about."""
    one, other = (_subject(each, inputs.me, dice) for each in _two(inputs.memories, dice))
    form, part = dice.pick(_IDEAS, "idea")
    answer = {
        "reason": clip(f"{one[0]} and {other[0]} came to my mind", 160),
        "idea": clip(form.format(one=one[0]), 80),
        "part": part,
    }
    return RuleAnswer(answer, (*one[1], *other[1]))


def _two(memories: Sequence[RecalledMemory], dice: Dice) -> Sequence[RecalledMemory | None]:
    """Return two memories, or none in place of what is not there."""
    return [*dice.shuffled(memories, "which"), None, None][:2]


def _subject(
    memory: RecalledMemory | None, me: PersonaInput, dice: Dice
) -> tuple[str, tuple[str, ...]]:
    """Return what a memory is about, in a word or two, and the memory's text as the source."""
    if memory is None:
        return _NOTHING, ()
    names = [each for each in keywords_of(memory.text, (me.name,)) if each[0].isupper()]
    things = [f"the {each}" for each in _THING.findall(memory.text)]
    others = [each for each in names if each != me.name]
    return dice.pick(things or others or [_NOTHING], memory.text), (memory.text,)
