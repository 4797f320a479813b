"""A day's plan, and operations on its blocks, which always cover a day of 1440 minutes."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from smolville.agents.times import DAY, clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """The place of an activity, and how the activity looks there to others.

    The step `ground_block` chooses it, or a rule does.
    """

    place: str
    """Address of the place, or of the object if one is used."""
    emoji: str
    predicate: str
    object: str
    object_state: str = ""
    object_emoji: str = ""
    fallback: str = ""
    """Name of the step whose declared fallback chose it; empty if a model or a rule did."""
    nowhere: bool = False
    """True if the model said that no place fits. The agent then acts where it stands."""
    by_rule: bool = False
    """True when no model was asked, because the task names the only place or object that it
    needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A stretch of a day: an hourly activity, or a subtask of one."""

    start: int
    """Minute of the day."""
    minutes: int
    activity: str
    part_of: str = ""
    """The hourly activity that it is a subtask of; empty for an unsplit hourly block."""
    spot: Spot | None = None
    fallback: bool = False
    """True when a declared fallback made it."""
    source: str = ""
    """Origin of a block that no model made: a `habit`, a `duty` or a `promise`. `open` marks a gap
    that is still to be filled."""
    replanned: bool = False
    """True for a task that was planned only after its hour was interrupted."""

    @property
    def end(self) -> int:
        """Minute of the day at which the block ends; 1440 means midnight."""
        return self.start + self.minutes

    def span(self) -> str:
        """The block's time span, `09:00-10:30`."""
        return f"{clock(self.start)}-{clock(self.end)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DayPlan:
    """An agent's plan for one day."""

    day: int
    wake: int
    """Minute of the day at which the agent wakes up."""
    strokes: tuple[tuple[int, str], ...]
    """Broad strokes as (start minute, activity): what the agent means to do, as the plan has it."""
    hours: tuple[Block, ...]
    """The hourly plan as it was made; covers the day. Empty while only the strokes are planned."""
    blocks: tuple[Block, ...]
    """The current plan: hourly blocks, with those that began split into subtasks; covers the
    day."""
    wishes: tuple[tuple[str, str], ...] = ()
    """What the agent wants of the day, as (part of the day, wish); what found a place is in
    `hours`."""


_SLEEP = re.compile(
    r"\b(sleep(s|ing)?|asleep|(go(es|ing)?|went|off) to bed)\b"
    r"|^\W*((lying|being|staying|still|rest(ing)?)\s)*in bed\b",
    re.IGNORECASE,
)
"""Words for sleeping; whoever reads in bed does not sleep yet."""
_WAKES = re.compile(r"\s*(a?wak(e|es|en|ens|ing|ening)|get(s|ting)? up)\b", re.IGNORECASE)


def is_sleep(activity: str) -> bool:
    """Return True when an activity is sleeping at night; waking up is not."""
    return _SLEEP.search(activity) is not None and _WAKES.match(activity) is None


def cover_day(starts: Sequence[tuple[int, str]]) -> tuple[Block, ...]:
    """Return blocks that cover 0 to 1440, from ascending (start minute, activity) pairs.

    Before the first start it is night; each activity lasts until the next one, the last one until
    midnight. Equal neighbours are merged; of pairs with the same start time the first counts.
    """
    items: list[tuple[int, str]] = []
    for start, activity in starts:
        if 0 <= start < DAY and (not items or start > items[-1][0]):
            items.append((start, activity))
    if not items or items[0][0] > 0:
        items.insert(0, (0, "sleeping"))
    ends = [start for start, _ in items[1:]] + [DAY]
    blocks: list[Block] = []
    for (start, activity), end in zip(items, ends, strict=True):
        if blocks and blocks[-1].activity == activity:
            blocks[-1] = replace(blocks[-1], minutes=end - blocks[-1].start)
        else:
            blocks.append(Block(start=start, minutes=end - start, activity=activity))
    return tuple(blocks)


def lay_out(start: int, tasks: Iterable[tuple[str, int]], part_of: str) -> tuple[Block, ...]:
    """Return (activity, minutes) tasks as consecutive blocks from minute `start`."""
    blocks: list[Block] = []
    for activity, minutes in tasks:
        blocks.append(Block(start=start, minutes=minutes, activity=activity, part_of=part_of))
        start += minutes
    return tuple(blocks)


def block_at(blocks: Sequence[Block], minute: int) -> Block:
    """Return the block that contains `minute` (0 to 1439), from blocks that cover a day."""
    for block in blocks:
        if block.start <= minute < block.end:
            return block
    raise ValueError(f"no block covers minute {minute}")


def splice(
    blocks: Sequence[Block], start: int, end: int, new: Sequence[Block]
) -> tuple[Block, ...]:
    """Return `blocks` with everything from minute `start` to `end` replaced by `new`.

    `new` must cover exactly `start` to `end`. A block that extends beyond these minutes keeps its
    part outside, so that the result still covers 1440 minutes.
    """
    before = [
        _cut_block(block, block.start, min(block.end, start))
        for block in blocks
        if block.start < start
    ]
    after = [
        _cut_block(block, max(block.start, end), block.end) for block in blocks if block.end > end
    ]
    return (*before, *new, *after)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedHour:
    """An hourly activity that something else partly or wholly replaced after planning."""

    planned: Block
    became: tuple[Block, ...]
    """The blocks that replaced it, in order; what is left of the hour itself is not included."""

    @property
    def minutes(self) -> int:
        """Number of minutes of the hour that something else has taken."""
        return sum(block.minutes for block in self.became)


def changed_hours(plan: DayPlan) -> tuple[ChangedHour, ...]:
    """Return the planned hours that something else has partly or wholly replaced."""
    found = []
    for hour in plan.hours:
        inside = (
            _cut_block(block, max(block.start, hour.start), min(block.end, hour.end))
            for block in plan.blocks
            if block.start < hour.end
            and block.end > hour.start
            and (block.replanned or hour.activity not in (block.activity, block.part_of))
        )
        became = tuple(inside)
        if became:
            found.append(ChangedHour(planned=hour, became=became))
    return tuple(found)


def rest_of_day(blocks: Sequence[Block], minute: int, most: int) -> tuple[Block, ...]:
    """Return what is planned from `minute` on: whole hours without their parts, and no sleep.

    If there are more than `most`, what was agreed with others stays, and of the rest the next ones.
    """
    found: list[Block] = []
    for block in blocks:
        activity = block.part_of or block.activity
        if block.end <= minute or is_sleep(activity):
            continue
        if found and found[-1].end == block.start and found[-1].activity == activity:
            found[-1] = replace(found[-1], minutes=block.end - found[-1].start)
        else:
            found.append(
                replace(_cut_block(block, max(block.start, minute), block.end), activity=activity)
            )
    agreed = [block for block in found if block.source == "promise"][:most]
    others = [block for block in found if block not in agreed][: most - len(agreed)]
    return tuple(sorted((*agreed, *others), key=lambda block: block.start))


def _cut_block(block: Block, start: int, end: int) -> Block:
    return (
        block
        if (start, end) == (block.start, block.end)
        else replace(block, start=start, minutes=end - start)
    )
