"""Who is in a run, by number: the cast in its order, then who came later, by when they came."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from json import loads
from typing import Any

from agents.chance import draw
from agents.persona import Persona
from viewer.film.faults import Faults
from viewer.film.towns import Drawn
from world.clock import Clock
from world.records import Tile
from world.runs.folder import RunSpec
from world.town.palette import coat

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


def people_of(
    connection: sqlite3.Connection | None, spec: RunSpec, until: int, faults: Faults
) -> People:
    """Return everybody who is met up to a tick."""
    known = set(spec.cast)
    since: dict[str, int] = {}
    gone: dict[str, int] = {}
    if connection is not None:
        for name, tick in _newcomers(connection, known, until, faults):
            since[name] = min(tick, since.get(name, tick))
        bodied = set(since)
        for names, tick, end in _talkers(connection, until, faults):
            for name in set(names) - known:
                since[name] = min(tick, since.get(name, tick))
                if name not in bodied:
                    over = Clock(spec.tick_seconds).tick_at(end)
                    gone[name] = max(over, gone.get(name, over))
    later = sorted(since, key=lambda name: (since[name], name))
    return People([*spec.cast, *later], since, gone)


def person_entries(
    connection: sqlite3.Connection | None,
    people: People,
    drawn: Drawn | None,
    faults: Faults,
    numbers: Iterable[int] | None = None,
) -> list[Json]:
    """Return the head's entries of people: of everybody, or of those with these numbers."""
    called = people.called()
    personas = drawn.town.personas if drawn else {}
    chosen = range(len(people.names)) if numbers is None else numbers
    found = []
    for name in (people.names[number] for number in chosen):
        persona = personas.get(name)
        found.append(
            {
                "name": name,
                "short": called[name],
                "initials": initials(name),
                "age": persona.age if persona else None,
                "traits": persona.innate if persona else "",
                "home": persona.home if persona else "",
                "work": persona.work if persona else "",
                "colour": coat(name),
                "look": draw("look", name) % LOOKS,
                "at": _first_tile(connection, name, persona, drawn, faults),
                "visitor": name in people.since,
                "from": people.since.get(name, 0),
                "to": people.until.get(name),
            }
        )
    return found


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


def _first_tile(
    connection: sqlite3.Connection | None,
    name: str,
    persona: Persona | None,
    drawn: Drawn | None,
    faults: Faults,
) -> Tile:
    """Return where somebody stands before their first walk: as recorded, else at home."""
    query = "SELECT state FROM bodies WHERE agent = ? ORDER BY tick LIMIT 1"
    if connection is not None:
        rows = faults.whole("bodies", lambda: connection.execute(query, (name,)), _tile)
        if rows:
            return rows[0]
    if drawn is None or persona is None or persona.home not in drawn.town.map:
        return 0, 0
    town_map = drawn.town.map
    beds = town_map.beds_in(persona.home)
    return town_map.tiles_of(beds[0].address if beds else persona.home)[0]


def _tile(state: str) -> Tile:
    """Return the tile of a body."""
    x, y = loads(state)["tile"]
    return int(x), int(y)
