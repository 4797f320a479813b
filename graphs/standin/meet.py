"""The stand-in's rule when somebody comes into sight: talk, wait, do something else, or go on."""

from typing import TYPE_CHECKING

from graphs.activities.sharing import is_in_the_way
from graphs.frame.happenings import told_in
from graphs.prompt_inputs import PersonCard
from graphs.spoken_times import minute_of
from graphs.standin.library import talk_phrases, word_set
from graphs.standin.news import is_news
from models.standin.draws import Dice
from models.standin.rule import RuleAnswer
from models.standin.words import clip, sentences, stems

if TYPE_CHECKING:
    from graphs.react import ReactInput

_LATE = 22 * 60 + 30
_FRESH = 150
"""Minutes after a talk during which there is little new to say."""


def react(inputs: "ReactInput", dice: Dice) -> RuleAnswer:
    """Return the reaction to the newcomers."""
    if inputs.doing.lower().startswith("sleep"):
        return _go_on(dice)
    eager = [
        (chance - dice.fraction("talk", person.name), -at, person)
        for at, person in enumerate(inputs.people)
        if (chance := _chance(person, inputs))
    ]
    wanted = max(eager, key=lambda each: each[:2], default=None)
    if wanted is not None and wanted[0] > 0:
        return _talk(wanted[2], dice)
    for person in inputs.people:
        if is_in_the_way(person.doing, inputs.doing) and dice.fraction("wait", person.name) < 0.5:
            return _wait(person, inputs)
    if inputs.events and dice.fraction("other") < 0.08:
        return _look(inputs.events[0], dice)
    return _go_on(dice)


def _chance(person: PersonCard, inputs: "ReactInput") -> float:
    """Return the probability of a talk with somebody."""
    if not person.can_talk or person.doing.lower().startswith("sleep"):
        return 0.0
    now = minute_of(inputs.now)
    if now >= _LATE or now < 5 * 60:
        return 0.05
    relation = person.relationship.lower()
    is_stranger = not relation or "stranger" in relation or "do not know" in relation
    chance = 0.3 if is_stranger else 0.85
    if any(is_news(each) for memory in inputs.memories for each in told_in(memory.text)):
        chance += 0.08
    innate = stems(inputs.me.innate)
    chance += 0.06 * bool(innate & word_set("open")) - 0.12 * bool(innate & word_set("shy"))
    return chance * _freshness(person.last_talk, now)


def _freshness(last_talk: str, now: int) -> float:
    """Return the factor by which an earlier talk lowers the chance of another one."""
    if not last_talk.startswith("today"):
        return 1.0
    ago = now - minute_of(last_talk[:12])
    return 0.1 if ago < _FRESH else 0.6


def _talk(person: PersonCard, dice: Dice) -> RuleAnswer:
    """Return the answer to talk with somebody."""
    reason = dice.pick(talk_phrases()["talk_reasons"], "why")
    other = person.name.split()[0]
    return _answer(reason.format(other=other), "talk", (person.name,), person.name)


def _wait(person: PersonCard, inputs: "ReactInput") -> RuleAnswer:
    """Return the answer to wait for somebody."""
    left = minute_of(person.until) - minute_of(inputs.now)
    reason = f"{person.name.split()[0]} is using what I need, so I wait a little."
    return _answer(reason, "wait", (person.name,), person.name, minutes=max(5, min(15, left)))


def _look(event: str, dice: Dice) -> RuleAnswer:
    """Return the answer to take care of something."""
    thing = sentences(event)[0].split(" is ")[0].split(": ")[-1].strip(" .")
    activity = clip(f"looking after the {thing}" if thing.islower() else f"looking at {thing}", 120)
    minutes = dice.pick((5, 10, 15), "look")
    reason = clip(f"Somebody should see to this: {event}", 240)
    return _answer(reason, "other", (event,), minutes=minutes, activity=activity)


def _go_on(dice: Dice) -> RuleAnswer:
    """Return the answer to go on as before."""
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
