"""Put the activities of a day in order, where only their order is wrong."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from parsers.clock import LAST_MINUTE, clock_text, halves_of, sure_clock
from parsers.problem import Problem, field_problem

_SLEEP = re.compile(
    r"\b(?:sleep\w*|asleep|slumber\w*|in bed"
    r"|(?:go(?:es|ing)?|gone|went|off|get(?:s|ting)?|head(?:s|ing)?|back|retir\w+)"
    r" (?:(?:in)?to )?(?:(?:his|her|my|your|their|the) )?bed)\b"
    r"|^\W*bed(?:[- ]?time)?\W*$",
    re.IGNORECASE,
)

_SMALL_HOURS = 5 * 60
"""Until when what starts behind an evening is of the night after the day."""

_EVENING = 17 * 60

_AFTER_TWELVE = range(720, 780)
"""Minutes from 12:00 to 12:59, which some mean for midnight."""

Item = dict[str, Any]
"""An activity as a reply has it, before validation."""


def is_sleep(activity: object) -> bool:
    """Whether the activity is sleeping or going to bed."""
    return isinstance(activity, str) and _SLEEP.search(activity) is not None


def start_of(item: Item) -> int:
    """The minute at which the activity starts; only for items that `are_timed`."""
    minute = sure_clock(item["start"])
    assert minute is not None
    return minute


def are_timed(items: object) -> bool:
    """Whether this is a list of activities that all have a start that can be read."""
    return isinstance(items, list) and all(
        isinstance(item, dict)
        and isinstance(item.get("start"), str)
        and sure_clock(item["start"]) is not None
        for item in items
    )


def with_halves(items: Any, field: str, wake: int | None) -> tuple[Any, list[str]]:
    """The activities with times such as "half past seven" put into the half of the day they fit.

    Unchanged where none or several ways leave each activity later than the one before it.
    """
    if not _have_starts(items):
        return items, []
    times = [halves_of(item["start"]) for item in items]
    if not all(times) or all(len(time) == 1 for time in times):
        return items, []
    ways = {_from_noon(times, noon) for noon in range(len(times) + 1)}
    fitting = [way for way in ways if _ascends(way) and (wake is None or way[0] >= wake)]
    if len(fitting) != 1:
        return items, []
    settled = [
        item | {"start": clock_text(minute)} for item, minute in zip(items, fitting[0], strict=True)
    ]
    return settled, [f"`{field}`: put times into the half of the day in which they fit"]


def _have_starts(items: object) -> bool:
    """Whether this is a list of activities that all have some text for a start."""
    return isinstance(items, list) and all(
        isinstance(item, dict) and isinstance(item.get("start"), str) for item in items
    )


def _from_noon(times: list[tuple[int, ...]], noon: int) -> tuple[int, ...]:
    """The minutes when those that may be either are of the afternoon from this position on."""
    return tuple(time[-1] if at >= noon else time[0] for at, time in enumerate(times))


def _ascends(minutes: Sequence[int]) -> bool:
    """Whether each minute is later than the one before it."""
    return all(before < after for before, after in pairwise(minutes))


def in_order(items: list[Item], field: str) -> tuple[list[Item], list[str]]:
    """The activities sorted by their start, and a note if they were not.

    Unchanged where an early time behind a late one is in doubt: it may be one of the afternoon, as
    08:30 after 18:00, midnight, as 12:00 after 18:00, or of the night after the day.
    """
    starts = [start_of(item) for item in items]
    for at, (before, start) in enumerate(pairwise(starts), 1):
        lifted = [before, *(each + 720 if each < 720 else each for each in starts[at:])]
        is_meant_later = start < 720 and _ascends(lifted)
        if start < before and (is_meant_later or start < _SMALL_HOURS or start in _AFTER_TWELVE):
            return items, []
    ordered = sorted(items, key=start_of)
    return ordered, ([] if ordered == items else [f"`{field}`: sorted by start"])


def with_sleep_in_the_day(items: list[Item], wake: int, field: str) -> tuple[list[Item], list[str]]:
    """The activities with a last sleep that starts after midnight put at the end of the day."""
    late = len(items) > 1 and is_sleep(items[-1].get("activity"))
    if not late or start_of(items[-2]) >= LAST_MINUTE:
        return items, []
    if start_of(items[-1]) >= min(wake, start_of(items[-2]), _SMALL_HOURS):
        return items, []
    end = {"start": clock_text(LAST_MINUTE)}
    return [*items[:-1], items[-1] | end], [
        f"`{field}`: put sleep after midnight at {end['start']}"
    ]


def order_problems(starts: Sequence[int]) -> list[Problem]:
    """A problem for each start that is not after the one before; fields count from the list."""
    return [
        field_problem(
            f"{i}.start",
            clock_text(start),
            f", but the item before it starts at {clock_text(before)!r}. "
            f"Each item must start later than the one before it.{_in_the_evening(before, start)}",
            "order",
        )
        for i, (before, start) in enumerate(pairwise(starts), 1)
        if start <= before
    ]


def _in_the_evening(before: int, start: int) -> str:
    """A sentence with the time twelve hours later, where that is later than the one before."""
    later = start + 720
    if start == before or not before < later <= LAST_MINUTE:
        return _past_midnight(before, start)
    return f" If you mean {clock_text(later)}, write that."


def _past_midnight(before: int, start: int) -> str:
    """A sentence that says where a day ends, for a time that may be meant after midnight."""
    is_night = start < _SMALL_HOURS or (start in _AFTER_TWELVE and before >= _EVENING)
    return f" The day ends at {clock_text(LAST_MINUTE)}." if is_night else ""
