"""Sense checks of lines in a talk: new words, said by the speaker to whoever is there."""

import re
from collections.abc import Iterator

from smolville.graphs.meeting import is_stranger
from smolville.graphs.sense.check import ENGLISH, CheckContext, SenseCheck
from smolville.graphs.sense.words import share_copied, share_in, words_of
from smolville.parsers.problem import Problem, field_problem
from smolville.parsers.reading.sentences import SAYS
from smolville.parsers.say import SERVICE, SayInput, Utterance

SAID_AGAIN = 0.85
"""Minimum share of a line's words in an earlier line for it to count as repeated."""
PATCHED = 0.4
"""Minimum share of a line's words in runs copied from the talk for it to count as repeated."""
READ_OUT = 0.85
"""Minimum share of a line's words in runs copied from the whole case."""
LEAST = 7
"""Minimum words of a line that is checked, since greetings and goodbyes may be repeated."""
_QUOTED = re.compile(r"[\"“][^\"“”]*[\"”]")
_FIRST_MEETING = re.compile(
    r"\b(?:nice|good|great|lovely|pleased|glad|happy|pleasure) to (?:finally )?meet you(?=[.!?,]|$)"
    r"|\bwhere do you live\?|\bwhat(?:['’]s| is) your name\?",
    re.IGNORECASE,
)
"""What is said only to somebody whom one has never met."""


def by_another(answer: Utterance, inputs: SayInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield a text with somebody's turn in it (`Ada: Hello.`, `"...," said Ada`).

    `Ada: you hold the ladder` is no turn: a capital follows what somebody says.
    """
    names = [inputs.me.name, inputs.me.first_name]
    for name in inputs.others:
        names += [name, name.split()[0]]
    listed = "|".join(re.escape(name) for name in dict.fromkeys(names))
    spoken = r"[\"'“‘]?[A-Z0-9]"
    told = rf"[^.!?\"“]{{0,40}}\s{SAYS}\s*[:,]?\s*[\"'“‘]"
    label = rf"(?:^|[\n.!?\"”])\s*(?:{listed})(?:\s*:\s*{spoken}|{told})"
    tail = rf"[\"”],?\s*(?:{SAYS}\s+(?:{listed})|(?:{listed})\s+{SAYS})\b"
    if re.search(rf"{label}|{tail}", answer.text):
        rest = ", in which somebody's turn is written out. Write only the words that you say now."
        yield field_problem("text", answer.text, rest, "speaker")


def said_again(answer: Utterance, inputs: SayInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield a text that somebody has said in this talk before."""
    lines = [line for line in reversed(inputs.lines) if is_said_again(answer.text, line.text)]
    if lines:
        who = "you" if lines[0].speaker == inputs.me.name else lines[0].speaker
        rest = f", which {who} said before in TALK. Say something new, or say goodbye."
        yield field_problem("text", answer.text, rest, "repeat")


def pieced_together(answer: Utterance, inputs: SayInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield a text of which much is copied from earlier lines of the talk."""
    said = words_of(answer.text)
    lines = [words_of(line.text) for line in inputs.lines]
    if len(said) > LEAST and share_copied(said, lines) >= PATCHED:
        rest = ", which is mostly copied from TALK. Answer in your own words, or say goodbye."
        yield field_problem("text", answer.text, rest, "repeat")


def is_said_again(text: str, line: str) -> bool:
    """Return whether a text that is not very short repeats the words of an earlier line."""
    own, said = words_of(text), words_of(line)
    return len(own) >= LEAST <= len(said) and share_in(own, said) >= SAID_AGAIN


def read_out(answer: Utterance, inputs: SayInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield a text that is read out from what the speaker knows, word for word."""
    said = words_of(answer.text)
    if len(said) > LEAST and share_copied(said, [words_of(shown.given)]) >= READ_OUT:
        rest = ", which is copied from the question. Say it as one says it to a neighbour."
        yield field_problem("text", answer.text, rest, "copied")


def to_oneself(answer: Utterance, inputs: SayInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield a text that calls its own speaker by name; a name inside a quotation does not count."""
    me = inputs.me
    if any(me.first_name in other.split() for other in inputs.others):
        return
    name = re.escape(me.first_name)
    called = rf"(?:^|[.!?]\s+)(?:[Gg]ood \w+ |\w+ )?{name}[,!?]|(?<!\bme),\s+{name}(?=[,.!?]|$)"
    spoken_of = rf"\b(?:{SAYS}|told|tells|calls?|called|name)\b"
    for found in re.finditer(called, text := _QUOTED.sub(" ", answer.text)):
        before = re.split(r"[.!?]", text[: found.end() - 1].rstrip(".!?,"))[-1]
        if not re.search(spoken_of, before) and not re.search(rf"\b[A-Z]\w+ {name}$", before):
            others = " and ".join(inputs.others)
            rest = f". You are {me.name}; you speak to {others}."
            yield field_problem("text", answer.text, rest, "speaker")
            return


def as_a_stranger(answer: Utterance, inputs: SayInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield a text that speaks to somebody well known as at a first meeting."""
    if is_stranger(inputs.relationship):
        return
    first, *more = (re.escape(each) for each in inputs.me.name.split())
    named = rf"\b(?:I am|I['’]m|[Mm]y name is) {first}(?: {' '.join(more)})?(?=[,.!?]| and\b)"
    found = _FIRST_MEETING.search(answer.text) or re.search(named, answer.text)
    if found is not None:
        others = " and ".join(inputs.others)
        rest = f". You have long known {others}: leave {found.group()!r} out."
        yield field_problem("text", answer.text, rest, "fact")


def like_a_service(answer: Utterance, inputs: SayInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield a text that sounds like a helpful program."""
    if (found := SERVICE.search(answer.text)) is not None:
        rest = f". {found.group()!r} is what a call centre says. Speak as a neighbour."
        yield field_problem("text", answer.text, rest, "voice")


CHECKS: tuple["SenseCheck[SayInput, Utterance]", ...] = (
    SenseCheck(look=by_another, action="refuse"),
    SenseCheck(look=said_again, action="refuse"),
    SenseCheck(look=pieced_together, action="ask"),
    SenseCheck(look=read_out, action="ask"),
    SenseCheck(look=to_oneself, action="ask", languages=ENGLISH),
    SenseCheck(look=as_a_stranger, action="ask", languages=ENGLISH),
    SenseCheck(look=like_a_service, action="ask", languages=ENGLISH),
)
