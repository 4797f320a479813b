"""Read somebody's daily routine from the plain words of their persona, and sum it up."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agents.times import clock
from graphs.prompt_inputs import PersonaInput
from graphs.spoken_times import DAY, Times, falls_on, names_a_day, point_of, read_times
from models.standin.words import gerund, is_verb, sentences, stems

_MEALS = re.compile(r"\b(breakfast|lunch|dinner|supper)\b([^,.;]*)", re.IGNORECASE)
_WAKE = re.compile(r"\b(?:wakes?(?: up)?|gets? up|rises?|is up|up)\b[^,.;]*", re.IGNORECASE)
_BED = re.compile(r"\b(?:to bed|to sleep|bedtime|asleep|turns in|in bed)\b[^,.;]*", re.IGNORECASE)
_PLACE = re.compile(r"\b(?:the )?[A-Z][\w'’]+(?: (?:and |of )?(?:the )?[A-Z][\w'’]+)*")
_BREAK = re.compile(
    r"(,\s+and\s+|,\s+|\s+and\s+(?:then\s+)?|\s+then\s+|\s+(?=with (?:lunch|dinner)\b))"
)
_AGAIN = re.compile(r"^(?:from|between|until|again from)\b", re.IGNORECASE)
_ASIDE = re.compile(r" (?:every day|each day|once .*|as usual)$")
_ENDING = re.compile(
    r"^(?:(?:closing|shutting|locking)(?: \S+){0,4}"
    r"|(?:finishing|ending|stopping|leaving) (?:it|up|there|work|for the day))$"
)
"""A clause that only says when an earlier activity ends, and so is no duty of its own."""
_OPENING = 30
"""Minutes that opening a shop takes; the rest of the working day is spent working in it."""
_FILLERS = re.compile(r"^(?:always|usually|often|then|also|must|should|will|has to|wants to)\s+")
_SHORT = stems("lunch breakfast coffee break walk visit shop water fetch take drink call")
_PAUSE = stems("breakfast lunch dinner supper coffee break")
_NOT_DOING = frozenset(("from", "in", "at", "on", "the", "a", "an", "there", "nothing", "no"))
_LITTLE = 120
"""Minutes: a day with less timed duty than this also gets the requirement's untimed activities."""
_LONG = 120


@dataclass(frozen=True, slots=True)
class Duty:
    """An activity that a day must contain at a fixed time."""

    start: int
    """Minute of the day."""
    end: int
    activity: str
    """The activity in -ing form, with its place if one is named."""


@dataclass(frozen=True, slots=True)
class Life:
    """The fixed points of somebody's day."""

    wake: int
    bed: int
    meals: tuple[Duty, ...]
    duties: tuple[Duty, ...]


def life_of(me: PersonaInput, requirement: str, date: str) -> Life:
    """Return the fixed points of a day, read from the persona and today's requirement."""
    return _life(me.lifestyle, me.first_name, me.name, requirement, date)


def life_of_nobody() -> Life:
    """Return the default fixed points of a day, for a language that cannot be read."""
    return Life(7 * 60, 22 * 60 + 30, (), ())


def background_of(me: PersonaInput) -> str:
    """Return the words that describe somebody's work."""
    return f"{me.learned.split('. ')[0]} {me.work}"


def place_in(text: str) -> str:
    """Return the last place or proper name in a text, with its article, or an empty text."""
    found = _PLACE.findall(text)
    return str(found[-1]) if found else ""


@lru_cache(maxsize=512)
def _life(lifestyle: str, first: str, name: str, requirement: str, date: str) -> Life:
    """Return the fixed points of a day."""
    wake = _moment(_WAKE, lifestyle, 7 * 60)
    bed = _moment(_BED, lifestyle, 22 * 60 + 30)
    if bed < 18 * 60:
        bed = DAY - 15
    wake = max(4 * 60, min(wake - 12 * 60 if wake >= 12 * 60 else wake, 11 * 60 + 30))
    duties = _duties(requirement, (name, first), date)
    if sum(duty.end - duty.start for duty in duties) < _LITTLE:
        duties += _place_untimed_duties(requirement, (name, first), wake, date)
    held = {word for duty in duties for word in ("lunch", "breakfast") if word in duty.activity}
    meals = tuple(meal for meal in _meals(lifestyle, wake) if not held & stems(meal.activity))
    return Life(wake, min(bed, DAY - 15), meals, duties)


def _moment(what: re.Pattern[str], text: str, usual: int) -> int:
    """Return the minute that the first clause about an activity names, else `usual`."""
    for found in what.finditer(text):
        minute = point_of(found[0])
        if minute is not None:
            return minute
    return usual


def _meals(lifestyle: str, wake: int) -> list[Duty]:
    """Return breakfast, lunch and dinner at the times of the text, or at their usual times."""
    meals: dict[str, Duty] = {}
    for found in _MEALS.finditer(lifestyle):
        meal = found[1].lower().replace("supper", "dinner")
        times = read_times(found[0])
        if times.start is not None and meal not in meals:
            rest = _ASIDE.sub("", times.rest)
            meals[meal] = _meal(meal, times.start, f"having {rest[:1].lower()}{rest[1:]}")
    usual = {"breakfast": wake + 30, "lunch": 12 * 60 + 30, "dinner": 18 * 60 + 30}
    for meal, minute in usual.items():
        meals.setdefault(meal, _meal(meal, minute, f"having {meal}"))
    return sorted(meals.values(), key=lambda duty: duty.start)


def _meal(meal: str, start: int, activity: str) -> Duty:
    """Return a meal with its usual duration."""
    return Duty(start, start + {"breakfast": 30, "lunch": 45, "dinner": 60}[meal], activity)


def _duties(requirement: str, names: tuple[str, str], date: str) -> tuple[Duty, ...]:
    """Return the duties of a day in order of time; untimed activities are left to free hours."""
    duties: list[Duty] = []
    for sentence in sentences(requirement):
        if names_a_day(sentence) and not falls_on(sentence, date) and "every day" not in sentence:
            continue
        last = ""
        for clause in _clauses(sentence):
            times = read_times(clause)
            phrase = _phrase(times.rest, names) or last
            if (times.start is None and times.end is None) or not phrase:
                continue
            last = _with_place(phrase, last or (duties[-1].activity if duties else ""))
            if not _ends_the_last(duties, times, last):
                _add(duties, times.start, times.end, last)
    ordered = sorted(duties, key=lambda duty: duty.start)
    return tuple(ordered)


def _place_untimed_duties(
    requirement: str, names: tuple[str, str], wake: int, date: str
) -> tuple[Duty, ...]:
    """Return the requirement's untimed activities, one after another from the morning on."""
    start = max(9 * 60, wake + 90)
    found: list[Duty] = []
    for sentence in sentences(requirement)[:3]:
        activity = _phrase(sentence.rstrip(".!"), names)
        if activity and read_times(sentence).start is None and not names_a_day(sentence):
            found.append(Duty(start, start + _LONG, activity))
            start += _LONG + 60
    return tuple(found)


def _add(duties: list[Duty], start: int | None, end: int | None, activity: str) -> None:
    """Add a duty; a missing time is derived from the duty before."""
    if start is None:
        before = duties[-1] if duties else None
        start = 9 * 60 if before is None else before.end
        if before is not None and (end or 0) > before.start and before.end - before.start == _LONG:
            start = before.start + 30
            duties[-1] = Duty(before.start, start, before.activity)
    if end is None or end <= start:
        inside = any(each.start < start < each.end for each in duties)
        end = start + (45 if stems(activity) & _SHORT else 60 if inside else _LONG)
    if start < DAY - 30:
        duties.append(Duty(start, min(end, DAY - 20), activity))


def _ends_the_last(duties: list[Duty], times: Times, activity: str) -> bool:
    """Extend the last work block if the clause only says when it ends: `closes at 5`."""
    minute = times.start if times.end is None else times.end
    work = [at for at, duty in enumerate(duties) if not stems(duty.activity) & _PAUSE]
    if not work or minute is None or not _ENDING.match(activity):
        return False
    begun, end = duties[work[-1]], min(minute, DAY - 20)
    if end <= begun.start:
        return False
    rest = begun.activity.removeprefix("opening ")
    if rest == begun.activity or end - begun.start <= _LONG:
        duties[work[-1]] = Duty(begun.start, end, begun.activity)
    else:
        opened = begun.start + _OPENING
        duties[work[-1]] = Duty(begun.start, opened, begun.activity)
        duties.append(Duty(opened, end, f"working at {rest}"))
    return True


def _clauses(sentence: str) -> list[str]:
    """Return the parts of a sentence that each name one activity."""
    parts = _BREAK.split(sentence)
    clauses = [parts[0]]
    for joint, part in zip(parts[1::2], parts[2::2], strict=True):
        if _begins_clause(part, clauses[-1]):
            clauses.append(part)
        else:
            clauses[-1] += joint + part
    return clauses


def _begins_clause(part: str, before: str) -> bool:
    """Return True when a part names an activity of its own, not a continuation of `before`."""
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


def _phrase(clause: str, names: tuple[str, str]) -> str:
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
    """Return the phrase with `there` replaced by the place named before."""
    if " there" not in phrase:
        return phrase
    place = place_in(before)
    return phrase.replace(" there", f" at {place}" if place else "", 1)


def format_habits(life: Life) -> str:
    """Return when somebody gets up, eats and goes to bed, on one line."""
    meals = [f"{clock(meal.start)} {meal.activity}" for meal in life.meals]
    return "; ".join([f"{clock(life.wake)} up", *meals, f"{clock(life.bed)} to bed"])


def format_duties(duties: Sequence[Duty]) -> str:
    """Return the duties of a day with their times, on one line; empty if there are none."""
    return "; ".join(f"{clock(each.start)}-{clock(each.end)} {each.activity}" for each in duties)
