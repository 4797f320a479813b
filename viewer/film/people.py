"""Who is in a run, by number: the cast in its order, then who came later, by when they came."""

import sqlite3
from collections import Counter
from dataclasses import dataclass, field
from json import loads
from typing import Any

from viewer.film.faults import Faults
from viewer.film.rescue import Question
from world.clock import Clock
from world.runs.moments import visits_until
from world.runs.spec import RunSpec

Json = dict[str, Any]
_SEEN_IN = ("bodies", "moves", "deeds", "thoughts")
"""Tables in which whoever is in town has rows, each with an index by agent and tick."""
_FIRST = """
WITH RECURSIVE names(name) AS (
    SELECT MIN(agent) FROM {table}
    UNION ALL
    SELECT (SELECT MIN(agent) FROM {table} WHERE agent > name) FROM names WHERE name NOT NULL
)
SELECT name, (SELECT MIN(tick) FROM {table} WHERE agent = name) FROM names WHERE name NOT NULL
"""


@dataclass
class Guest:
    """Somebody who came later."""

    since: int
    """The tick at which they are first met."""
    until: int | None = None
    """The tick from which they are gone for good; None while they stay."""
    about: str = ""
    """Who they say they are."""
    stays: list[tuple[int, int | None]] = field(default_factory=list)
    """Each coming and going, where they were told of."""

    def stirs_after(self, tick: int) -> bool:
        """True when they come or go after a tick."""
        moments = [self.since, self.until, *(moment for stay in self.stays for moment in stay)]
        return any(moment is not None and moment > tick for moment in moments)


@dataclass
class People:
    """Everybody up to a tick, by number and by name."""

    names: list[str]
    guests: dict[str, Guest]
    """Who came later, by name."""
    numbers: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        """Number the names."""
        self.numbers = {name: number for number, name in enumerate(self.names)}

    def number(self, name: str) -> int:
        """Return somebody's number, -1 for nobody known."""
        return self.numbers.get(name, -1)

    def called(self) -> dict[str, str]:
        """Return what everybody is called: the first name where only one has it."""
        firsts = [(name.split() or [name])[0] for name in self.names]
        counts = Counter(firsts)
        return {
            name: first if counts[first] == 1 else name
            for name, first in zip(self.names, firsts, strict=True)
        }


def people_of(connection: sqlite3.Connection, spec: RunSpec, until: int, faults: Faults) -> People:
    """Return everybody who is met up to a tick."""
    cast = set(spec.cast)
    met: dict[str, int] = {}
    for name, tick in _newcomers(connection, until, faults):
        met[name] = min(tick, met.get(name, tick))
    bodied = set(met)
    ends: dict[str, int] = {}
    for names, tick, end in _talkers(connection, until, faults):
        over = Clock(spec.tick_seconds).tick_at(end)
        for name in names:
            met[name] = min(tick, met.get(name, tick))
            ends[name] = max(over, ends.get(name, over))
    guests = {
        name: Guest(tick, None if name in bodied else ends[name])
        for name, tick in met.items()
        if name not in cast
    }
    _visit(connection, guests, until, faults)
    later = sorted(guests, key=lambda name: (guests[name].since, name))
    return People([*spec.cast, *later], guests)


def _visit(
    connection: sqlite3.Connection, guests: dict[str, Guest], until: int, faults: Faults
) -> None:
    """Add what is told of the comings and goings of guests."""
    with faults.told("visits"):
        for visit in visits_until(connection, until):
            guest = guests.setdefault(visit.name, Guest(visit.came))
            guest.since = min(guest.since, visit.came)
            guest.until, guest.about = visit.left, visit.about
            guest.stays.append((visit.came, visit.left))


def _newcomers(connection: sqlite3.Connection, until: int, faults: Faults) -> list[tuple[str, int]]:
    """Return who has rows, with the tick of the first of each table."""
    found: list[tuple[str, int]] = []
    for table in _SEEN_IN:
        rows = faults.whole(table, Question(connection, _FIRST.format(table=table)), _met)
        found += [(name, tick) for name, tick in rows if tick <= until]
    return found


def _met(name: str, tick: int) -> tuple[str, int]:
    return str(name), int(tick)


def _talkers(
    connection: sqlite3.Connection, until: int, faults: Faults
) -> list[tuple[list[str], int, int]]:
    """Return who took part in each talk, its tick, and the second of its end."""
    query = 'SELECT participants, tick, "end" FROM talks WHERE tick <= ?'
    return faults.whole("talks", Question(connection, query, (until,)), _talked)


def _talked(names: str, tick: int, end: int) -> tuple[list[str], int, int]:
    return [str(name) for name in loads(names)], int(tick), int(end)
