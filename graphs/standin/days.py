"""A day: its broad strokes, its hours, and what yesterday made of somebody."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphs.cards import Who
from graphs.spoken_times import clock, minute_of
from graphs.standin.hours import Entry, Timetable
from graphs.standin.leisure import free_time
from graphs.standin.library import kind, kind_of, spoken
from graphs.standin.life import Duty, Life, background_of, life_of
from graphs.standin.memory import importance_of
from graphs.standin.news import TALKED, Happening, happenings
from models.standin.draws import Dice
from models.standin.rule import RuleAnswer
from models.standin.words import clip, full_stop, sentences, stems

if TYPE_CHECKING:
    from graphs.plan_day import PlanDayInput
    from graphs.plan_hours import PlanHoursInput
    from graphs.revise_identity import ReviseIdentityInput

_MOST_STROKES = 8
_LEAST = 12
"""A text about the day has at least so many characters."""


def plan_day(inputs: "PlanDayInput", dice: Dice) -> RuleAnswer:
    """Return when to wake and the broad strokes, promises for today among them."""
    me = inputs.me
    life = life_of(me, inputs.requirement, inputs.date)
    events = happenings(me, inputs.date, inputs.memories, inputs.requirement)
    events = [event for event in events if life.wake <= event.start < life.bed - 30]
    wake = _woken(life, events, dice)
    more = [entry for event in events for entry in _entries(event, wake)]
    table = _timetable(life, wake, life.bed, more)
    strokes = [Entry(wake, 0, f"waking up, washing and {_first_meal(life)}", 9)]
    strokes += _chosen(table.entries(), me, dice)
    strokes.append(Entry(_bedtime(life, dice), 0, "going to bed", 9))
    return RuleAnswer(
        {"wake": clock(wake), "strokes": [_stroke(entry) for entry in _ascending(strokes)]},
        (me.lifestyle, inputs.requirement, *(event.source for event in events)),
    )


def plan_hours(inputs: "PlanHoursInput", dice: Dice) -> RuleAnswer:
    """Return the activities from waking to sleeping, as the strokes want them."""
    me, wake = inputs.me, minute_of(inputs.wake)
    life = life_of(me, inputs.requirement, inputs.date)
    strokes = [(minute_of(stroke.time[:5]), stroke.activity) for stroke in inputs.strokes]
    bed = next((start for start, activity in strokes if _is_night(activity)), life.bed)
    bed = max(min(bed, 1435), wake + 600)
    table = _timetable(life, wake, bed, _stroke_entries(strokes, life, bed))
    taken: set[str] = set()
    entries = table.filled(lambda gap: free_time(gap, me, taken, dice))
    hours = _hours(entries, wake, background_of(me), dice)
    hours.append(Entry(bed, 0, "sleeping", 9))
    rows = [{"start": clock(entry.start), "activity": entry.activity} for entry in hours]
    return RuleAnswer({"activities": rows}, tuple(activity for _, activity in strokes))


def revise_identity(inputs: "ReviseIdentityInput", dice: Dice) -> RuleAnswer:
    """Return what is on somebody's mind now, and what today must hold."""
    me = inputs.me
    old = sentences(me.currently)
    by_importance = sorted(
        (memory for memory in inputs.memories if TALKED not in memory.text),
        key=lambda memory: (-importance_of(memory.text, me), memory.number),
    )
    known = stems(me.currently)
    new = [
        memory.text
        for memory in by_importance
        if len(stems(memory.text) - known) > 2 and memory.text[:2] not in ("I ", "My")
    ]
    thoughts = [full_stop(text) for text in new[:2] if importance_of(text, me) >= 4]
    currently = clip(old[0] if old else me.name, 400)
    for thought in (*thoughts, *old[1:2]):
        if len(currently) + len(thought) < 400:
            currently = f"{currently} {thought}"
    events = happenings(me, inputs.date, inputs.memories)
    extra = [f"{me.first_name} is {event.activity} at {clock(event.start)}." for event in events]
    more = clip(" ".join(extra), 160)
    requirement = f"{clip(full_stop(inputs.usual), 295 - len(more))} {more}".strip()
    used = [event.source for event in events] + new[:2]
    if len(currently) < _LEAST:
        currently = f"{me.first_name} has this in mind: {currently}"
    if len(requirement) < _LEAST:
        requirement = f"As on any day: {requirement}"
    return RuleAnswer(
        {"currently": currently, "requirement": requirement},
        (inputs.usual, me.currently, *used),
    )


def _woken(life: Life, events: Sequence[Happening], dice: Dice) -> int:
    """Return when to wake: as usual, give or take a few minutes, before the first duty."""
    wake = life.wake + dice.pick((-10, -5, 0, 0, 5, 10), "wake")
    first = min([duty.start for duty in life.duties] + [meal.start for meal in life.meals[:1]])
    return max(4 * 60, min(wake, 11 * 60 + 50, max(first - 15, 4 * 60)))


def _bedtime(life: Life, dice: Dice) -> int:
    """Return when to go to bed today."""
    return min(life.bed + dice.pick((-15, -10, 0, 5, 10), "bed"), 1435)


def _entries(event: Happening, wake: int) -> list[Entry]:
    """Return what an event takes of the day: a host prepares it before."""
    entries = [Entry(event.start, min(event.end, 1430), event.activity, 4)]
    if event.is_own and event.start - 60 > wake:
        entries.insert(0, Entry(event.start - 60, event.start, f"preparing {event.what}", 4))
    return entries


def _timetable(life: Life, wake: int, bed: int, more: Sequence[Entry]) -> Timetable:
    """Return the day with its duties, its meals and what comes on top."""
    table = Timetable(wake, bed)
    for duty in sorted(life.duties, key=lambda duty: duty.start - duty.end):
        table.lay(Entry(duty.start, duty.end, duty.activity, 2))
    named = stems(" ".join(entry.activity for entry in more)) & stems("breakfast lunch dinner")
    for meal in life.meals:
        if not stems(meal.activity) & named:
            table.lay(Entry(meal.start, meal.end, meal.activity, 3))
    for entry in more:
        table.lay(entry)
    return table


def _stroke_entries(strokes: list[tuple[int, str]], life: Life, bed: int) -> list[Entry]:
    """Return the strokes with their ends: a duty's own one, else the next stroke's start."""
    known: dict[str, list[Duty]] = {}
    for each in (*life.duties, *life.meals):
        known.setdefault(each.activity, []).append(each)
    entries = []
    for at, (start, activity) in enumerate(strokes):
        if _is_night(activity) or (at == 0 and activity.startswith("waking")):
            continue
        later = strokes[at + 1][0] if at + 1 < len(strokes) else bed
        same = known.get(activity, [])
        duty = min(same, key=lambda each: abs(each.start - start)) if same else None
        if duty is None:
            entries.append(Entry(start, min(later, start + 120), activity, 4))
        elif duty.start != start:
            entries.append(Entry(start, min(later, duty.end), activity, 2))
    return entries


def _chosen(entries: list[Entry], me: Who, dice: Dice) -> list[Entry]:
    """Return the most weighty entries that fit among the strokes, one of them free time."""
    merged: list[Entry] = []
    for entry in entries:
        if not any(entry.activity == other.activity for other in merged):
            merged.append(entry)
    merged.sort(key=lambda entry: (-entry.rank - (entry.end - entry.start) / 200, entry.start))
    room = _MOST_STROKES - 3
    chosen = [entry for entry in merged if not _is_first_meal(entry)][:room]
    last = max((entry.end for entry in chosen), default=18 * 60)
    evening = spoken(dice.pick(kind(dice.pick(_EVENING, "evening")).phrases, "ph"), dice, "evening")
    return [*chosen, Entry(min(last, 22 * 60), 0, evening, 1)]


def _ascending(strokes: list[Entry]) -> list[Entry]:
    """Return the strokes in order of time, none of them at the time of another."""
    ordered = sorted(strokes[1:-1], key=lambda entry: (entry.start, -entry.rank))
    kept = [strokes[0]]
    for entry in ordered:
        if kept[-1].start < entry.start < strokes[-1].start:
            kept.append(entry)
    return [*kept, strokes[-1]]


def _stroke(entry: Entry) -> dict[str, str]:
    """Return an entry as the answer writes it."""
    return {"start": clock(entry.start), "activity": clip(entry.activity, 120)}


def _hours(entries: list[Entry], wake: int, background: str, dice: Dice) -> list[Entry]:
    """Return the entries with long ones split, no two of them in the same words."""
    first = spoken(dice.pick(kind("wash").phrases, "wash"), dice, "wash")
    used: set[str] = set()
    hours: list[Entry] = []
    for entry in [Entry(wake, 0, first, 3), *entries]:
        for part in _parts(entry, background, used, dice):
            activity, tries = clip(part.activity, 110), 0
            while activity in used and tries < 3:
                activity, tries = f"{part.activity} {_AGAIN[tries]}", tries + 1
            used.add(activity)
            if not hours or part.start > hours[-1].start:
                hours.append(Entry(part.start, part.end, activity, part.rank))
    return hours[:23]


def _parts(entry: Entry, background: str, used: set[str], dice: Dice) -> list[Entry]:
    """Return a long entry as several with words of their own, a short one as it is."""
    minutes = entry.end - entry.start
    is_whole = minutes <= 150 or entry.rank == 4
    if is_whole and entry.activity not in used:
        return [entry]
    count = 1 if is_whole else max(2, round(minutes / 105))
    size = round(minutes / count / 15) * 15
    sort = kind_of(entry.activity, background)
    tail = _place_tail(entry.activity)
    words = dice.shuffled(sort.phrases, "parts") if sort else []
    phrases = [entry.activity, *(f"{spoken(word, dice, 'part')}{tail}" for word in words)]
    fresh = [phrase for phrase in phrases if phrase not in used] or phrases
    parts = []
    for at in range(count):
        start = entry.start + at * size
        activity = fresh[at % len(fresh)]
        parts.append(Entry(start, start + size, activity, entry.rank))
    return parts


def _place_tail(activity: str) -> str:
    """Return the place an activity names, as the end of another phrase."""
    for joint in (" at the ", " in the ", " at ", " in "):
        head, found, tail = activity.rpartition(joint)
        if head and tail[:1].isupper():
            return f"{found}{tail}"
    return ""


def _first_meal(life: Life) -> str:
    """Return how the day's first meal is called in a stroke."""
    return life.meals[0].activity if life.meals else "having breakfast"


def _is_first_meal(entry: Entry) -> bool:
    """True for the breakfast that the first stroke names already."""
    return "breakfast" in entry.activity


def _is_night(activity: str) -> bool:
    """True for going to bed."""
    return activity.lower().startswith(("sleep", "going to bed", "going to sleep", "bed"))


_EVENING = ("reading", "rest", "television", "games", "walk", "friends")
_AGAIN = ("again", "once more", "for a while longer")
