"""Checks whether a day makes sense as a whole: copied examples, repeated lines, hours of a day.

The functions depend only on the contents of a history. They judge the results of answers (memories,
lines, actions), whereas the town's own checks judge each answer alone.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from smolville.agents.action import Action, Talk
from smolville.agents.habits import Habits
from smolville.agents.plan import Block, is_sleep
from smolville.agents.times import DAY, DAY_SECONDS, minute_of
from smolville.graphs.catalogue import STEPS
from smolville.graphs.frame.habits import BED, MEALS, WAKE, habits_in
from smolville.graphs.sense.copying import LEAST
from smolville.graphs.sense.talking import LEAST as LEAST_SAID
from smolville.graphs.sense.talking import SAID_AGAIN
from smolville.graphs.sense.words import ORDINARY, free_texts, share_in, words_of
from smolville.prompts.examples import shipped_cases

Words = tuple[str, ...]
NEAR = 120
"""Minutes by which a day may differ from a habit."""
HOURS = {"breakfast": (240, 690), "lunch": (630, 960), "dinner": (960, 1380)}
"""Minutes of the day between which people eat, if no habit says otherwise."""
_EATS = re.compile(r"\b(?:eat|hav|enjoy|finish|start)\w*\b", re.IGNORECASE)
EVENING = 18 * 60
SMALL_HOURS = 3 * 60
"""The usual time of going to bed is between these two; the second one is after midnight."""
ONE_MEAL = 90
"""Minutes within which eating again belongs to the same meal."""


def shown_examples() -> set[Words]:
    """Return the texts that prompts show as examples of answers, as words.

    They are from the answer formats and from the shipped cases. Texts of few words, or of ordinary
    words only, are left out, because anybody might write them.
    """
    answers: list[object] = []
    for step in STEPS:
        answers.append(step.answer.example().model_dump())
        answers += [case.answer for case in shipped_cases(step.name)]
    texts = (tuple(words_of(text)) for answer in answers for _, text in free_texts(answer))
    return {text for text in texts if _is_telling(text)}


def copies(texts: Iterable[str], examples: set[Words], given: str = "") -> list[str]:
    """Return the texts that equal an example word for word.

    Texts that consist of ordinary words and words in `given` are left out.
    """
    known = ORDINARY | set(words_of(given))
    found = ((text, tuple(words_of(text))) for text in texts)
    return [text for text, own in found if own in examples and not known.issuperset(own)]


def _is_telling(words: Words) -> bool:
    """Return True for a text that is long enough and has a word that is not ordinary."""
    return len(words) >= LEAST and any(word not in ORDINARY for word in words)


def repeats_a_line(talk: Talk) -> bool:
    """Return True if somebody repeats an earlier line of the same talk."""
    said: list[list[str]] = []
    for line in talk.lines:
        own = words_of(line.text)
        if len(own) >= LEAST_SAID:
            if any(share_in(own, before) >= SAID_AGAIN for before in said):
                return True
            said.append(own)
    return False


@dataclass(frozen=True, kw_only=True)
class Kept:
    """How often something was done at its usual hour."""

    at_its_hour: int = 0
    of: int = 0
    off: tuple[str, ...] = ()
    """One text for each time it was not: `Ada Brook, day 1: dinner at 13:00, usually 18:30`."""

    def __add__(self, other: "Kept") -> "Kept":
        return Kept(
            at_its_hour=self.at_its_hour + other.at_its_hour,
            of=self.of + other.of,
            off=(*self.off, *other.off),
        )


@dataclass(frozen=True, kw_only=True)
class LivedDay:
    """One whole day of one agent."""

    agent: str
    lifestyle: str
    """When the agent sleeps, wakes and eats, in plain words."""
    habits: Habits = field(default_factory=Habits)
    """The habits that the persona file has as fields."""
    day: int
    """Number of the day, from 1."""
    actions: tuple[Action, ...]
    """The agent's actions in chronological order, including those of other days."""
    blocks: tuple[Block, ...]
    """The day's plan at the end of the day; each part names the block to which it belongs."""


def hours_kept(days: Iterable[LivedDay]) -> dict[str, Kept]:
    """Return how often `wake`, `bed` and `meals` were at their usual hours.

    The usual hour is the habit that the persona file states. For a meal without a habit, it is any
    time at which people usually eat that meal.
    """
    kept = {"wake": Kept(), "bed": Kept(), "meals": Kept()}
    for each in days:
        for name, part in _parts(each):
            kept[name] += part
    return kept


def _parts(lived: LivedDay) -> Iterator[tuple[str, Kept]]:
    """Yield what was at its usual hour, and what was not, on one person's day."""
    who = f"{lived.agent}, day {lived.day}"
    habits = habits_in(lived.habits, lived.lifestyle)
    bedtime = habits[BED].told
    if bedtime is not None and bedtime < DAY // 2:
        bedtime += DAY
    wake, bed = _night(lived)
    for name, at, usual in ((WAKE, wake, habits[WAKE].told), (BED, bed, bedtime)):
        if usual is not None:
            is_kept = at is not None and abs(at - usual) <= NEAR
            yield name, _kept(is_kept, f"{who}: {name} {_when(at)}, usually {_clock(usual)}")
    meals = _meals(lived.blocks)
    for meal in MEALS:
        own, eaten = habits[meal].told, meals.get(meal, [])
        usually = "" if own is None else f", usually {_clock(own)}"
        if own is not None and not eaten:
            yield "meals", _kept(False, f"{who}: no {meal}{usually}")
        first, last = HOURS[meal] if own is None else (own - NEAR, own + NEAR)
        for number, at in enumerate(eaten):
            again = ", once more" if number else ""
            told = f"{who}: {meal} {_when(at)}{again}{usually}"
            is_had = habits[meal].minute is not None and not number
            yield "meals", _kept(is_had and first <= at <= last, told)


def _night(lived: LivedDay) -> tuple[int | None, int | None]:
    """Return the minutes of getting up and of going to bed; those after midnight exceed 1440."""
    since = (lived.day - 1) * DAY_SECONDS
    timed = [
        ((each.start - since) // 60, each.kind == "sleep" or is_sleep(each.activity))
        for each in lived.actions
        if each.kind != "talk"
    ]
    that_day = [(at, sleeps) for at, sleeps in timed if 0 <= at < DAY + SMALL_HOURS]
    wake = next((at for at, sleeps in that_day if not sleeps and at >= SMALL_HOURS), None)
    beds = [
        at
        for (_, slept), (at, sleeps) in pairwise(that_day)
        if sleeps and not slept and at >= EVENING
    ]
    return wake, beds[-1] if beds else None


def _meals(blocks: Sequence[Block]) -> dict[str, list[int]]:
    """Return the beginnings of each meal in a plan.

    Parts of a meal, and eating soon after it, count as the same meal.
    """
    found: dict[str, list[int]] = {}
    last: dict[str, int] = {}
    for block in blocks:
        meal = meal_in(block.part_of) or meal_in(block.activity)
        if meal:
            if block.start - last.get(meal, -DAY) > ONE_MEAL:
                found.setdefault(meal, []).append(block.start)
            last[meal] = block.end
    return found


def meal_in(activity: str) -> str:
    """Return the meal that is eaten in an activity; empty if none is eaten."""
    words = words_of(activity.lower().replace("supper", "dinner"))
    meal = next((each for each in MEALS if each in words), "")
    if not meal:
        return ""
    before = " ".join(words[: words.index(meal)])
    return meal if not before or _EATS.search(before) else ""


def _kept(is_kept: bool, told: str) -> Kept:
    return Kept(at_its_hour=int(is_kept), of=1, off=() if is_kept else (told,))


def _when(at: int | None) -> str:
    return "never" if at is None else f"at {_clock(at)}"


def _clock(minute: int) -> str:
    """Return a minute of the day as `HH:MM`; minutes after midnight may continue from 1440."""
    at = minute_of(minute * 60)
    return f"{at // 60:02d}:{at % 60:02d}"
