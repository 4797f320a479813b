"""What was agreed, in the plan of its day: at its hour and place, and the plan around it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from agents.mind import Appointment, Mind
from agents.places import arena_of, object_of
from agents.plan import Block, DayPlan, Spot, block_at, is_sleep, splice
from agents.times import DAY, day_of, minute_of
from graphs.activities.spots import spot_of
from graphs.candidates import task_of
from graphs.context import Thinker
from graphs.frame.day import DUTY, HABIT, OPEN, PROMISE, WAIT, DatedEvent, nearest_gap
from graphs.frame.habits import MEALS
from graphs.norms import broken_rule
from models.standin.words import stems


class DayAgreements(NamedTuple):
    """What was agreed for a day."""

    fixed: tuple[DatedEvent, ...] = ()
    """What has its hour, in order."""
    asked: tuple[Appointment, ...] = ()
    """About which the mind has to decide: only another person recorded it, or it is at the time of
    something that was agreed before."""
    free: tuple[Appointment, ...] = ()
    """What has no hour."""


NOTHING = DayAgreements()
"""A day for which nothing was agreed."""


def agreed_for(me: Thinker, mind: Mind, day: int) -> DayAgreements:
    """Return what was agreed for a day, as far as the person itself does it."""
    fixed, asked, free = list[DatedEvent](), list[Appointment](), list[Appointment]()
    for each in sorted(mind.appointments, key=lambda each: each.at):
        if each.day != day or not each.is_of(me.name):
            continue
        event = event_of(me, mind, each)
        if each.by or (event is not None and any(overlap(event, other) for other in fixed)):
            asked.append(each)
        elif event is None:
            free.append(each)
        else:
            fixed.append(event)
    fixed.sort(key=lambda event: event.start)
    return DayAgreements(tuple(fixed), tuple(asked), tuple(free))


def overlap(one: DatedEvent, other: DatedEvent) -> bool:
    """Return whether two events are at the same time."""
    return one.start < other.end and other.start < one.end


def event_of(me: Thinker, mind: Mind, each: Appointment) -> DatedEvent | None:
    """Return an agreement as an event of its day; None if it has no hour."""
    if each.start is None:
        return None
    end = each.start + WAIT if each.end is None else each.end
    spot = place_spot(me, mind, each.activity, each.place, each.start)
    return DatedEvent(
        start=each.start,
        end=min(end, DAY),
        activity=each.activity,
        spot=spot,
        is_open=each.end is None,
    )


def place_spot(me: Thinker, mind: Mind, activity: str, place: str, start: int) -> Spot | None:
    """Return the spot of something that is done at a known place; None if it is not known."""
    arena, thing = arena_of(place), object_of(place)
    known = mind.places.get(arena)
    if known is None or (thing and thing not in known.objects):
        return None
    if broken_rule(me, Block(start=start, minutes=WAIT, activity=activity), arena):
        return None
    return replace(spot_of(task_of(me.persona, activity, ""), arena, thing), by_rule=True)


def with_agreed_today(me: Thinker, mind: Mind, new: Sequence[Appointment]) -> Mind:
    """Return the mind with new agreements in today's plan, at their hour or at a free one.

    What was agreed first keeps its time. A meal that gives way moves to the nearest gap of its
    hours.
    """
    plan, today, now = mind.plan, day_of(me.surroundings.at), minute_of(me.surroundings.at)
    if plan is None or plan.day != today:
        return mind
    for each in new:
        if each.day != today or not each.is_of(me.name):
            continue
        start = max(now, each.start) if each.start is not None else free_start(plan.blocks, now)
        if start is None or start >= DAY:
            continue
        event = event_of(me, mind, replace(each, start=start))
        assert event is not None
        plan = replace(plan, blocks=lay_event(plan.blocks, event))
    return replace(mind, plan=plan)


def lay_event(blocks: tuple[Block, ...], event: DatedEvent) -> tuple[Block, ...]:
    """Return the blocks of a day with an event in its place; an earlier agreement stays whole."""
    taken = [(each.start, each.end) for each in blocks if each.source == PROMISE]
    end = min([event.end, *(begin for begin, _ in taken if begin > event.start)])
    if any(begin <= event.start < over for begin, over in taken):
        return blocks
    meals = [
        each for each in blocks if _meal_in(each) and each.start < end and event.start < each.end
    ]
    block = Block(
        start=event.start,
        minutes=end - event.start,
        activity=event.activity,
        source=PROMISE,
        spot=event.spot,
    )
    found = splice(blocks, event.start, end, [block])
    for meal in _wholes(meals):
        held = [
            (each.start, each.end)
            for each in found
            if each.source == PROMISE or is_sleep(each.activity) or _meal_in(each)
            if each.activity != meal.activity
        ]
        span = nearest_gap(_meal_in(meal), (meal.start, meal.end), held)
        if span is not None:
            moved = replace(meal, start=span[0], minutes=span[1] - span[0])
            found = splice(found, *span, [moved])
    return found


def _meal_in(block: Block) -> str:
    """Return the meal of a habit; empty if it is none."""
    told = stems(block.part_of or block.activity)
    named = (meal for meal in MEALS if stems(meal) & told)
    return next(named, "") if block.source == HABIT else ""


def _wholes(meals: Sequence[Block]) -> Iterator[Block]:
    """Yield each meal once and whole, although it was split into its parts."""
    for name in dict.fromkeys(each.part_of or each.activity for each in meals):
        own = [each for each in meals if (each.part_of or each.activity) == name]
        first, last = own[0], own[-1]
        yield replace(
            first, activity=name, part_of="", minutes=last.end - first.start, spot=first.spot
        )


def free_start(blocks: Sequence[Block], now: int) -> int | None:
    """Return the minute of a day for something without an hour: in free time, else between tasks.

    None if nothing is left of the day.
    """
    ahead = [each for each in blocks if each.end - max(each.start, now) >= WAIT]
    own = [
        each
        for each in ahead
        if each.source in ("", OPEN)
        and not is_sleep(each.activity)
        and not _is_during_work(blocks, each)
    ]
    free = [each for each in own if each.start > now] or own
    work = [
        each
        for each in ahead
        if each.source not in (PROMISE, HABIT) and not is_sleep(each.activity)
    ]
    found = next(iter((*free, *work)), None)
    return None if found is None else max(found.start, now)


def _is_during_work(blocks: Sequence[Block], block: Block) -> bool:
    """Return whether the same work goes on before and after something of the person's own."""
    at = blocks.index(block)
    before = next((each for each in reversed(blocks[:at]) if each.source), block)
    after = next((each for each in blocks[at:] if each.source), block)
    return before.source == after.source == DUTY and before.activity == after.activity


def merged(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks of a plan by the hour: split activities as one, meetings among them."""
    found: list[Block] = []
    for block in blocks:
        name = block.part_of or block.activity
        if found and found[-1].activity == name and found[-1].source == block.source:
            found[-1] = replace(found[-1], minutes=block.end - found[-1].start)
        else:
            found.append(replace(block, activity=name, part_of="", spot=None))
    return tuple(found)


def free_until(plan: DayPlan, minute: int) -> int:
    """Return the minute at which the current hour ends, or the next agreement begins."""
    block = block_at(plan.blocks, minute)
    if block.source == PROMISE:
        return block.end
    ends = [block_at(plan.hours or plan.blocks, minute).end]
    ends += [two.start for one, two in pairwise(plan.blocks) if two.source == PROMISE]
    return min(end for end in ends if end > minute)


def is_for_now(me: Thinker, mind: Mind, each: Appointment) -> bool:
    """Return whether an agreement changes what its own person does in the rest of this hour."""
    plan, minute = mind.plan, minute_of(me.surroundings.at)
    is_today = each.day == day_of(me.surroundings.at) and each.is_of(me.name)
    if plan is None or not is_today or each.start is None:
        return False
    return each.start <= block_at(plan.hours or plan.blocks, minute).end - 1
