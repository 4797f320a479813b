"""What a talk settles of a day's plan: wishes and promises that need not be done any more."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from smolville.agents.mind import Appointment, Mind
from smolville.agents.plan import Block, block_at, rest_of_day, splice
from smolville.agents.times import clock, day_of, minute_of
from smolville.graphs.agreed_plan import without_activity
from smolville.graphs.context import Thinker
from smolville.graphs.frame.day import FREE, OPEN, PROMISE

SHOWN = 8
"""Maximum number of lines of the plan among which a talk may settle some, the next ones."""
FREED, FREED_NOW = 60, 15
"""Minimum minutes of what is settled, later or now, for its time to become free time."""
_PARTS = ("", "b", "c", "d")
"""Marks of several things that were agreed for one block of the plan, behind its time."""


class Unsettled(NamedTuple):
    """Something of today's plan that a talk may settle."""

    key: str
    """When it begins; a letter tells apart what begins together: `15:00`, `15:00b`."""
    line: str
    """The line of the plan: `15:00-15:30 reading maps`, `15:00b telling Ben of the maps`."""
    activity: str
    block: Block
    agreed: Appointment | None = None
    """The agreement, if it is one."""


def may_be_settled(me: Thinker, mind: Mind, others: Sequence[str]) -> tuple[Unsettled, ...]:
    """Return what is still to come today that a talk with others may settle.

    These are the person's own wishes, and what it agreed with nobody but them; of what goes on now,
    only what it has promised alone.
    """
    today, minute = day_of(me.surroundings.at), minute_of(me.surroundings.at)
    if mind.plan is None or mind.plan.day != today:
        return ()
    agreed = [each for each in mind.appointments if each.day == today and not each.by]
    return tuple(
        found
        for block in rest_of_day(mind.plan.blocks, minute, SHOWN)
        for found in _in_block(block, agreed, others, is_now=block.start <= minute)
    )


def _in_block(
    block: Block, agreed: Sequence[Appointment], others: Sequence[str], *, is_now: bool
) -> Iterator[Unsettled]:
    """Yield what may be settled of a block of the plan."""
    start = clock(block.start)
    held = [each for each in agreed if each.activity in block.activity]
    if block.source == "" or (block.source == PROMISE and not held and not is_now):
        yield Unsettled(start, f"{block.span()} {block.activity}", block.activity, block)
    if block.source != PROMISE:
        return
    own = [each for each in held if set(each.partners) <= set(others)]
    own = [each for each in own if not (is_now and each.is_joint)]
    for mark, each in zip(_PARTS, own, strict=False):
        key = f"{start}{mark}"
        line = f"{key} {each.activity}" if mark else f"{block.span()} {each.activity}"
        yield Unsettled(key, line, each.activity, block, each)


def without_settled(
    me: Thinker, mind: Mind, others: Sequence[str], keys: Sequence[str]
) -> tuple[Mind, tuple[str, ...]]:
    """Return the mind without what a talk with others has settled, and what of it was for now.

    What goes on now, or takes an hour and more, leaves free time, which the mind fills itself
    (`replan`, `decompose`); what is beside the rest in the plan takes its time.
    """
    settled = [each for each in may_be_settled(me, mind, others) if each.key in keys]
    if mind.plan is None or not settled:
        return mind, ()
    minute, blocks = minute_of(me.surroundings.at), mind.plan.blocks
    for each in settled:
        blocks = _without(blocks, each, minute)
    now = block_at(mind.plan.hours or mind.plan.blocks, minute)
    done = [each.agreed for each in settled]
    mind = replace(
        mind,
        plan=replace(mind.plan, blocks=blocks),
        appointments=tuple(each for each in mind.appointments if each not in done),
    )
    return mind, tuple(each.activity for each in settled if each.block.start < now.end)


def _without(blocks: tuple[Block, ...], settled: Unsettled, now: int) -> tuple[Block, ...]:
    """Return the blocks of a day without something that is settled; what is joined to it stays."""
    block = settled.block
    rest = _rest(block.activity, settled.activity)
    if rest:
        return tuple(
            replace(
                each,
                activity=_rest(each.activity, settled.activity) or each.activity,
                part_of=_rest(each.part_of, settled.activity) or each.part_of,
            )
            if block.start <= each.start < block.end or each.start <= block.start < each.end
            else each
            for each in blocks
        )
    if block.minutes >= (FREED_NOW if block.start <= now else FREED):
        free = Block(start=block.start, minutes=block.minutes, activity=FREE, source=OPEN)
        return splice(blocks, free.start, free.end, [free])
    return without_activity(blocks, block.source, block.activity, now)


def _rest(text: str, part: str) -> str:
    """Return what is joined to a part of a text; empty if the text is no more than the part."""
    rest = text.replace(f"{part} and ", "", 1).replace(f" and {part}", "", 1)
    return "" if rest == text else rest
