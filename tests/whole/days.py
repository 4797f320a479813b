"""What somebody's day was like, from a run's history alone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from smolville.agents.action import Action
from smolville.agents.mind import Mind
from smolville.agents.times import Clock
from smolville.history.reader import RunReader
from smolville.history.records import read_mind
from smolville.world.town.townmap import TownMap
from tests.whole.lives import DAY, HOUR

MEAL = re.compile(
    r"\beating\b|\bhaving (a )?(breakfast|brunch|lunch|dinner|supper|something to eat)"
)
APART = 2 * HOUR
"""Food eaten within two hours is one meal."""
SAMPLE = 60
"""Ticks between two looks at where somebody stands."""


@dataclass(frozen=True)
class Stretch:
    """Some time of one day with one action."""

    start: int
    end: int
    action: Action


def stretches(reader: RunReader, agent: str, day: int) -> list[Stretch]:
    """What somebody did, from midnight to midnight, one thing after another."""
    first, last = (day - 1) * DAY, day * DAY
    deeds = [deed for deed in reader.deeds(agent) if deed.outcome == "accepted"]
    starts = [deed.tick * reader.spec.tick_seconds for deed in deeds]
    found = []
    for deed, start, end in zip(deeds, starts, [*starts[1:], reader_end(reader)], strict=True):
        start, end = max(start, first), min(end, last)
        if start < end:
            found.append(Stretch(start, end, deed.action))
    return found


def reader_end(reader: RunReader) -> int:
    """The town second up to which the history goes."""
    return ((reader.watermark() or 0) + 1) * reader.spec.tick_seconds


def asleep(day: list[Stretch]) -> int:
    """Seconds of sleep."""
    return sum(each.end - each.start for each in day if each.action.kind == "sleep")


def meals(day: list[Stretch]) -> list[str]:
    """What was eaten, meal by meal."""
    found: list[Stretch] = []
    for each in day:
        if MEAL.search(each.action.activity) and (
            not found or each.start - found[-1].start >= APART
        ):
            found.append(each)
    return [each.action.activity for each in found]


def longest_without_change(day: list[Stretch]) -> tuple[int, str]:
    """The longest time awake with one and the same thing, in seconds, and what it was."""
    same = groupby(day, key=lambda each: (each.action.kind, each.action.activity))
    spans = []
    for (kind, activity), group in same:
        parts = list(group)
        if kind != "sleep":
            spans.append((parts[-1].end - parts[0].start, activity))
    return max(spans, default=(0, ""))


def activities(day: list[Stretch]) -> set[str]:
    """The different things that were done."""
    return {each.action.activity for each in day}


def seconds_at(reader: RunReader, town_map: TownMap, agent: str, day: int, sector: str) -> int:
    """How long somebody, awake and not in a talk, was busy in a sector, in seconds."""
    clock = Clock(reader.spec.tick_seconds)
    seconds = 0
    for each in stretches(reader, agent, day):
        if each.action.kind != "do" or not each.action.place.startswith(sector):
            continue
        for tick in range(clock.tick_at(each.start), clock.tick_at(each.end), SAMPLE):
            tile = reader.positions(tick).get(agent)
            if tile is not None and town_map.arena_at(tile).startswith(sector):
                seconds += min(SAMPLE * clock.tick_seconds, each.end - clock.at(tick))
    return seconds


def plans(reader: RunReader, agent: str) -> Iterator[tuple[int, Mind]]:
    """Somebody's mind at the end of every day, and of what was lived of the last one."""
    for day in range(1, -(-reader_end(reader) // DAY) + 1):
        row = reader.mind(agent, until=day * DAY // reader.spec.tick_seconds - 1)
        mind = read_mind(row.blob, Mind) if row is not None else None
        if mind is not None:
            yield day, mind
