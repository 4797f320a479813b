"""Entities other than people (the world and a plot), their happenings, and the weather by rule.

The weather is a function of the run's seed and the date alone, so all can know it at any time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from smolville.agents.chance import fraction

PARTS: tuple[tuple[str, int], ...] = (("morning", 360), ("afternoon", 720), ("evening", 1080))
"""The parts of a day, with the minute at which each begins; the evening lasts through the night."""
_SEASONS = ("winter", "spring", "summer", "autumn")
_WARMTH = {"winter": 0, "spring": 12, "summer": 22, "autumn": 11}
"""Usual degrees Celsius at noon."""
_SKIES: dict[str, tuple[tuple[str, float], ...]] = {
    "winter": (("clear", 0.25), ("cloudy", 0.3), ("rain", 0.15), ("snow", 0.2), ("fog", 0.1)),
    "spring": (("clear", 0.35), ("cloudy", 0.3), ("rain", 0.25), ("windy", 0.1)),
    "summer": (("clear", 0.55), ("cloudy", 0.2), ("rain", 0.12), ("a thunderstorm", 0.13)),
    "autumn": (("clear", 0.2), ("cloudy", 0.25), ("rain", 0.3), ("windy", 0.1), ("fog", 0.15)),
}
"""Probability of each sky, by season."""
_STAYS = 0.55
"""Probability that the sky of one part of a day stays in the next."""

WORLD = "the world"
PLOT = "the plot"
ENTITIES = (WORLD, PLOT)
"""Names of all entities that are not people; a run stores their thoughts and steps under them."""
HOURS: Mapping[str, tuple[int, ...]] = {
    WORLD: tuple(begin for _, begin in PARTS),
    PLOT: (9 * 60, 15 * 60),
}
"""Minutes of the day at which each entity takes its turns."""

HappeningKind = Literal["weather", "news", "closing", "market", "power cut", "letter", "notice"]
HEARD: tuple[HappeningKind, ...] = ("weather", "news", "closing", "market")
"""Kinds of happenings that everybody in town hears of, except news at a place: only people there
hear those."""
SEEN: tuple[HappeningKind, ...] = ("market", "power cut", "letter", "notice")
"""Kinds of happenings that people see when they are at the place."""
REMEMBERED = 12
"""Number of latest happenings that an entity remembers."""
IMPORTANCE: dict[str, int] = {"weather": 1, "closing": 3, "market": 3, "news": 4}
"""Importance of the happenings that everybody hears of, by kind; a model rates those seen at a
place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """A happening in town that an entity caused."""

    entity: str
    """`WORLD` or `PLOT`."""
    tick: int
    """Tick from which people perceive it."""
    kind: HappeningKind
    text: str
    """What people perceive, one sentence."""
    place: str = ""
    """Address of the place where it is perceived, or of the place that is closed; empty for the
    whole town."""
    who: str = ""
    """Name of the person it is for; empty for everybody."""
    until: int
    """Town second at which it ends."""

    def lasts_at(self, begin: int, at: int) -> bool:
        """Return True if the happening is going on at the town second `at`.

        `begin` is the town second at which the happening's tick begins.
        """
        return begin <= at < self.until


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPlace:
    """A place that is open to everybody."""

    name: str
    """Name of its sector."""
    front: str
    """Address of its largest room or part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resident:
    """What entities know about one person."""

    name: str
    home: str
    """Address of their bedroom, where their letters lie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What entities know about a town; it never changes."""

    town: str
    """The town's name, and what the town is like."""
    places: tuple[PublicPlace, ...]
    people: tuple[Resident, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act of a plot."""

    summary: str
    """What happens in the act, in one or two sentences."""
    people: tuple[str, ...] = ()
    """Names of the people it is about; empty if it is about nobody in particular."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """The outline of a story that comes to a town in small happenings."""

    title: str
    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityMind:
    """What an entity remembers between its turns; saved with every commit.

    It is immutable: a turn returns a new one (`dataclasses.replace`).
    """

    name: str
    made: tuple[Happening, ...] = ()
    """Its latest happenings, oldest first."""
    act: int = 0
    """Number of the plot's current act, from 0."""
    turns: int = 0
    """Number of its turns in this act that caused a happening."""

    def remembering(self, made: tuple[Happening, ...]) -> tuple[Happening, ...]:
        """Return the mind's happenings followed by `made`; only the last `REMEMBERED` of them."""
        return (*self.made, *made)[-REMEMBERED:]


@dataclass(frozen=True, slots=True)
class Weather:
    """The weather of one part of a day."""

    sky: str
    degrees: int
    """Degrees Celsius."""

    def __str__(self) -> str:
        return f"{self.sky}, {self.degrees} degrees"


def season_of(day: date) -> str:
    """Return the season of a date, in the northern half of the world."""
    return _SEASONS[day.month % 12 // 3]


def part_of_day(minute: int) -> str:
    """Return the part of the day in which a minute lies; the night belongs to the evening."""
    begun = [name for name, begin in PARTS if begin <= minute]
    return begun[-1] if begun else PARTS[-1][0]


def weather_at(seed: int, day: date, part: str) -> Weather:
    """Return the weather of a part of a day."""
    season = season_of(day)
    names = [name for name, _ in PARTS]
    sky = _sky(seed, day, season, names[0])
    for name in names[1 : names.index(part) + 1]:
        if fraction(seed, "weather", day.isoformat(), name, "stays") >= _STAYS:
            sky = _sky(seed, day, season, name)
    wobble = round(8 * fraction(seed, "warmth", day.isoformat())) - 4
    cooler = {"morning": 4, "afternoon": 0, "evening": 3}[part]
    degrees = _WARMTH[season] + wobble - cooler
    return Weather(sky, min(degrees, 1) if sky == "snow" else degrees)


def day_in_words(seed: int, day: date) -> str:
    """Return the weather of a whole day: `rain in the morning, clear in the evening`."""
    told: list[str] = []
    last = ""
    for name, _ in PARTS:
        now = weather_at(seed, day, name)
        if now.sky != last:
            told.append(f"{now.sky} in the {name}")
        last = now.sky
    if len(told) == 1:
        return f"{last} all day, {weather_at(seed, day, 'afternoon').degrees} degrees"
    return f"{', '.join(told)}, {weather_at(seed, day, 'afternoon').degrees} degrees"


def _sky(seed: int, day: date, season: str, part: str) -> str:
    left = fraction(seed, "weather", day.isoformat(), part)
    for sky, share in _SKIES[season]:
        left -= share
        if left < 0:
            return sky
    return _SKIES[season][-1][0]
