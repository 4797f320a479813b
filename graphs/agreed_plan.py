"""What was agreed, in the plan of its day: at its hour and place, and the plan around it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from smolville.agents.english import stems
from smolville.agents.mind import Appointment, Mind, are_alike
from smolville.agents.places import arena_of, object_of
from smolville.agents.plan import Block, DayPlan, Spot, block_at, is_sleep, splice
from smolville.agents.times import DAY, day_of, minute_of
from smolville.graphs.context import Thinker
from smolville.graphs.frame import (
    DUTY,
    HABIT,
    MEALS,
    OPEN,
    PROMISE,
    WAIT,
    DatedEvent,
    meal_in,
    nearest_gap,
    with_event,
)
from smolville.graphs.norms import broken_rule
from smolville.graphs.places import spot_of, task_of

TIME_FROM = {"": 0, OPEN: 0, DUTY: 1, PROMISE: 3}
"""The lower, the rather a block of this source takes the time of something that is left out."""


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
    fixed, asked, free = tuple[DatedEvent, ...](), list[Appointment](), list[Appointment]()
    for each in sorted(mind.appointments, key=lambda each: each.at):
        if each.day != day or not each.is_of(me.name):
            continue
        event = event_of(me, mind, each)
        with_it = None if event is None or each.by else with_event(fixed, event)
        if with_it is not None:
            fixed = with_it
        elif event is None and not each.by:
            free.append(each)
        else:
            asked.append(each)
    return DayAgreements(fixed, tuple(asked), tuple(free))


def event_of(me: Thinker, mind: Mind, each: Appointment) -> DatedEvent | None:
    """Return an agreement as an event of its day; None if it has no hour."""
    return None if each.start is None else _event_at(me, mind, each, each.start)


def _event_at(me: Thinker, mind: Mind, each: Appointment, start: int) -> DatedEvent:
    end = start + WAIT if each.end is None else each.end
    spot = place_spot(me, mind, each.activity, each.place, start)
    return DatedEvent(
        start=start,
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


def with_agreed_today(me: Thinker, mind: Mind, before: Sequence[Appointment]) -> Mind:
    """Return the mind with today's plan changed as its agreements have changed since `before`.

    What is new is laid at its hour or at a fitting one. What was agreed first keeps its time, if it
    was not agreed anew.
    """
    plan, today, now = mind.plan, day_of(me.surroundings.at), minute_of(me.surroundings.at)
    if plan is None or plan.day != today:
        return mind
    blocks, known = plan.blocks, {_terms(each) for each in mind.appointments}
    for each in before:
        if each.day == today and _terms(each) not in known:
            blocks = without_activity(blocks, PROMISE, each.activity, now)
    was_known = {_terms(each) for each in before}
    for each in mind.appointments:
        is_mine = each.is_of(me.name) and not each.by
        if each.day == today and is_mine and _terms(each) not in was_known:
            blocks = lay_agreement(me, mind, blocks, each, now)
    return replace(mind, plan=replace(plan, blocks=blocks))


def without_rest(me: Thinker, mind: Mind, each: Appointment) -> Mind:
    """Return the mind whose plan of today no longer holds, later, what the person does now."""
    plan, now = mind.plan, minute_of(me.surroundings.at)
    if plan is None or plan.day != day_of(me.surroundings.at):
        return mind
    here = block_at(plan.blocks, now)
    if here.source == PROMISE:
        return mind
    blocks = without_activity(plan.blocks, PROMISE, each.activity, here.end)
    return replace(mind, plan=replace(plan, blocks=blocks))


def _terms(each: Appointment) -> tuple[int | str | None, ...]:
    return each.day, each.start, each.end, each.place, each.activity, each.by


def without_activity(
    blocks: tuple[Block, ...], source: str, activity: str, now: int
) -> tuple[Block, ...]:
    """Return the blocks of a day without what is still to come of an activity.

    What is beside it takes its time, rather something of the person's own than work or a habit.
    """
    for each in merged(blocks):
        if (each.source, each.activity) != (source, activity) or not now < each.end < DAY:
            continue
        start, end = max(each.start, now), each.end
        beside = min(
            (block_at(blocks, end), block_at(blocks, max(start - 1, 0))),
            key=lambda block: TIME_FROM.get(block.source, 2),
        )
        start, end = min(start, beside.start), max(end, beside.end)
        blocks = splice(blocks, start, end, [replace(beside, start=start, minutes=end - start)])
    return blocks


def lay_agreement(
    me: Thinker, mind: Mind, blocks: tuple[Block, ...], each: Appointment, now: int
) -> tuple[Block, ...]:
    """Return the blocks of a day with an agreement: at its hour, or else in free time.

    What has no hour joins what was agreed for its building.
    """
    start = _fitting_start(me, mind, blocks, each, now) if each.start is None else each.start
    if start is None or max(start, now) >= DAY:
        return blocks
    event = _event_at(me, mind, each, max(start, now))
    laid = lay_event(blocks, event, now)
    if laid is not blocks or each.start is None:
        return laid
    # What stands there without an hour of its own gives way, and gets another time.
    moved = [one for one in mind.appointments if one.start is None and one.day == each.day]
    rest = blocks
    for one in moved:
        rest = without_activity(rest, PROMISE, one.activity, now)
    laid = lay_event(rest, event, now)
    if laid is rest:
        return blocks
    for one in moved:
        if one.is_of(me.name) and not one.by and not one.done:
            laid = lay_agreement(me, mind, laid, one, now)
    return laid


def _fitting_start(
    me: Thinker, mind: Mind, blocks: tuple[Block, ...], each: Appointment, now: int
) -> int | None:
    """Return when something without an hour is done; None if it stands in the day already."""
    ahead = [block for block in blocks if block.source == PROMISE and block.end > now]
    if any(are_alike(each.activity, block.activity) for block in ahead):
        return None
    event = _event_at(me, mind, each, now)
    there = [one for one in ahead if event.is_where(one.part_of or one.activity, one.spot)]
    return there[0].start if there else free_start(blocks, now)


def lay_event(blocks: tuple[Block, ...], event: DatedEvent, now: int = 0) -> tuple[Block, ...]:
    """Return the blocks of a day with an event in its place; an earlier agreement stays whole.

    The event is one with what is done in its building at its time, if that is a meal, was agreed,
    or begins with it. A meal elsewhere moves to the nearest gap of its hours that is still to come.
    """
    day = blocks
    for own in merged(day):
        if own.start <= now or not event.meets(own) or is_sleep(own.activity):
            continue
        is_one = own.source == PROMISE or _meal_in(own) or event.begins(own)
        spot = block_at(day, own.start).spot
        if is_one and event.is_where(own.activity, spot):
            event = event.joined(replace(own, spot=spot))
            blocks = splice(blocks, own.start, own.end, [replace(own, source=OPEN)])
    taken = [
        each
        for each in blocks
        if each.source == PROMISE
        if each.start > now or not event.is_where(each.activity, each.spot)
    ]
    end = min([event.end, *(each.start for each in taken if each.start > event.start)])
    if any(each.start <= event.start < each.end for each in taken):
        return day
    meals = [
        each
        for each in blocks
        if each.start < end and event.start < each.end
        if (name := _meal_in(each)) and not stems(name) & stems(event.activity)
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
        span = nearest_gap(_meal_in(meal), (meal.start, meal.end), [(0, now), *held])
        if span is not None:
            moved = replace(meal, start=span[0], minutes=span[1] - span[0])
            found = splice(without_activity(found, meal.source, meal.activity, now), *span, [moved])
    return found


def _meal_in(block: Block) -> str:
    """Return the meal of a habit or of a day's requirement; empty if it is none."""
    activity = block.part_of or block.activity
    if block.source == DUTY:
        return meal_in(activity)
    told = stems(activity)
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
    own = [each for each in ahead if each.source in ("", OPEN) and not is_sleep(each.activity)]
    free = [each for each in own if each.start > now] or own
    work = [
        each
        for each in ahead
        if each.source not in (PROMISE, HABIT) and not is_sleep(each.activity)
    ]
    found = next(iter((*free, *work)), None)
    return None if found is None else max(found.start, now)


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
