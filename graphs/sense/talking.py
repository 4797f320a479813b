"""Sense checks of lines in a talk: said by the speaker, not repeated, and not by a program."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphs.prompt_inputs import PersonaInput, SpokenLine
from graphs.sense.check import ENGLISH, CheckContext, SenseCheck
from graphs.sense.words import share_in, words_of
from parsers.problem import Problem, field_problem
from parsers.reading.turns import SAYS
from parsers.say import SERVICE, Utterance

if TYPE_CHECKING:
    from graphs.say import SayInput

SAID_AGAIN = 0.85
"""Minimum share of a line's words in an earlier line for it to count as repeated."""
LEAST = 7
"""Minimum words of a line that is checked, since greetings and goodbyes may be repeated."""
_GREETING = (
    r"(?:hello|hi|hey|dear|thanks|thank you|good (?:morning|afternoon|evening|day|night)|bye)"
)


def by_another(answer: Utterance, inputs: "SayInput", shown: CheckContext) -> Iterator[Problem]:
    """Yield a text with somebody's turn in it (`Ada:`, `Ada says: "..."`, `"...," said Ada`)."""
    names = [inputs.me.name, inputs.me.first_name]
    for name in inputs.others:
        names += [name, name.split()[0]]
    listed = "|".join(re.escape(name) for name in dict.fromkeys(names))
    label = rf"(?:^|[\n.!?\"”])\s*(?:{listed})(?:\s*:|\s+{SAYS}\s*(?::|,?\s*[\"“]))"
    tail = rf"[\"”],?\s*(?:{SAYS}\s+(?:{listed})|(?:{listed})\s+{SAYS})\b"
    if re.search(rf"{label}|{tail}", answer.text):
        rest = ", in which somebody's turn is written out. Write only the words that you say now."
        yield field_problem("text", answer.text, rest, "speaker")


def said_again(answer: Utterance, inputs: "SayInput", shown: CheckContext) -> Iterator[Problem]:
    """Yield a text that its speaker has already said in this talk."""
    if _find_repeated_line(answer, inputs, is_mine=True) is not None:
        rest = ", which you said before in TALK. Say something new, or say goodbye."
        yield field_problem("text", answer.text, rest, "repeat")


def find_echoes(answer: Utterance, inputs: "SayInput", shown: CheckContext) -> Iterator[Problem]:
    """Yield a text that somebody else has already said in this talk."""
    if (line := _find_repeated_line(answer, inputs, is_mine=False)) is not None:
        rest = f", which {line.speaker} said before in TALK. Answer it, or say something new."
        yield field_problem("text", answer.text, rest, "repeat")


def _find_repeated_line(
    answer: Utterance, inputs: "SayInput", *, is_mine: bool
) -> SpokenLine | None:
    """Return the last earlier line, own or another's, that a text repeats."""
    lines = (line for line in reversed(inputs.lines) if (line.speaker == inputs.me.name) == is_mine)
    return next((each for each in lines if is_said_again(answer.text, each.text)), None)


def is_said_again(text: str, line: str) -> bool:
    """Return whether a text that is not very short repeats the words of an earlier line."""
    own, said = words_of(text), words_of(line)
    return len(own) >= LEAST <= len(said) and share_in(own, said) >= SAID_AGAIN


def to_oneself(answer: Utterance, inputs: "SayInput", shown: CheckContext) -> Iterator[Problem]:
    """Yield a text that greets its own speaker."""
    me: PersonaInput = inputs.me
    if any(me.first_name in other.split() for other in inputs.others):
        return
    name = re.escape(me.first_name)
    if re.search(rf"\b{_GREETING},?\s+{name}\b", answer.text, re.IGNORECASE):
        others = " and ".join(inputs.others)
        rest = f". You are {me.name}; you speak to {others}."
        yield field_problem("text", answer.text, rest, "speaker")


def like_a_service(answer: Utterance, inputs: "SayInput", shown: CheckContext) -> Iterator[Problem]:
    """Yield a text that sounds like a helpful program."""
    if (found := SERVICE.search(answer.text)) is not None:
        rest = f". {found.group()!r} is what a call centre says. Speak as a neighbour."
        yield field_problem("text", answer.text, rest, "voice")


CHECKS: tuple["SenseCheck[SayInput, Utterance]", ...] = (
    SenseCheck(look=by_another, action="refuse"),
    SenseCheck(look=said_again, action="refuse"),
    SenseCheck(look=find_echoes, action="refuse"),
    SenseCheck(look=to_oneself, action="ask", languages=ENGLISH),
    SenseCheck(look=like_a_service, action="ask", languages=ENGLISH),
)
