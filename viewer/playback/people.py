"""The people of a run by number: first the cast in its order, then later arrivals by time."""

import sqlite3
from collections import Counter
from dataclasses import dataclass, field
from json import loads
from typing import Any

from smolville.agents.entities import ENTITIES
from smolville.agents.times import Clock
from smolville.history.moments import visits_until
from smolville.history.spec import RunSpec
from smolville.viewer.playback.damaged_history import Faults, HistoryQuery

Json = dict[str, Any]
_SEEN_IN = ("bodies", "moves", "deeds", "thoughts")
"""Tables with rows about everybody in town, each with an index by agent and tick."""
_FIRST = """
WITH RECURSIVE names(name) AS (
    SELECT MIN(agent) FROM {table}
    UNION ALL
    SELECT (SELECT MIN(agent) FROM {table} WHERE agent > name) FROM names WHERE name NOT NULL
)
SELECT name, (SELECT MIN(tick) FROM {table} WHERE agent = name) FROM names WHERE name NOT NULL
"""


@dataclass
class LateArrival:
    """A person who came to the town after the run began."""

    since: int
    """The first tick at which this person occurs."""
    until: int | None = None
    """The tick from which this person is gone for good; None while they stay."""
    about: str = ""
    """The person's description of themselves."""
    stays: list[tuple[int, int | None]] = field(default_factory=list)
    """Ticks of arrival and departure of each recorded visit; None for no departure so far."""

    def stirs_after(self, tick: int) -> bool:
        """Return whether this person arrives or leaves after a tick."""
        moments = [self.since, self.until, *(moment for stay in self.stays for moment in stay)]
        return any(moment is not None and moment > tick for moment in moments)


@dataclass
class Roster:
    """All people up to a tick, by number and by name."""

    names: list[str]
    guests: dict[str, LateArrival]
    """The later arrivals by name."""
    numbers: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        """Number the names."""
        self.numbers = {name: number for number, name in enumerate(self.names)}

    def number(self, name: str) -> int:
        """Return a person's number, -1 for an unknown name."""
        return self.numbers.get(name, -1)

    def short_names(self) -> dict[str, str]:
        """Return everybody's short name: the first name if unique, otherwise the full name."""
        firsts = [(name.split() or [name])[0] for name in self.names]
        counts = Counter(firsts)
        return {
            name: first if counts[first] == 1 else name
            for name, first in zip(self.names, firsts, strict=True)
        }


@dataclass
class TalkTimes:
    """The ticks at which each person's first talk began and their latest talk ended.

    With these, the new events of a long run can be read without reading all its talks.
    """

    until: int = -1
    first: dict[str, int] = field(default_factory=dict)
    """The tick of everybody's first talk."""
    ends: dict[str, int] = field(default_factory=dict)
    """The tick at which everybody's last talk ended."""

    def read(
        self, connection: sqlite3.Connection, clock: Clock, until: int, faults: Faults
    ) -> "TalkTimes":
        """Return the times up to a tick; they are kept for later if all talks can be read."""
        known = self if self.until <= until else TalkTimes()
        found = TalkTimes(until, dict(known.first), dict(known.ends))
        before = len(faults)
        for names, tick, end in _talkers(connection, known.until, until, faults):
            over = clock.tick_at(end)
            for name in names:
                found.first[name] = min(tick, found.first.get(name, tick))
                found.ends[name] = max(over, found.ends.get(name, over))
        if len(faults) == before:
            self.until, self.first, self.ends = found.until, found.first, found.ends
        return found


def people_of(
    connection: sqlite3.Connection, spec: RunSpec, until: int, faults: Faults, known: TalkTimes
) -> Roster:
    """Return all people who occur up to tick `until`.

    `known` holds the times of the talks read so far, and is brought up to date.
    """
    cast = set(spec.cast)
    met: dict[str, int] = {}
    for name, tick in _list_first_ticks(connection, until, faults):
        met[name] = min(tick, met.get(name, tick))
    bodied = set(met)
    talked = known.read(connection, Clock(spec.tick_seconds), until, faults)
    for name, tick in talked.first.items():
        met[name] = min(tick, met.get(name, tick))
    guests = {
        name: LateArrival(tick, None if name in bodied else talked.ends[name])
        for name, tick in met.items()
        if name not in cast
    }
    _visit(connection, guests, until, faults)
    later = sorted(guests, key=lambda name: (guests[name].since, name))
    return Roster([*spec.cast, *later], guests)


def _visit(
    connection: sqlite3.Connection, guests: dict[str, LateArrival], until: int, faults: Faults
) -> None:
    """Add the recorded visits to `guests`."""
    with faults.record_faults("visits"):
        for visit in visits_until(connection, until):
            guest = guests.setdefault(visit.name, LateArrival(visit.came))
            guest.since = min(guest.since, visit.came)
            guest.until, guest.about = visit.left, visit.about
            guest.stays.append((visit.came, visit.left))


def _list_first_ticks(
    connection: sqlite3.Connection, until: int, faults: Faults
) -> list[tuple[str, int]]:
    """Return everybody's first tick in each of the tables that have rows about people.

    Entities other than people also have thoughts, but they are not people of the town.
    """
    found: list[tuple[str, int]] = []
    for table in _SEEN_IN:
        rows = faults.read_rows(
            table, HistoryQuery(connection, _FIRST.format(table=table)), _read_person_row
        )
        found += [(name, tick) for name, tick in rows if tick <= until and name not in ENTITIES]
    return found


def _read_person_row(name: str, tick: int) -> tuple[str, int]:
    return str(name), int(tick)


def _talkers(
    connection: sqlite3.Connection, since: int, until: int, faults: Faults
) -> list[tuple[list[str], int, int]]:
    """Return each talk after `since`: participants, tick, and the town second at which it ends."""
    query = HistoryQuery(
        connection,
        'SELECT participants, tick, "end" FROM talks WHERE tick > ? AND tick <= ?',
        (since, until),
    )
    return faults.read_rows("talks", query, _read_talk_row)


def _read_talk_row(names: str, tick: int, end: int) -> tuple[list[str], int, int]:
    return [str(name) for name in loads(names)], int(tick), int(end)
