"""The fixed parts of a day (sleep, meals, work, promises), and the gaps that a model fills.

The persona file gives their times, because small models get times wrong. Each fixed block records
its origin (`Block.source`), so that a habit is not mistaken for a thought.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from smolville.agents.english import stems
from smolville.agents.mind import are_alike
from smolville.agents.persona import EVENING, Habits, Meal, Persona
from smolville.agents.places import sector_of
from smolville.agents.plan import Block, Spot
from smolville.agents.times import DAY, clock, minute_at
from smolville.graphs.loop.rules import Anchors

WAKE, BED, WORK = "wake", "bed", "work"
MEALS = {"breakfast": 30, "lunch": 45, "dinner": 60}
"""The meals, and the minutes that each takes."""
USUAL = {WAKE: "07:00", BED: "22:30", "breakfast": "", "lunch": "12:30", "dinner": "18:30"}
"""Times that no field gives; breakfast is half an hour after getting up."""
LATEST_BED = DAY - 15


@dataclass(frozen=True, slots=True)
class Duty:
    """An activity that a day must contain at a fixed time."""

    start: int
    """Minute of the day."""
    end: int
    activity: str
    """The activity in -ing form, with its place if one is named."""
    meal: str = ""
    """`breakfast`, `lunch` or `dinner`; empty if it is work."""


@dataclass(frozen=True, slots=True)
class Life:
    """The fixed times of somebody's day."""

    wake: int
    bed: int
    meals: tuple[Duty, ...]
    duties: tuple[Duty, ...]


def life_of(habits: Habits, day: str, *, is_english: bool = True) -> Life:
    """Return the fixed times of a day, such as `Monday 6 May`.

    A usual meal is left out if work holds it, and where its English words have no place.
    """
    work = [each for each in habits.work or () if day.split(" ")[0] in each.days]
    duties = [Duty(minute_at(each.start), minute_at(each.end), each.activity) for each in work]
    held = " ".join(each.activity for each in duties)
    meals = [
        Duty(minute, minute + MEALS[name], activity, name)
        for name, minute, activity, is_told in _meals(habits)
        if minute is not None and (is_told or (is_english and name not in held))
    ]
    bed = minute_at(habits.bed or USUAL[BED])
    return Life(
        wake=minute_at(habits.wake or USUAL[WAKE]),
        bed=LATEST_BED if bed < EVENING else min(bed, LATEST_BED),
        meals=tuple(sorted(meals, key=lambda each: each.start)),
        duties=tuple(sorted(duties, key=lambda each: each.start)),
    )


def _meals(habits: Habits) -> Iterator[tuple[str, int | None, str, bool]]:
    """Yield each meal: name, minute (None for never), activity, and whether a field gives it."""
    for name in MEALS:
        told: Meal | None = getattr(habits.meals, name)
        if told is not None:
            yield name, told.minute, told.activity or f"having {name}", True
        elif USUAL[name]:
            yield name, minute_at(USUAL[name]), f"having {name}", False
        else:
            yield name, minute_at(habits.wake or USUAL[WAKE]) + 30, f"having {name}", False


def notes_on_habits(persona: Persona) -> Iterator[str]:
    """Yield a sentence on the times, and one on the work, that no field of a persona gives."""
    habits = persona.habits
    held = " ".join(each.activity for each in habits.work or ())
    usual = [f"{name} {USUAL[name]}" for name in (WAKE, BED) if getattr(habits, name) is None]
    for name, minute, _, is_told in _meals(habits):
        if minute is not None and not is_told and name not in held:
            usual.append(f"{name} {clock(minute)}")
    if usual:
        told = ", ".join(usual)
        yield f"{persona.name}: usual hours are taken: {told}. Write your own as [habits]."
    if persona.habits.work is None:
        yield (
            f"{persona.name}: no hours of work are given; write what any day must hold as "
            "`work` in [habits], `work = []` if there is nothing."
        )


def format_habits(life: Life) -> str:
    """Return on one line when somebody gets up, eats and goes to bed."""
    meals = [f"{clock(meal.start)} {meal.activity}" for meal in life.meals]
    return "; ".join([f"{clock(life.wake)} up", *meals, f"{clock(life.bed)} to bed"])


def format_duties(duties: Sequence[Duty]) -> str:
    """Return the duties of a day with their times, on one line; empty if there are none."""
    return "; ".join(f"{clock(each.start)}-{clock(each.end)} {each.activity}" for each in duties)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedEvent:
    """Something of this day that begins at an hour: it was agreed, or the person named it."""

    start: int
    """Minute of the day."""
    end: int
    activity: str
    spot: Spot | None = None
    is_open: bool = False
    """Whether no end was named, so that `end` is only how long to wait."""

    def meets(self, other: "DatedEvent | Duty | Block") -> bool:
        """Return whether it is at the time of something else."""
        return self.start < other.end and other.start < self.end

    def begins(self, own: "Duty | Block") -> bool:
        """Return whether something not too long begins at its start."""
        return own.start == self.start and own.end - own.start <= LONGEST_JOINED

    def is_where(self, activity: str, spot: Spot | None) -> bool:
        """Return whether it is in the building of something else, which may only be named.

        If its own place is not known, most of the words of one are in the other.
        """
        if self.spot is None:
            return are_alike(self.activity, activity, in_part=True)
        building = sector_of(self.spot.place)
        return sector_of(spot.place) == building if spot else building in activity

    def joined(self, own: "DatedEvent | Duty | Block") -> "DatedEvent":
        """Return it as one with what is done there at its time: both texts, and all the time.

        Of two texts with much the same words only the longer one stays.
        """
        first, second = own.activity, self.activity
        if are_alike(first, second):
            first = second = max(first, second, key=len)
        if self.start < own.start:
            first, second = second, first
        return replace(
            self,
            start=min(own.start, self.start),
            end=max(own.end, self.end),
            activity=first if second in first else f"{first} and {second}",
            spot=self.spot or (None if isinstance(own, Duty) else own.spot),
        )


def with_event(events: Sequence[DatedEvent], new: DatedEvent) -> tuple[DatedEvent, ...] | None:
    """Return a day's events with another one, which joins those at its time in its building.

    None if it is at the time of something that is elsewhere.
    """
    same = [each for each in events if new.meets(each)]
    for each in same:
        if not new.is_where(each.activity, each.spot):
            return None
        is_open = new.is_open and each.is_open
        new = replace(new.joined(each), is_open=is_open)
    others = [each for each in events if each not in same]
    return tuple(sorted((*others, new), key=lambda each: each.start))


LONGEST_JOINED = 180
"""Maximum minutes of a duty with which an event is one: what is divided into tasks at once."""
WAIT = 30
"""Minutes kept for something without an end: it takes as long as it takes, and who finds nobody
goes on after this time."""


def visible(laid: Sequence[Block], wake: int, bed: int) -> list[Block]:
    """Return what can be seen of blocks laid one over another, without parts under 15 minutes."""
    minutes: list[Block | None] = [None] * DAY
    for block in laid:
        start, end = max(block.start, wake), min(block.end, bed)
        minutes[start:end] = [block] * max(0, end - start)
    found = []
    for _, run in groupby(range(wake, bed), key=lambda minute: id(minutes[minute])):
        span = list(run)
        seen = minutes[span[0]]
        if seen is not None and (len(span) >= 15 or seen.source == PROMISE):
            found.append(replace(seen, start=span[0], minutes=len(span)))
    return found


HABIT, DUTY, PROMISE, OPEN = "habit", "duty", "promise", "open"
"""Values of `Block.source`: why a block is in the plan; `OPEN` marks a gap for the model to
fill."""
FREE = "free time"
"""The activity of a gap that has no duty."""
MOST_GAPS = 5
_SHORTEST = 45
"""Minimum minutes of a gap; a shorter one is added to the block before it."""
_PART = 30
"""Minimum minutes of each part of a gap, and minutes of something that is done during work."""
_LONG_WORK = 120
"""Minimum minutes of work for each thing that may be done during it."""
_LONG_GAP = 240
"""Minimum minutes of a gap that is divided into several, if there are letters left for them."""
_HAVING = stems("having eating taking")
_LEAST_MEAL = 20
"""Minimum minutes of a meal."""
MEAL_HOURS = {"breakfast": (360, 600), "lunch": (660, 900), "dinner": (1020, 1260)}
"""Minutes of the day between which a meal may begin if something else takes its usual time."""
TIME_TO_WASH = 30
"""Minutes that waking up, washing and getting dressed take."""
_STEP = 30
_EARLIEST, _LATEST = 240, 690
"""Earliest and latest minute of the day for getting up."""
_LAID: dict[Anchors, tuple[str, ...]] = {"on": (DUTY, HABIT), "soft": (DUTY,), "off": ()}


def waking_times(life: Life, events: Sequence[DatedEvent], mode: Anchors) -> tuple[int, ...]:
    """Return the minutes for getting up: the usual time, or half an hour earlier or later.

    An early event or duty leaves only times at least 15 minutes before it.
    """
    duties = life.duties if DUTY in _LAID[mode] else ()
    starts = [duty.start for duty in duties] + [event.start for event in events]
    latest = min([_LATEST, *(start - 15 for start in starts if start >= _EARLIEST + _STEP)])
    around = (life.wake - _STEP, life.wake, life.wake + _STEP)
    fitting = tuple(minute for minute in around if _EARLIEST <= minute <= latest)
    return fitting or (max(_EARLIEST, min(life.wake, latest)),)


def frame(
    life: Life, events: Sequence[DatedEvent], wake: int, mode: Anchors = "on"
) -> tuple[Block, ...]:
    """Return a whole day of 1440 minutes: its fixed blocks, and at most five gaps.

    An event or a meal replaces the work at its time; the rest of the work stays. A meal gives way
    to an event elsewhere, and moves to the nearest gap of its hours. An event in the building of a
    meal, or of a duty that begins with it, is one with that.
    """
    events = [_with_own(event, life) for event in events]
    taken = [(each.start, each.end) for each in events]
    eaten = stems(" ".join(each.activity for each in events))
    bed = min(max([life.bed, *(each.end + 15 for each in events)]), DAY - 15)
    laid, table = _LAID[mode], list[Block]()
    if DUTY in laid:
        for duty in sorted(life.duties, key=lambda each: each.start - each.end):
            name = meal_in(duty.activity)
            span = _span_of_meal(duty, taken, wake, bed) if name else (duty.start, duty.end)
            if span is not None and not stems(name) & eaten:
                table.append(_block(*span, duty.activity, DUTY))
    if HABIT in laid:
        for meal in life.meals:
            names = stems(f"{meal.meal} {meal.activity}") & stems("breakfast lunch dinner")
            span = None if names & eaten else _span_of_meal(meal, taken, wake, bed)
            if span is not None:
                taken.append(span)
                table.append(_block(*span, meal.activity, HABIT))
    for event in events:
        made = _block(event.start, event.end, event.activity, PROMISE)
        table.append(replace(made, spot=event.spot))
    blocks = _between(visible(table, wake, bed), wake, bed)
    night, late = _block(0, wake, "sleeping", HABIT), _block(bed, DAY, "sleeping", HABIT)
    return (night, *_few_gaps(_in_parts(blocks)), late)


def _block(start: int, end: int, activity: str, source: str) -> Block:
    return Block(start=start, minutes=end - start, activity=activity, source=source)


def _span_of_meal(
    meal: Duty, taken: Sequence[tuple[int, int]], wake: int, bed: int
) -> tuple[int, int] | None:
    """Return when a meal begins and ends: as usual, or in the nearest gap of its hours."""
    usual = (meal.start, meal.end)
    if not any(start < meal.end and meal.start < end for start, end in taken):
        return usual
    name = meal.meal or meal_in(meal.activity)
    return nearest_gap(name, usual, [*taken, (0, wake), (bed, DAY)])


def _with_own(event: DatedEvent, life: Life) -> DatedEvent:
    for own in (*life.meals, *life.duties):
        is_there = event.meets(own) and event.is_where(own.activity, None)
        if is_there and (own.meal or meal_in(own.activity) or event.begins(own)):
            event = event.joined(own)
    return event


def meal_in(activity: str) -> str:
    """Return the meal that somebody has; empty if the activity is none."""
    first, told = stems(activity.partition(" ")[0]), stems(activity)
    return next((meal for meal in MEALS if first & _HAVING and stems(meal) & told), "")


def nearest_gap(
    meal: str, usual: tuple[int, int], taken: Sequence[tuple[int, int]]
) -> tuple[int, int] | None:
    """Return the free time nearest to a meal's usual time; None if none is left in its hours.

    A shorter meal is better than none.
    """
    first, last = MEAL_HOURS.get(meal, usual)
    starts = range(min(first, usual[0]), max(last, usual[0]) + 1, 5)
    for minutes in dict.fromkeys((usual[1] - usual[0], _LEAST_MEAL)):
        free = [
            start
            for start in starts
            if not any(begin < start + minutes and start < end for begin, end in taken)
        ]
        if free:
            best = min(free, key=lambda start: (abs(start - usual[0]), start))
            return best, best + minutes
    return None


def gaps(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Return the gaps of a day, in order of time."""
    return tuple(block for block in blocks if block.source == OPEN)


def openings(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Return where a mind may put something of its own, in order of time: at most five blocks.

    These are the gaps of a day, then its longest work.
    """
    blocks = tuple(blocks)
    free = gaps(blocks)
    work = [each for each in blocks if each.source == DUTY and each.minutes >= _LONG_WORK]
    work.sort(key=lambda each: -each.minutes)
    found = (*free, *work[: max(0, MOST_GAPS - len(free))])
    return tuple(sorted(found, key=lambda each: each.start))


def within_work(work: Block, activities: Sequence[str]) -> tuple[Block, ...]:
    """Return a long work with something else done during it, half an hour each.

    Only a third of the work comes before, so that splitting the rest into tasks asks no more often.
    """
    first = round((work.minutes - _PART * len(activities)) / 15) * 5
    blocks = [replace(work, minutes=first)]
    for activity in activities:
        blocks.append(Block(start=blocks[-1].end, minutes=_PART, activity=activity))
    at = blocks[-1].end
    return (*blocks, replace(work, start=at, minutes=work.end - at))


def parts(gap: Block, activities: Sequence[str]) -> tuple[Block, ...]:
    """Return a gap filled with activities one after another, all of about the same length."""
    ends = [round(gap.minutes * n / len(activities) / 5) * 5 for n in range(len(activities))]
    ends.append(gap.minutes)
    return tuple(
        Block(start=gap.start + start, minutes=end - start, activity=activity)
        for activity, start, end in zip(activities, ends, ends[1:], strict=False)
    )


def most_parts(block: Block) -> int:
    """Return how many things a gap may hold, 1 to 4, or work, 1 or 2."""
    if block.source == DUTY:
        return min(2, block.minutes // _LONG_WORK)
    return max(1, min(4, block.minutes // _PART))


def _between(entries: Sequence[Block], wake: int, bed: int) -> list[Block]:
    """Return the fixed blocks and gaps from waking to bed; short gaps join the block before."""
    first = entries[0].start if entries else bed
    up = wake + (TIME_TO_WASH if first >= wake + TIME_TO_WASH else min(15, max(first - wake, 15)))
    blocks = [_block(wake, up, "waking up, washing and getting dressed", HABIT)]
    for entry in (*entries, _block(bed, bed, "", "")):
        at, start = blocks[-1].end, max(entry.start, blocks[-1].end)
        is_event = entry.source in ("", PROMISE)
        if blocks[-1].source == PROMISE and start - at < _SHORTEST and not is_event:
            start = at
        if start - at >= _SHORTEST:
            blocks.append(_block(at, start, FREE, OPEN))
        elif start > at:
            blocks[-1] = replace(blocks[-1], minutes=start - blocks[-1].start)
        if entry.end - start >= 10:
            blocks.append(replace(entry, start=start, minutes=entry.end - start))
    if blocks[-1].end < bed:
        blocks[-1] = replace(blocks[-1], minutes=bed - blocks[-1].start)
    return blocks


def _in_parts(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with long gaps divided, but with no more than `MOST_GAPS` gaps in all."""
    left = MOST_GAPS - len(gaps(blocks))
    found: list[Block] = []
    for block in blocks:
        count = 1
        if block.source == OPEN and block.minutes > _LONG_GAP:
            count = min(1 + max(0, left), -(-block.minutes // _LONG_GAP))
            left -= count - 1
        alike = parts(block, [block.activity] * count) if count > 1 else (block,)
        found += [replace(part, source=block.source) for part in alike]
    return found


def _few_gaps(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with only the five longest gaps; others are added to the block before."""
    longest = sorted(gaps(blocks), key=lambda each: (-each.minutes, each.start))[:MOST_GAPS]
    found: list[Block] = []
    for block in blocks:
        if block.source != OPEN or block in longest:
            found.append(block)
        else:
            found[-1] = replace(found[-1], minutes=block.end - found[-1].start)
    return found
