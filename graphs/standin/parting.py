"""The stand-in's rule after a talk has ended: what to keep of it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphs.frame.happenings import read_happening, without_lead
from graphs.frame.person import in_third_person
from graphs.prompt_inputs import SpokenLine
from graphs.standin.library import talk_phrases, word_set
from graphs.standin.news import is_news, is_open_to_all
from models.standin.draws import Dice
from models.standin.rule import RuleAnswer
from models.standin.words import clip, full_stop, lower_first, sentences, stems, upper_first
from parsers.conclude_talk import LONGEST, MOST_KEPT, Feeling

if TYPE_CHECKING:
    from graphs.conclude_talk import ConcludeTalkInput

FEELINGS: tuple[Feeling, ...] = ("glad", "glad", "amused", "curious", "calm", "hopeful")
"""Feelings after a talk, from which the stand-in picks one."""


def conclude_talk(inputs: "ConcludeTalkInput", dice: Dice) -> RuleAnswer:
    """Return a summary, the lines with news, a plan if invited, and a feeling."""
    me = inputs.me
    heard = _heard(inputs)
    told = [
        sentence
        for line in inputs.lines
        if line.speaker == me.name
        for sentence in sentences(line.text)
        if is_news(sentence)
    ]
    answer = {
        "summary": _summary(inputs, [text for _, text in heard], told),
        "keep": list(dict.fromkeys(number for number, _ in heard))[:MOST_KEPT],
        "promise": _plan(inputs, [text for _, text in heard], dice),
        "feeling": dice.pick(FEELINGS, "feeling"),
    }
    lines = [line.text for line in inputs.lines if line.number in dict(heard)]
    return RuleAnswer(answer, (*lines, *inputs.others))


def _heard(inputs: "ConcludeTalkInput") -> list[tuple[int, str]]:
    """Return the news in the others' lines: the line's number, and how others would retell it."""
    heard: dict[str, int] = {}
    for line in inputs.lines:
        if line.speaker == inputs.me.name:
            continue
        for sentence in sentences(line.text):
            if is_news(sentence) and not sentence.startswith("I heard that you"):
                kept = in_third_person(without_lead(sentence), line.speaker)
                if not kept.startswith(inputs.me.name):
                    heard.setdefault(full_stop(kept), line.number)
    return [(number, kept) for kept, number in heard.items()]


def _plan(inputs: "ConcludeTalkInput", heard: list[str], dice: Dice) -> str | None:
    """Return the plan to go where others invited me, unless I gave no clear answer."""
    me = inputs.me
    mine = " ".join(line.text for line in inputs.lines if line.speaker == me.name)
    accepted = any(phrase in mine for phrase in talk_phrases()["accept"])
    declined = any(phrase in mine for phrase in talk_phrases()["unsure"])
    for sentence in heard:
        event = read_happening(sentence, me.name, me.first_name)
        if event is None or not is_open_to_all(sentence):
            continue
        if not accepted and (declined or dice.fraction("go", sentence) < 0.3):
            continue
        tail = _when_and_where(sentence, event.what)
        return clip(f"{me.name} plans to go to {event.what}{tail}", 160)
    return None


def _when_and_where(sentence: str, what: str) -> str:
    """Return the part of the sentence with date and time, to be appended to the event's name."""
    place = what.rpartition(" at ")[2]
    rest = sentence.partition(place)[2] if " at " in what else ""
    if not rest.strip(" ."):
        rest = sentence[sentence.find(" on ") :] if " on " in sentence else ""
    return full_stop(rest) if rest.strip(" .") else "."


def _summary(inputs: "ConcludeTalkInput", heard: list[str], told: list[str]) -> str:
    """Return one sentence on what was talked about."""
    me = inputs.me
    topics = [lower_first(text.rstrip(".!")) for text in heard[:1]]
    topics += [
        lower_first(in_third_person(without_lead(text), me.name).rstrip(".!")) for text in told[:1]
    ]
    if topics:
        whole = "; and ".join(topics)
        return upper_first(clip(full_stop(whole if len(whole) < LONGEST else topics[0]), LONGEST))
    return f"A friendly chat about {_subject(inputs.lines)}."


def _subject(lines: Sequence[SpokenLine]) -> str:
    """Return the subject of a talk without news."""
    said = stems(" ".join(line.text for line in lines))
    if said & word_set("dull"):
        return "everyday things"
    return "how the day was going"
