"""Who came into a town from outside, and when they left, from what operators did."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from json import loads

from world.runs.memory_rows import FOREVER
from world.runs.moments import body_at

_COMINGS = ("visitor_enters", "visitor_calls")


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One stay of a visitor, or one call from outside."""

    name: str
    about: str
    came: int
    """The tick."""
    left: int | None
    """The tick from which they are gone; None while they stay."""
    by_telephone: bool

    @property
    def in_town(self) -> bool:
        """True while they stay."""
        return self.left is None


def comings(
    connection: sqlite3.Connection, until: int = FOREVER
) -> Iterator[tuple[str, int, str, str]]:
    """Yield (name, tick, kind, about) of everybody who came or called, first comers first."""
    rows = connection.execute(
        "SELECT target, tick, kind, text FROM interventions WHERE kind IN (?, ?) AND tick <= ? "
        "ORDER BY tick, n",
        (*_COMINGS, until),
    ).fetchall()
    for name, tick, kind, text in rows:
        yield name, tick, kind, str(loads(text).get("about", ""))


def visits_until(connection: sqlite3.Connection, until: int) -> list[Visit]:
    """Return who came or called up to a tick, as it was known when that tick was done."""
    found = []
    for name, tick, kind, about in comings(connection, until):
        is_call = kind == "visitor_calls"
        left = tick if is_call else _left(connection, name, tick, until)
        visit = Visit(name=name, about=about, came=tick, left=left, by_telephone=is_call)
        found.append(visit)
    return found


def _left(connection: sqlite3.Connection, name: str, came: int, until: int) -> int | None:
    """Return the tick from which a visitor who came at a tick is gone; None while they stay."""
    row = connection.execute(
        "SELECT MIN(tick) FROM interventions WHERE kind = 'visitor_leaves' AND target = ? "
        "AND tick >= ? AND tick <= ?",
        (name, came, until),
    ).fetchone()
    body = None if row[0] is None else body_at(connection, name, row[0])
    left = -1 if body is None else int(loads(body)["left"])
    return left if left >= 0 else None
