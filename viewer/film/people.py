"""Who is in a run, by number: the cast in its order, then who came later, by when they came."""

import sqlite3
from dataclasses import dataclass, field
from functools import partial
from json import loads
from typing import Any

from viewer.film.faults import Faults
from world.clock import Clock
from world.runs.folder import RunSpec

Json = dict[str, Any]
LOOKS = 64
"""So many looks there are to choose from: hair, clothes and shape, as the page makes of them."""
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
class People:
    """Everybody up to a tick, by number and by name."""

    names: list[str]
    since: dict[str, int]
    """The tick at which somebody who came later is first met."""
    until: dict[str, int] = field(default_factory=dict)
    """The tick at which somebody is gone who was only ever talked with."""
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
        return {
            name: first if firsts.count(first) == 1 else name
            for name, first in zip(self.names, firsts, strict=True)
        }


def people_of(connection: sqlite3.Connection, spec: RunSpec, until: int, faults: Faults) -> People:
    """Return everybody who is met up to a tick."""
    known = set(spec.cast)
    since: dict[str, int] = {}
    gone: dict[str, int] = {}
    for name, tick in _newcomers(connection, known, until, faults):
        since[name] = min(tick, since.get(name, tick))
    bodied = set(since)
    for names, tick, end in _talkers(connection, until, faults):
        over = Clock(spec.tick_seconds).tick_at(end)
        for name in set(names) - known:
            since[name] = min(tick, since.get(name, tick))
            if name not in bodied:
                gone[name] = max(over, gone.get(name, over))
    later = sorted(since, key=lambda name: (since[name], name))
    return People([*spec.cast, *later], since, gone)


def initials(name: str) -> str:
    """Return the first letters of a name's first and last word."""
    words = name.split() or ["?"]
    return "".join(word[0] for word in (words if len(words) == 1 else (words[0], words[-1])))


def _newcomers(
    connection: sqlite3.Connection, known: set[str], until: int, faults: Faults
) -> list[tuple[str, int]]:
    """Return who has rows and is not known, with the tick of the first of each table."""
    found: list[tuple[str, int]] = []
    for table in _SEEN_IN:
        rows = faults.whole(table, partial(connection.execute, _FIRST.format(table=table)), _met)
        found += [(name, tick) for name, tick in rows if name not in known and tick <= until]
    return found


def _met(name: str, tick: int) -> tuple[str, int]:
    return str(name), int(tick)


def _talkers(
    connection: sqlite3.Connection, until: int, faults: Faults
) -> list[tuple[list[str], int, int]]:
    """Return who took part in each talk, its tick, and the second of its end."""
    query = 'SELECT participants, tick, "end" FROM talks WHERE tick <= ?'
    return faults.whole("talks", lambda: connection.execute(query, (until,)), _talked)


def _talked(names: str, tick: int, end: int) -> tuple[list[str], int, int]:
    return [str(name) for name in loads(names)], int(tick), int(end)
