"""The weather by rule: what the sky does in each part of a day, by season and seed.

It is a function of the run's seed and the date alone, so everybody can know it at any time.
"""

from dataclasses import dataclass
from datetime import date

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
    """Return a sky chosen at random for a part of a day."""
    left = fraction(seed, "weather", day.isoformat(), part)
    for sky, share in _SKIES[season]:
        left -= share
        if left < 0:
            return sky
    return _SKIES[season][-1][0]
