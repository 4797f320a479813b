"""Bodily and social needs: how they rise and fall with time and activities, person by person.

Each need has a level from 0 (met) to 100. It rises with time, more slowly during sleep, and falls
during activities that meet the need. So a level is a function of time, activities and the person's
rates, and is computed only when somebody thinks.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

NEEDS = ("hunger", "rest", "hygiene", "social", "fun", "bladder")
MOST = 100.0
"""The highest level of a need."""
HIGH = 0.75
"""Share of its bound that a need must have reached to be mentioned in prompts."""
AGAIN = 2 * 3600
"""Seconds after which a need that is still urgent is considered again."""
FIRST = {
    "hunger": 25.0,
    "rest": 50.0,
    "hygiene": 40.0,
    "social": 30.0,
    "fun": 30.0,
    "bladder": 20.0,
}
"""Levels of the needs at the midnight when a run begins."""
_NEARLY = 0.01
"""Tolerance for rounding: a level this close to its bound counts as having reached it."""


class Rates(BaseModel):
    """The rates of one need: its rise per hour, in points of 100, and when it is urgent."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    awake: float = Field(ge=0, le=50)
    """Rise per waking hour; 0 for a need that this person does not have."""
    asleep: float = Field(ge=0, le=50)
    bound: float = Field(80, ge=20, le=100)


class Needs(BaseModel):
    """The table `[needs]` of a persona file.

    It gives each need's rise per waking hour, or a table of its rates.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    hunger: Rates = Rates(awake=8, asleep=2)
    rest: Rates = Rates(awake=4.5, asleep=4.5, bound=90)
    hygiene: Rates = Rates(awake=3, asleep=1.5, bound=85)
    social: Rates = Rates(awake=3, asleep=0, bound=95)
    fun: Rates = Rates(awake=4, asleep=0, bound=95)
    bladder: Rates = Rates(awake=0, asleep=0)
    """Not a need, unless a persona file gives its rates, such as 12 for a waking hour."""

    @field_validator(*NEEDS, mode="before")
    @classmethod
    def _complete(cls, value: Any, info: Any) -> Any:
        """Read a number as the rise per waking hour, and complete a table with the usual rates."""
        usual = cls.model_fields[info.field_name].default.model_dump()
        if isinstance(value, int | float) and not isinstance(value, bool):
            share = usual["asleep"] / usual["awake"] if usual["awake"] else 0.4
            value = {"awake": value, "asleep": min(50.0, max(0.0, share * value))}
        return {**usual, **value} if isinstance(value, dict) else value

    def of(self, need: str) -> Rates:
        """Return the rates of one need."""
        rates: Rates = getattr(self, need)
        return rates

    def had(self) -> tuple[str, ...]:
        """Return the needs that this person has."""
        return tuple(each for each in NEEDS if self.of(each).awake or self.of(each).asleep)


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedLevels:
    """The levels of somebody's needs at a moment."""

    at: int
    """Town second of that moment."""
    levels: dict[str, float]
    asked: dict[str, int] = field(default_factory=dict)
    """Town second at which a need was last found urgent and was considered or planned for, by
    need."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsRow:
    """The levels of an agent's needs at a moment, as the history keeps them."""

    agent: str
    tick: int
    """The tick of the thought in which they were computed."""
    at: int
    """Town second of these levels; it is before the tick if the activity changed then."""
    levels: dict[str, float]
    urgent: str = ""
    """The need that required a decision in this thought; empty for none."""


def first_levels(needs: Needs, at: int) -> NeedLevels:
    """Return the levels at the beginning of a run."""
    return NeedLevels(at=at, levels={each: FIRST[each] for each in needs.had()})


def change_per_hour(rates: Rates, fall: float, *, is_asleep: bool) -> float:
    """Return a need's change per hour during an activity that meets it by `fall` points."""
    if fall:
        return -fall
    return rates.asleep if is_asleep else rates.awake


def advanced(
    old: NeedLevels, needs: Needs, until: int, falls: Mapping[str, float], *, is_asleep: bool
) -> NeedLevels:
    """Return the levels at a later town second, if one activity lasts until then.

    `falls` gives the points per hour by which that activity lowers each need.
    """
    hours = max(0, until - old.at) / 3600
    levels = {}
    for need in needs.had():
        change = change_per_hour(needs.of(need), falls.get(need, 0.0), is_asleep=is_asleep)
        level = old.levels.get(need, FIRST[need]) + hours * change
        levels[need] = round(min(MOST, max(0.0, level)), 4)
    return NeedLevels(at=max(until, old.at), levels=levels, asked=old.asked)


def is_urgent(level: float, rates: Rates) -> bool:
    """Return True for a level that has reached the bound at which its need becomes urgent."""
    return level >= rates.bound - _NEARLY


def is_high(level: float, rates: Rates) -> bool:
    """Return True for a level that others would notice."""
    return level >= HIGH * rates.bound - _NEARLY


def urgent_needs(now: NeedLevels, needs: Needs) -> tuple[str, ...]:
    """Return the urgent needs not considered lately, most urgent first."""
    found = [
        need
        for need in needs.had()
        if is_urgent(now.levels.get(need, 0.0), needs.of(need))
        and now.at - now.asked.get(need, -AGAIN) >= AGAIN
    ]
    return tuple(sorted(found, key=lambda need: needs.of(need).bound - now.levels[need]))


def urgent_at(now: NeedLevels, needs: Needs, falls: Mapping[str, float]) -> int:
    """Return the town second at which the next need has to be considered; 0 if none has to be.

    This assumes that the person stays awake and continues an activity that lowers needs by `falls`.
    """
    found: list[int] = []
    for need in needs.had():
        rates, level = needs.of(need), now.levels.get(need, 0.0)
        change = change_per_hour(rates, falls.get(need, 0.0), is_asleep=False)
        if is_urgent(level, rates):
            found.append(max(now.asked.get(need, now.at - AGAIN // 2) + AGAIN, now.at + 60))
        elif change > 0:
            crossing = now.at + math.ceil(3600 * (rates.bound - level) / change)
            found.append(max(crossing, now.asked.get(need, -AGAIN) + AGAIN))
    return min(found, default=0)
