"""Read the fixed times of somebody's days from their persona: fields first, then plain words."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from smolville.agents.habits import EVENING, Habits, Work
from smolville.agents.times import clock, minute_at
from smolville.graphs.frame.habits import BED, MEALS, WAKE, Habit, Source, habits_in, waking_minute
from smolville.graphs.prompt_inputs import PersonaInput
from smolville.graphs.spoken_times import DAY, Times, falls_on, names_a_day, read_times
from smolville.models.standin.words import gerund, is_verb, sentences, stems

_PLACE = re.compile(r"\b(?:the )?[A-Z][\w'’]+(?: (?:and |of )?(?:the )?[A-Z][\w'’]+)*")
_BREAK = re.compile(
    r"(,\s+and\s+|,\s+|\s+and\s+(?:then\s+)?|\s+then\s+|\s+(?=with (?:lunch|dinner)\b))"
)
_AGAIN = re.compile(r"^(?:from|between|until|again from)\b", re.IGNORECASE)
_EATS = re.compile(
    r"^(?:having|eating|taking) (?:an? |the )?(breakfast|lunch|dinner)\b", re.IGNORECASE
)
_ASIDE = re.compile(r" (?:every day|each day|once .*|as usual)$")
_ENDING = re.compile(
    r"^(?:(?:closing|shutting|locking)(?: \S+){0,4}"
    r"|(?:finishing|ending|stopping|leaving) (?:it|up|there|work|for the day))$"
)
"""A clause that only says when an earlier activity ends, and so is not a duty by itself."""
_OPENING = 30
"""Minutes of opening a shop; the rest of the working day is spent working in it."""
_FILLERS = re.compile(r"^(?:always|usually|often|then|also|must|should|will|has to|wants to)\s+")
_SHORT = stems("lunch breakfast coffee break walk visit shop water fetch take drink call")
_PAUSE = stems("breakfast lunch dinner supper coffee break")
_NOT_DOING = frozenset(("from", "in", "at", "on", "the", "a", "an", "there", "nothing", "no"))
_LITTLE = 120
"""A day with fewer minutes of timed duty than this also gets the requirement's untimed
activities."""
_LONG = 120


@dataclass(frozen=True, slots=True)
class Duty:
    """An activity that a day must contain at a fixed time."""

    start: int
    """Minute of the day."""
    end: int
    activity: str
    """The activity in -ing form, with its place if one is named."""
    source: Source = "words"
    words: str = ""
    """The words from which it was read."""
    meal: str = ""
    """`breakfast`, `lunch` or `dinner`; empty if it is not a meal."""


@dataclass(frozen=True, slots=True)
class Life:
    """The fixed times of somebody's day."""

    wake: int
    bed: int
    meals: tuple[Duty, ...]
    duties: tuple[Duty, ...]


def life_of(me: PersonaInput, requirement: str, date: str, *, is_english: bool = True) -> Life:
    """Return the fixed times of a day, read from the persona file.

    `requirement` is what it says any day must hold; it is not read if the file states the work in
    fields.
    """
    names = (me.name, me.first_name)
    return _life(me.habits, me.lifestyle, names, requirement, date, is_english)


def background_of(me: PersonaInput) -> str:
    """Return the words that describe somebody's work."""
    return f"{me.learned.split('. ')[0]} {me.work}"


def place_in(text: str) -> str:
    """Return the last place or proper name in a text, with its article, or an empty text."""
    found = _PLACE.findall(text)
    return str(found[-1]) if found else ""


@lru_cache(maxsize=512)
def _life(
    fields: Habits,
    lifestyle: str,
    names: tuple[str, str],
    requirement: str,
    date: str,
    is_english: bool,
) -> Life:
    """Return the fixed times of a day."""
    habits = habits_in(fields, lifestyle if is_english else "", is_english)
    wake, bed = waking_minute(habits[WAKE]), habits[BED].minute or 0
    duties = _own_work(fields.work or (), date)
    if is_english and fields.work is None:
        duties = _duties(requirement, names, date)
        if sum(duty.end - duty.start for duty in duties) < _LITTLE:
            duties += _place_untimed_duties(requirement, names, wake, date)
    duties = tuple(duty for duty in duties if not _is_told_meal(duty, habits.values()))
    held = {word for duty in duties for word in ("lunch", "breakfast") if word in duty.activity}
    meals = [_meal(habits[name]) for name in MEALS if name in habits]
    return Life(
        wake=wake,
        bed=DAY - 15 if bed < EVENING else min(bed, DAY - 15),
        meals=tuple(
            sorted(
                (
                    each
                    for each in meals
                    if each and (each.source == "field" or not held & stems(each.activity))
                ),
                key=lambda each: each.start,
            )
        ),
        duties=duties,
    )


def _meal(habit: Habit) -> Duty | None:
    """Return a meal with its usual duration; None for a meal that the person never has."""
    if habit.minute is None:
        return None
    end = habit.minute + {"breakfast": 30, "lunch": 45, "dinner": 60}[habit.name]
    return Duty(habit.minute, end, habit.activity, habit.source, habit.words, habit.name)


def _own_work(work: Sequence[Work], date: str) -> tuple[Duty, ...]:
    """Return the work that the persona's fields hold for the weekday of a date, in order."""
    today = (each for each in work if date.split(" ")[0] in each.days)
    duties = (
        Duty(minute_at(each.start), minute_at(each.end), each.activity, "field") for each in today
    )
    return tuple(sorted(duties, key=lambda duty: duty.start))


def _is_told_meal(duty: Duty, habits: Iterable[Habit]) -> bool:
    """Return True for a meal that was read from words as a duty, if a field states its time."""
    told = [habit.name for habit in habits if habit.source == "field" and habit.name in MEALS]
    eaten = _EATS.match(duty.activity)
    return duty.source != "field" and eaten is not None and eaten[1].lower() in told


def _duties(requirement: str, names: tuple[str, str], date: str) -> tuple[Duty, ...]:
    """Return the duties of a day that have a time, in order; those without a time are ignored."""
    duties: list[Duty] = []
    for sentence in sentences(requirement):
        if names_a_day(sentence) and not falls_on(sentence, date) and "every day" not in sentence:
            continue
        last = ""
        for clause in clauses_of(sentence):
            times = read_times(clause)
            phrase = activity_in(times.rest, names) or last
            if (times.start is None and times.end is None) or not phrase:
                continue
            last = _with_place(phrase, last or (duties[-1].activity if duties else ""))
            if not _ends_the_last(duties, times, last):
                _add(duties, times.start, times.end, last)
            duties = [each if each.words else replace(each, words=clause) for each in duties]
    ordered = sorted(duties, key=lambda duty: duty.start)
    return tuple(ordered)


def _place_untimed_duties(
    requirement: str, names: tuple[str, str], wake: int, date: str
) -> tuple[Duty, ...]:
    """Return duties for a requirement's activities without a time, spread from the morning on."""
    start = max(9 * 60, wake + 90)
    found: list[Duty] = []
    for sentence in sentences(requirement)[:3]:
        activity = activity_in(sentence.rstrip(".!"), names)
        if activity and read_times(sentence).start is None and not names_a_day(sentence):
            found.append(Duty(start, start + _LONG, activity, "usual", sentence))
            start += _LONG + 60
    return tuple(found)


def _add(duties: list[Duty], start: int | None, end: int | None, activity: str) -> None:
    """Add a duty; if it has no time, derive one from the duty before."""
    if start is None:
        before = duties[-1] if duties else None
        start = 9 * 60 if before is None else before.end
        if before is not None and (end or 0) > before.start and before.end - before.start == _LONG:
            start = before.start + 30
            duties[-1] = replace(before, end=start)
    if end is None or end <= start:
        inside = any(each.start < start < each.end for each in duties)
        end = start + (45 if stems(activity) & _SHORT else 60 if inside else _LONG)
    if start < DAY - 30:
        duties.append(Duty(start, min(end, DAY - 20), activity))


def _ends_the_last(duties: list[Duty], times: Times, activity: str) -> bool:
    """Return whether a clause gives the end of the last work (`closes at 5`), and set this end."""
    minute = times.start if times.end is None else times.end
    work = [at for at, duty in enumerate(duties) if not stems(duty.activity) & _PAUSE]
    if not work or minute is None or not _ENDING.match(activity):
        return False
    begun, end = duties[work[-1]], min(minute, DAY - 20)
    if end <= begun.start:
        return False
    rest = begun.activity.removeprefix("opening ")
    if rest == begun.activity or end - begun.start <= _LONG:
        duties[work[-1]] = replace(begun, end=end)
    else:
        opened = begun.start + _OPENING
        duties[work[-1]] = replace(begun, end=opened)
        duties.append(Duty(opened, end, f"working at {rest}"))
    return True


def clauses_of(sentence: str) -> list[str]:
    """Return the parts of a sentence, each of which names one activity."""
    parts = _BREAK.split(sentence)
    clauses = [parts[0]]
    for joint, part in zip(parts[1::2], parts[2::2], strict=True):
        if _begins_clause(part, clauses[-1]):
            clauses.append(part)
        else:
            clauses[-1] += joint + part
    return clauses


def _begins_clause(part: str, before: str) -> bool:
    """Return True when a part names a new activity, and does not just continue `before`."""
    first = part.split()[0] if part.split() else ""
    if is_verb(first) or first in {"with", "she", "he", "they"} or _AGAIN.match(part):
        return True
    return _is_order(first) and _has_time(part) and _has_time(before)


def _is_order(word: str) -> bool:
    """Return True for a word that may be an imperative verb: `bake`, not `Garden` or `the`."""
    return word.isalpha() and word.islower() and word not in _NOT_DOING


def _has_time(clause: str) -> bool:
    """Return True when a clause names a time of day."""
    times = read_times(clause)
    return times.start is not None or times.end is not None


def activity_in(clause: str, names: tuple[str, str]) -> str:
    """Return the activity of a clause in -ing form, without its subject."""
    clause = re.sub(r"^with\b", "has", clause)
    subject = "|".join(re.escape(name) for name in names)
    clause = re.sub(rf"^(?:.{{0,40}}?\b)?(?:{subject}|[Ss]he|[Hh]e|[Tt]hey|I)\s+", "", clause)
    clause = _FILLERS.sub("", clause)
    words = clause.split()
    if not words or not words[0].isalpha() or clause.startswith("is home"):
        return ""
    if words[0].lower() in _NOT_DOING or words[0].isupper():
        return ""
    more = words[1:] if len(words) > 1 else ["for", "the", "day"]
    return _ASIDE.sub("", " ".join([gerund(words[0]), *more]))


def _with_place(phrase: str, before: str) -> str:
    """Return a phrase with `there` replaced by the place mentioned before."""
    if " there" not in phrase:
        return phrase
    place = place_in(before)
    return phrase.replace(" there", f" at {place}" if place else "", 1)


def format_habits(life: Life) -> str:
    """Return on one line when somebody gets up, eats and goes to bed."""
    meals = [f"{clock(meal.start)} {meal.activity}" for meal in life.meals]
    return "; ".join([f"{clock(life.wake)} up", *meals, f"{clock(life.bed)} to bed"])


def format_duties(duties: Sequence[Duty]) -> str:
    """Return the duties of a day with their times, on one line; empty if there are none."""
    return "; ".join(f"{clock(each.start)}-{clock(each.end)} {each.activity}" for each in duties)
