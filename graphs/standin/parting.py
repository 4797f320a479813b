"""A talk has ended: what to keep of it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphs.cards import Said
from graphs.standin.library import talk_phrases, word_set
from graphs.standin.news import (
    TALKED,
    in_third_person,
    is_news,
    is_open_to_all,
    read_happening,
)
from models.standin.draws import Dice
from models.standin.rule import RuleAnswer
from models.standin.words import clip, full_stop, join_names, lower_first, sentences, stems

if TYPE_CHECKING:
    from graphs.conclude_talk import ConcludeTalkInput

_GROWS = (
    ("strangers", "acquaintances who have begun to talk"),
    ("stranger", "an acquaintance"),
    ("acquaintances who have begun to talk", "friendly acquaintances"),
    ("an acquaintance", "a friendly acquaintance"),
    ("a friendly acquaintance", "a friend"),
)


def conclude_talk(inputs: "ConcludeTalkInput", dice: Dice) -> RuleAnswer:
    """Return a summary, the news heard, a plan where invited, and how they stand now."""
    me = inputs.me
    heard = _heard(inputs)
    plan = _plan(inputs, [sentence for sentence, _ in heard], dice)
    told = [
        sentence
        for line in inputs.lines
        if line.speaker == me.name
        for sentence in sentences(line.text)
        if is_news(sentence)
    ]
    names = [name.split()[0] for name in inputs.others]
    importance = min(10, 2 + min(3, 2 * len(heard)) + bool(told) + 2 * bool(plan))
    answer = {
        "summary": _summary(inputs, [text for _, text in heard], told),
        "remember": [clip(text, 200) for _, text in heard[:3]],
        "plan": plan,
        "relationship": _relationship(inputs.relationship, join_names(names)),
        "feeling": f"{me.first_name} is {dice.pick(talk_phrases()['feelings'], 'feeling')}",
        "importance": importance,
    }
    return RuleAnswer(answer, (*(sentence for sentence, _ in heard[:3]), *inputs.others))


def _heard(inputs: "ConcludeTalkInput") -> list[tuple[str, str]]:
    """Return the news in the others' lines, as said and as others would retell it."""
    heard: dict[str, str] = {}
    for line in inputs.lines:
        if line.speaker == inputs.me.name:
            continue
        for sentence in sentences(line.text):
            if is_news(sentence) and not sentence.startswith("I heard that you"):
                kept = in_third_person(_without_lead(sentence), line.speaker)
                if not kept.startswith(inputs.me.name):
                    heard.setdefault(full_stop(kept), sentence)
    return [(said, kept) for kept, said in heard.items()]


def _without_lead(sentence: str) -> str:
    """Return an answer's sentence without the words that lead it in."""
    for lead in talk_phrases()["answer_lead"]:
        if sentence.startswith(lead) and len(sentence) > len(lead) + 2:
            rest = sentence[len(lead) :].strip()
            return rest[:1].upper() + rest[1:]
    return sentence


def _plan(inputs: "ConcludeTalkInput", heard: list[str], dice: Dice) -> str | None:
    """Return the plan to go where others invited me, unless I left it open."""
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
        return clip(f"{me.name} plans to go to {event.what}{tail}", 200)
    return None


def _when_and_where(sentence: str, what: str) -> str:
    """Return the part of the sentence with date and time, to follow what the event is called."""
    place = what.rpartition(" at ")[2]
    rest = sentence.partition(place)[2] if " at " in what else ""
    if not rest.strip(" ."):
        rest = sentence[sentence.find(" on ") :] if " on " in sentence else ""
    return full_stop(rest) if rest.strip(" .") else "."


def _summary(inputs: "ConcludeTalkInput", heard: list[str], told: list[str]) -> str:
    """Return one sentence on who talked about what."""
    me = inputs.me
    who = join_names([me.name, *inputs.others])
    topics = [lower_first(text.rstrip(".!")) for text in heard[:1]]
    topics += [
        lower_first(in_third_person(_without_lead(text), me.name).rstrip(".!")) for text in told[:1]
    ]
    if topics:
        return clip(f"{who}{TALKED}{'; and '.join(topics)}.", 300)
    return f"{who} had a friendly chat about {_subject(inputs.lines)}."


def _subject(lines: Sequence[Said]) -> str:
    """Return what a talk without news was about."""
    said = stems(" ".join(line.text for line in lines))
    if said & word_set("dull"):
        return "everyday things"
    return "how the day was going"


def _relationship(before: str, names: str) -> str:
    """Return what they are to each other now: a short chat changes little."""
    for old, new in _GROWS:
        if before.lower().rstrip(".") == old or f"{old}." in before.lower():
            return clip(f"{names} is {new}." if " and " not in names else f"{new}.", 200)
    if len(before) < 3:
        return clip(f"{names}: an acquaintance.", 200)
    return clip(before, 200)
