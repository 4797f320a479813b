"""The rules of a town as data: the people, places, activities and times that each covers."""

from dataclasses import dataclass

from smolville.agents.english import stems
from smolville.agents.persona import Persona

WEEK = 7
"""Days in a week."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hours:
    """A span of the clock, on some days of the week; it may reach past midnight."""

    start: int
    """Minute of the day."""
    end: int
    """Minute of the day, 1440 for midnight. If it is not after `start`, it is on the next day."""
    day: int | None = None
    """Weekday on which it begins, 0 for Monday; None for every day."""

    def includes(self, weekday: int, minute: int) -> bool:
        """Return True when the span includes a minute of a weekday; its end is not included."""
        if self.start < self.end:
            return self._is_on(weekday) and self.start <= minute < self.end
        is_evening = self._is_on(weekday) and minute >= self.start
        return is_evening or (self._is_on((weekday - 1) % WEEK) and minute < self.end)

    def _is_on(self, weekday: int) -> bool:
        return self.day is None or self.day == weekday


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleScope:
    """The people whom a rule binds: those who meet all conditions of this scope.

    With `is_others`, the rule binds everybody except those people.
    """

    names: tuple[str, ...] = ()
    """Full names; empty for anybody."""
    home: str = ""
    """Address of the sector or arena they live in; empty for any."""
    work: str = ""
    """Address of the sector or arena they work in; empty for any."""
    under: int | None = None
    """Only people younger than this; None for no limit."""
    over: int | None = None
    """Only people older than this; None for no limit."""
    is_others: bool = False
    """True to bind everybody except these people."""

    def includes(self, persona: Persona) -> bool:
        """Return True when a persona is one of the people whom the rule binds."""
        is_one = (
            (not self.names or persona.name in self.names)
            and (not self.home or is_inside(persona.home, self.home))
            and (not self.work or is_inside(persona.work or "", self.work))
            and (self.under is None or persona.age < self.under)
            and (self.over is None or persona.age > self.over)
        )
        return is_one != self.is_others


@dataclass(frozen=True, slots=True, kw_only=True)
class TownRule:
    """One rule of a town: an activity forbidden to some people, at some places and times."""

    text: str
    """The rule in one sentence, as prompts give it to people."""
    where: tuple[str, ...]
    """Addresses of sectors, arenas or objects; what lies inside them is included."""
    who: RuleScope = RuleScope()
    what: tuple[str, ...] = ()
    """Words of the forbidden activities; empty if merely being there is forbidden."""
    when: tuple[Hours, ...] = ()
    """Times at which the rule holds; empty for always."""
    is_outside: bool = False
    """True if the rule holds outside these hours, because they are opening hours."""

    def holds_at(self, weekday: int, minute: int) -> bool:
        """Return True when the rule is in force at a minute of a weekday (0 for Monday)."""
        if not self.when:
            return True
        return any(hours.includes(weekday, minute) for hours in self.when) != self.is_outside

    def binds(self, persona: Persona, place: str) -> bool:
        """Return True when the rule covers a place and binds a person."""
        is_there = any(is_inside(place, where) for where in self.where)
        return is_there and self.who.includes(persona)

    def forbids(self, persona: Persona, place: str, activity: str) -> bool:
        """Return True when the rule, while in force, forbids somebody an activity at a place.

        Texts in `what` cover activities that contain all words of one of these texts, in any form:
        `cook` covers `cooking soup`.
        """
        if not self.binds(persona, place):
            return False
        said = stems(activity)
        return not self.what or any(stems(words) <= said for words in self.what)


def is_inside(place: str, outer: str) -> bool:
    """Return True when an address equals another one, or lies inside it."""
    return place == outer or place.startswith(f"{outer}: ")
