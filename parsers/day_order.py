"""Put the activities of a day in order, where only their order is wrong."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from parsers.clock import clock_text, read_clock
from parsers.problem import Problem, field_problem

_SLEEP = re.compile(r"\b(?:sleep\w*|asleep|bed|bedtime|slumber\w*)\b", re.IGNORECASE)

Item = dict[str, Any]
"""An activity as a reply has it, before validation."""


def is_sleep(activity: object) -> bool:
    """Whether the activity is sleeping or going to bed."""
    return isinstance(activity, str) and _SLEEP.search(activity) is not None


def start_of(item: Item) -> int:
    """The minute at which the activity starts; only for items that `are_timed`."""
    minute = read_clock(item["start"])
    assert minute is not None
    return minute


def are_timed(items: object) -> bool:
    """Whether this is a list of activities that all have a start that can be read."""
    return isinstance(items, list) and all(
        isinstance(item, dict)
        and isinstance(item.get("start"), str)
        and read_clock(item["start"]) is not None
        for item in items
    )


def in_order(items: list[Item], field: str) -> tuple[list[Item], list[str]]:
    """The activities sorted by their start, and a note if they were not."""
    ordered = sorted(items, key=start_of)
    return ordered, ([] if ordered == items else [f"`{field}`: sorted by start"])


def without_late_sleep(
    items: list[Item], wake: int, field: str, fewest: int
) -> tuple[list[Item], list[str]]:
    """The activities without a last sleep that starts after midnight, and so on the next day."""
    late = len(items) > max(fewest, 1) and is_sleep(items[-1].get("activity"))
    if late and start_of(items[-1]) < min(wake, start_of(items[-2])):
        return items[:-1], [f"`{field}`: left out sleep after midnight"]
    return items, []


def order_problems(starts: Sequence[int]) -> list[Problem]:
    """A problem for each start that is not after the one before; fields count from the list."""
    return [
        field_problem(
            f"{i}.start",
            clock_text(start),
            f", but the item before it starts at {clock_text(before)!r}. "
            "Each item must start later than the one before it.",
        )
        for i, (before, start) in enumerate(pairwise(starts), 1)
        if start <= before
    ]
