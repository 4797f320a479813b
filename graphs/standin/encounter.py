"""The stand-in's rules for meeting others: whether to talk, and what to keep of a talk."""

import re
from collections.abc import Sequence
from itertools import accumulate

from smolville.agents.closeness import DISTANT
from smolville.graphs.activities.kinds import is_in_the_way
from smolville.graphs.standin.happenings import (
    find_told_events,
    in_third_person,
    read_happening,
    without_lead,
)
from smolville.graphs.standin.news import is_news, is_open_to_all, talk_phrases, word_set
from smolville.graphs.standin.spoken_times import clock, falls_on, minute_of
from smolville.graphs.surroundings import ANNOUNCED
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.models.standin.words import (
    clip,
    full_stop,
    lower_first,
    sentences,
    stems,
    upper_first,
)
from smolville.parsers.conclude_talk import (
    LONGEST,
    MOST_KEPT,
    ConcludeTalkInput,
    Feeling,
    day_labels,
)
from smolville.parsers.prompt_inputs import NeedCard, PersonCard, SpokenLine
from smolville.parsers.react import ReactInput

_LATE = 22 * 60 + 30
_FRESH = 150
"""Minutes after a talk during which there is little new to say."""

_DANGERS = (
    (
        re.compile(r"\bfire\b|\bflames?\b|\bablaze\b|\bburning\b|\bsmo(?:king|u?ldering)\b", re.I),
        "putting out the fire at the {thing}",
    ),
    (
        re.compile(r"\b(?:flood|leak|overflow|gush)\w*|\bburst\b|\bunder water\b", re.I),
        "stopping the water at the {thing}",
    ),
)
"""Words of an object's state that mean danger, and what ends it."""

FEELINGS: tuple[Feeling, ...] = ("glad", "glad", "amused", "curious", "calm", "hopeful")
"""Feelings after a talk, of which the stand-in chooses one."""


def react(inputs: ReactInput, dice: Dice) -> RuleAnswer:
    """Return the reaction to what came into sight: dangers first, then people."""
    if inputs.doing.lower().startswith("sleep"):
        return _go_on(dice)
    # What was announced is heard, and is nothing to go and look at.
    seen = [event for event in inputs.events if not event.startswith(ANNOUNCED)]
    if danger := next(filter(None, map(_end_danger, seen)), None):
        return danger
    return _meet(inputs, seen, dice)


def _meet(inputs: ReactInput, seen: Sequence[str], dice: Dice) -> RuleAnswer:
    """Return the reaction to people, to a need, and to things in sight that are not dangerous."""
    eager = [
        (chance - dice.fraction("talk", person.name), -at, person)
        for at, person in enumerate(inputs.people)
        if (chance := _chance(person, inputs))
    ]
    wanted = max(eager, key=lambda each: each[:2], default=None)
    if wanted is not None and wanted[0] > 0:
        return _talk(wanted[2], dice)
    if inputs.need is not None:
        return _tend(inputs.need, dice)
    for person in inputs.people:
        if is_in_the_way(person.doing, inputs.doing) and dice.fraction("wait", person.name) < 0.5:
            return _wait(person, inputs)
    if seen and dice.fraction("other") < 0.08:
        return _look(seen[0], dice)
    return _go_on(dice)


def _chance(person: PersonCard, inputs: ReactInput) -> float:
    """Return the probability of a talk with somebody."""
    if not person.can_talk or person.doing.lower().startswith("sleep"):
        return 0.0
    now = minute_of(inputs.now)
    if now >= _LATE or now < 5 * 60:
        return 0.05
    told = person.relationship.casefold()
    is_stranger = not told or "stranger" in told or "do not know" in told
    chance = 0.4 if is_stranger else 0.93
    chance += 0.05 * ("You feel close" in person.relationship)
    chance -= 0.3 * (DISTANT in person.relationship)
    if any(is_news(each) for memory in inputs.memories for each in find_told_events(memory.text)):
        chance += 0.08
    innate = stems(inputs.me.innate)
    chance += 0.06 * bool(innate & word_set("open")) - 0.12 * bool(innate & word_set("shy"))
    return chance * _freshness(person.last_talk, now)


def _freshness(last_talk: str, now: int) -> float:
    """Return the factor by which an earlier talk lowers the chance of another one."""
    if not last_talk.startswith("today"):
        return 1.0
    ago = now - minute_of(last_talk[:12])
    return 0.1 if ago < _FRESH else 0.8


def _talk(person: PersonCard, dice: Dice) -> RuleAnswer:
    """Return the answer `talk` with a person."""
    reason = dice.pick(talk_phrases()["talk_reasons"], "why")
    other = person.name.split()[0]
    return _answer(reason.format(other=other), "talk", (person.name,), person.name)


def _wait(person: PersonCard, inputs: ReactInput) -> RuleAnswer:
    """Return the answer `wait` for a person."""
    left = minute_of(person.until) - minute_of(inputs.now)
    reason = f"{person.name.split()[0]} is using what I need, so I wait a little."
    return _answer(reason, "wait", (person.name,), person.name, minutes=max(5, min(15, left)))


def _end_danger(event: str) -> RuleAnswer | None:
    """Return the answer that ends a danger at an object; None if its state is not dangerous."""
    state = event.partition(" is ")[2]
    activity = next((text for words, text in _DANGERS if words.search(state)), None)
    if activity is None:
        return None
    reason = clip(f"This cannot wait: {event}", 240)
    told = clip(activity.format(thing=_thing_of(event)), 120)
    return _answer(reason, "other", (event,), minutes=10, activity=told)


def _thing_of(event: str) -> str:
    """Return the name of the object that an event in sight is about."""
    return sentences(event)[0].split(" is ")[0].split(": ")[-1].removeprefix("the ").strip(" .")


def _look(event: str, dice: Dice) -> RuleAnswer:
    """Return the answer `other`: to look at an object, or to take care of it."""
    thing = _thing_of(event)
    activity = clip(f"looking after the {thing}" if thing.islower() else f"looking at {thing}", 120)
    minutes = dice.pick((5, 10, 15), "look")
    reason = clip(f"Somebody should see to this: {event}", 240)
    return _answer(reason, "other", (event,), minutes=minutes, activity=activity)


def _tend(need: NeedCard, dice: Dice) -> RuleAnswer:
    """Return the answer that attends to a need: mostly now, sometimes later or not at all."""
    chance = dice.fraction("need")
    choice = "now" if chance < 0.6 else "later" if chance < 0.9 else "continue"
    return _answer(need.told, choice, (need.told,))


def _go_on(dice: Dice) -> RuleAnswer:
    """Return the answer `continue`: to go on as before."""
    return _answer(dice.pick(talk_phrases()["go_on_reasons"], "why"), "continue", ())


def _answer(
    reason: str,
    choice: str,
    used: tuple[str, ...],
    person: str | None = None,
    minutes: int | None = None,
    activity: str | None = None,
) -> RuleAnswer:
    """Return the answer with its fields in order."""
    answer = {"reason": reason, "choice": choice, "person": person}
    return RuleAnswer({**answer, "minutes": minutes, "activity": activity}, used)


def conclude_talk(inputs: ConcludeTalkInput, dice: Dice) -> RuleAnswer:
    """Return a summary, the lines with news, what I agreed to if invited, and a feeling."""
    me = inputs.me
    heard = _read_heard_news(inputs)
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
        "agreements": _agreements(inputs, [text for _, text in heard], dice),
        "in_confidence": [],
        "settled": [],
        "feeling": dice.pick(FEELINGS, "feeling"),
    }
    lines = [line.text for line in inputs.lines if line.number in dict(heard)]
    return RuleAnswer(answer, (*lines, *inputs.others))


def _read_heard_news(inputs: ConcludeTalkInput) -> list[tuple[int, str]]:
    """Return the news in the others' lines: each line's number, and its retelling."""
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


def _agreements(inputs: ConcludeTalkInput, heard: list[str], dice: Dice) -> list[dict[str, object]]:
    """Return the event of another person that I have agreed to go to; none without a clear yes."""
    me, labels = inputs.me, day_labels(inputs.dates)
    mine = [line for line in inputs.lines if line.speaker == me.name]
    yes = [line for line in mine if any(each in line.text for each in talk_phrases()["accept"])]
    no = [line for line in mine if any(each in line.text for each in talk_phrases()["unsure"])]
    for sentence in heard:
        event = read_happening(sentence, me.name, me.first_name)
        if event is None or not is_open_to_all(sentence) or not mine:
            continue
        days = [at for at, date in enumerate(inputs.dates) if falls_on(sentence, date)]
        if not days or (not yes and (no or dice.fraction("go", sentence) < 0.3)):
            continue
        told = stems(sentence)
        places = [each for each in inputs.places if stems(each.split(": ")[0]) <= told]
        if not days[0] and event.start <= minute_of(inputs.now):
            continue
        agreed = {
            "who": [me.name],
            "what": clip(f"attending {event.what}", 120),
            "line": (yes or mine)[-1].number,
            "day": labels[days[0]],
            "time": clock(event.start),
            "place": places[0] if places else None,
        }
        return [agreed]
    return []


def _summary(inputs: ConcludeTalkInput, heard: list[str], told: list[str]) -> str:
    """Return one sentence on the topics of the talk."""
    me = inputs.me
    topics = [lower_first(text.rstrip(".!")) for text in heard[:1]]
    topics += [
        lower_first(in_third_person(without_lead(text), me.name).rstrip(".!")) for text in told[:2]
    ]
    if topics:
        fits = [each for each in accumulate(topics, "{}; and {}".format) if len(each) < LONGEST]
        return upper_first(clip(full_stop((fits or topics)[-1 if fits else 0]), LONGEST))
    return f"A friendly chat about {_subject(inputs.lines)}."


def _subject(lines: Sequence[SpokenLine]) -> str:
    """Return the subject of a talk without news."""
    said = stems(" ".join(line.text for line in lines))
    if said & word_set("dull"):
        return "everyday things"
    return "how the day was going"
