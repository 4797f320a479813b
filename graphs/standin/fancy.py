"""The stand-in's rules for spontaneous thoughts: a dream, and a new idea."""

import re
from collections.abc import Sequence

from smolville.agents.keywords import keywords_of
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.models.standin.words import clip
from smolville.parsers.dream import LONGEST, DreamInput
from smolville.parsers.prompt_inputs import PersonaInput, RecalledMemory
from smolville.parsers.wander import WanderInput

_DREAMS = (
    "{one} in a house without walls, and it was snowing inside.",
    "{one}, and all the time somebody kept calling me from across the river.",
    "{one} on a roof high above the town, and nobody thought it strange.",
    "I looked everywhere for a key, while {one}.",
    "{one} under water, and I could breathe there.",
    "{one} on a train that never stopped.",
    "Everybody in town stood in a row and watched, while {one}.",
)
_PAIRED = (
    "{one}, and in the next room {other}, and both took the whole night.",
    "I looked everywhere for a key, while {one} and {other}.",
)
"""Patterns of dreams of one or two clauses, each a whole clause: `I was laying the table`."""
_PLAIN = (
    "I looked everywhere for a lost key, and somebody kept calling me from across the river.",
    "I was late for something, and nobody could tell me what it was.",
    "I walked through my house and found a room that I had never seen.",
)
"""Dreams without any remembered person or thing."""
_IDEAS = (
    ("drawing a picture of {one}", "evening"),
    ("writing a short poem about {one}", "evening"),
    ("asking the neighbours about {one}", "morning"),
    ("collecting old stories about {one}", "afternoon"),
    ("making a small present with {one} on it", "afternoon"),
    ("taking a walk to think about {one}", "morning"),
)
_NOTHING = "a lost key"
_DOES = re.compile(
    r"(?P<who>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*) is (?P<what>[a-z]+ing\b[^.;:!?\"]*)\.?"
)
"""A memory of somebody's activity: `Ada Holm is laying the table`."""
_THING = re.compile(r"\b(?:the|an?|her|his) ([a-z]{3,})(?=[ ,.]|$)")


def dream(inputs: DreamInput, dice: Dice) -> RuleAnswer:
    """Return a dream made of one or two remembered actions, in whole clauses."""
    told = _deeds(inputs.memories, inputs.me, dice)
    clauses = list(told)[:2]
    text = dice.pick(_forms(clauses), "dream") if clauses else _PLAIN[0]
    text = _filled(text, clauses)
    used = [told[each] for each in clauses if each in text]
    drawn = used or [each.text for each in dice.shuffled(inputs.memories, "which")[:2]]
    return RuleAnswer({"dream": text}, tuple(drawn))


def _deeds(memories: Sequence[RecalledMemory], me: PersonaInput, dice: Dice) -> dict[str, str]:
    """Return remembered actions in a random order, each with the text of its memory."""
    shuffled = dice.shuffled(memories, "which")
    return {clause: each.text for each in shuffled if (clause := _deed(each.text, me))}


def _forms(clauses: Sequence[str]) -> Sequence[str]:
    """Return the patterns for dreams with this number of clauses."""
    return (*_DREAMS, *_PAIRED) if len(clauses) == 2 else _DREAMS


def _filled(form: str, clauses: Sequence[str]) -> str:
    """Return a dream with its clauses filled in, cut to the maximum length."""
    text = form.format(one=clauses[0], other=clauses[-1]) if clauses else form
    return clip(text[0].upper() + text[1:], LONGEST)


def _deed(memory: str, me: PersonaInput) -> str:
    """Return the action in a memory, `I was laying the table`; empty if there is none."""
    found = _DOES.fullmatch(memory)
    if found is None or me.first_name in found["what"]:
        return ""
    return f"{'I' if found['who'] == me.name else found['who']} was {found['what']}"


def wander(inputs: WanderInput, dice: Dice) -> RuleAnswer:
    """Return a new idea about the subject of a memory."""
    one, other = (_subject(each, inputs.me, dice) for each in _two(inputs.memories, dice))
    form, part = dice.pick(_IDEAS, "idea")
    answer = {
        "reason": clip(f"{one[0]} and {other[0]} came to my mind", 160),
        "idea": clip(form.format(one=one[0]), 80),
        "part": part,
    }
    return RuleAnswer(answer, (*one[1], *other[1]))


def _two(memories: Sequence[RecalledMemory], dice: Dice) -> Sequence[RecalledMemory | None]:
    """Return two random memories; None stands for a missing one."""
    return [*dice.shuffled(memories, "which"), None, None][:2]


def _subject(
    memory: RecalledMemory | None, me: PersonaInput, dice: Dice
) -> tuple[str, tuple[str, ...]]:
    """Return the subject of a memory in a word or two, and its text as the source."""
    if memory is None:
        return _NOTHING, ()
    names = [each for each in keywords_of(memory.text, (me.name,)) if each[0].isupper()]
    things = [f"the {each}" for each in _THING.findall(memory.text)]
    others = [each for each in names if each != me.name]
    return dice.pick(things or others or [_NOTHING], memory.text), (memory.text,)
