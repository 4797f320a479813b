"""The persona of one agent: facts that a run never changes."""

import re
from datetime import time
from itertools import pairwise
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from smolville.agents.needs import Needs
from smolville.agents.times import clock, minute_at

NEVER = "never"
"""Written in place of a time if somebody does not have this meal."""
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
EARLIEST, LATEST = 4 * 60, 11 * 60 + 30
"""Earliest and latest minute of the day at which people get up."""
EVENING = 18 * 60
"""Earliest minute of the day at which people go to bed; the latest is `EARLIEST`, the next
morning."""
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


def _clock(value: object) -> object:
    if isinstance(value, time):
        return f"{value:%H:%M}"
    found = _CLOCK.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise ValueError('write a time of day in quotes, from "00:00" to "23:59"')
    return clock(int(found[1]) * 60 + int(found[2]))


def _weekday(value: object) -> object:
    found = [day for day in WEEKDAYS if isinstance(value, str) and day == value.strip().title()]
    if not found:
        raise ValueError(f"write a weekday: {', '.join(WEEKDAYS[:-1])} or {WEEKDAYS[-1]}")
    return found[0]


Clock = Annotated[str, BeforeValidator(_clock)]
Weekday = Annotated[str, BeforeValidator(_weekday)]
Text = Annotated[str, Field(min_length=3, max_length=120)]


class _Fields(BaseModel):
    """Base class of the tables that describe habits in a persona file."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Meal(_Fields):
    """A meal: its time and its activity. A persona file may give only the time, or `never`."""

    start: str
    """`HH:MM`, or `never`."""
    activity: Text | None = None
    """The activity in the plan: `having lunch at the cafe`."""

    @model_validator(mode="before")
    @classmethod
    def _read_bare_time(cls, value: Any) -> Any:
        return value if isinstance(value, dict | Meal) else {"start": _meal_time(value)}

    @field_validator("start", mode="before")
    @classmethod
    def _read_time(cls, value: object) -> object:
        return _meal_time(value)

    @property
    def minute(self) -> int | None:
        """The minute of the day at which it begins; None for a meal that is never had."""
        return None if self.start == NEVER else minute_at(self.start)


def _meal_time(value: object) -> object:
    if value == NEVER:
        return value
    try:
        return _clock(value)
    except ValueError as error:
        raise ValueError(f'{error}, or "{NEVER}"') from None


class Meals(_Fields):
    """The meals of a day; a meal that is left out is had at its usual time."""

    breakfast: Meal | None = None
    lunch: Meal | None = None
    dinner: Meal | None = None


class Work(_Fields):
    """Work, or another duty, at a fixed time of the day."""

    start: Clock
    end: Clock
    activity: Text
    """The activity in the words used in a plan: `selling bread at Zielinski Bakery`."""
    days: tuple[Weekday, ...] = WEEKDAYS
    """The weekdays on which it is done; every day if left out."""

    @field_validator("days")
    @classmethod
    def _is_some_day(cls, days: tuple[str, ...]) -> tuple[str, ...]:
        if not days:
            raise ValueError("name a weekday, or leave `days` out for every day")
        return days

    @field_validator("end")
    @classmethod
    def _ends_later(cls, end: str, info: ValidationInfo) -> str:
        start = info.data.get("start")
        if start is not None and end <= start:
            raise ValueError(f"it should be later than `start`, {start}")
        return end


class Habits(_Fields):
    """The table `[habits]` of a persona file; missing fields have usual values.

    Of two things at one time, a day has the shorter one inside the longer one.
    """

    wake: Clock | None = None
    """Time at which they get up."""
    bed: Clock | None = None
    """Time at which they go to bed; after midnight is allowed."""
    meals: Meals = Meals()
    work: tuple[Work, ...] | None = None
    """Their duties; empty for none, None if the persona file does not say."""

    @field_validator("wake")
    @classmethod
    def _wakes_in_the_morning(cls, wake: str | None) -> str | None:
        if wake is not None and not EARLIEST <= minute_at(wake) <= LATEST:
            raise ValueError(f"people get up between {clock(EARLIEST)} and {clock(LATEST)}")
        return wake

    @field_validator("bed")
    @classmethod
    def _goes_to_bed_at_night(cls, bed: str | None) -> str | None:
        if bed is not None and EARLIEST <= minute_at(bed) < EVENING:
            raise ValueError(
                f"it should be at night: from {clock(EVENING)} on, or after midnight until "
                f"{clock(EARLIEST - 1)}"
            )
        return bed

    @model_validator(mode="after")
    def _are_in_order(self) -> Self:
        meals = ((name, getattr(self.meals, name)) for name in Meals.model_fields)
        told = [("wake", self.wake), *((name, meal and meal.start) for name, meal in meals)]
        told.append(("bed", self.bed if self.bed and minute_at(self.bed) >= EVENING else None))
        known = [(name, start) for name, start in told if start and start != NEVER]
        for (first, before), (second, start) in pairwise(known):
            if start <= before:
                raise ValueError(f"{second} at {start} should be later than {first} at {before}")
        return self


class Weights(BaseModel):
    """Weights of the qualities by which memories are ranked (Park et al. 2023, section 4.1)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    recency: float = Field(1.0, ge=0)
    """Recency decreases by the persona's decay per town hour since the last access."""
    importance: float = Field(1.0, ge=0)
    relevance: float = Field(1.0, ge=0)


class Persona(BaseModel):
    """A person as described by a persona file; never changed by a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=3, pattern=r"^[^\s/]+( [^\s/]+)+$")
    """Full name, first name first; slashes are forbidden since they separate the parts of memory
    ids."""
    age: int = Field(ge=1, le=120)
    innate: str
    """Traits, separated by commas."""
    learned: str
    """The person's history, in a few sentences."""
    currently: str = Field(min_length=10)
    """What is on their mind when the run begins."""
    lifestyle: str
    """When they sleep, wake and eat, in plain words that prompts show."""
    home: str
    """Address of the room where they sleep: `sector: arena`."""
    work: str = ""
    """Address of the place where they work, study or spend their days: `sector: arena`."""
    daily_requirement: str = Field(min_length=10)
    """What every day must contain, in plain words."""
    habits: Habits = Habits()
    """When they get up, eat, work and go to bed; missing habits are usual ones."""
    goals: tuple[Annotated[str, Field(min_length=10, max_length=200)], ...] = ()
    """Their goals, at most three sentences; if left out, one is read from `currently`."""
    needs: Needs = Needs()
    """How fast hunger, weariness and other needs rise; needs left out have the usual rates."""
    known_places: tuple[str, ...] = ()
    """Sectors, or `sector: arena`, known from the start besides home and work."""
    relationships: dict[str, Annotated[str, Field(min_length=3)]] = Field(default_factory=dict)
    """One sentence on the relationship with each other person, by full name."""
    vision: int = Field(8, ge=1, le=40)
    """How far they see, in tiles: the square box extends this far in each direction."""
    attention: int = Field(8, ge=1, le=60)
    """Maximum number of events perceived at one moment; the nearest come first."""
    retention: int = Field(8, ge=0, le=400)
    """Hours for which an event that was seen stays known, so that it does not count as new
    again."""
    recency_decay: float = Field(0.995, gt=0, le=1)
    weights: Weights = Weights()
    reflection_threshold: int = Field(45, ge=1)
    """Total importance of new memories at which the next reflection is due. The original's 150
    counts an event each time it is seen again; here an event counts once."""

    company: tuple[str, ...] = ()
    """The only people of the town that live in a run which leaves others out; empty for the whole
    town. Not part of a persona file: `Town.cast` sets it."""

    @property
    def first_name(self) -> str:
        """The person's first name."""
        return self.name.split()[0]
