"""Reads a damaged table around the damage: by key, from both of its ends.

A query that sorts its result fails completely at one bad page. Read in storage order, rows arrive
one by one until the damage, both from the front and from the back.
"""

import re
import sqlite3
from dataclasses import dataclass
from typing import Any

Cells = tuple[Any, ...]

_PLAIN = re.compile(
    r"SELECT (?P<cells>(?:(?! FROM ).)+) FROM (?P<table>\w+)"
    r"(?P<where>(?: WHERE (?:(?! ORDER BY | GROUP BY | LIMIT ).)+)?)"
    r"(?: ORDER BY (?P<order>[\w\", ]+?))?"
)
"""Matches a query of one table, row by row; other queries cannot be read from both ends."""
_KEY = "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk"
_KEYED = "SELECT wr FROM pragma_table_list(?)"


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """A query of a history."""

    connection: sqlite3.Connection
    query: str
    given: Cells = ()

    def rows(self) -> sqlite3.Cursor:
        """Return the rows in the order of the query."""
        return self.connection.execute(self.query, self.given)


@dataclass(frozen=True, slots=True)
class RescuedRows:
    """Rows that were read around a damage, in the order of the query."""

    rows: list[Cells]
    before: int
    """Number of rows from before the damage."""

    is_all: bool
    """True when no row was lost, because the damage is in an index."""

    def __str__(self) -> str:
        count = f"{len(self.rows)} row{'' if len(self.rows) == 1 else 's'}"
        behind = len(self.rows) - self.before
        if self.is_all:
            return f"{count} shown all the same, all there are"
        if not behind:
            return f"{count} shown from before the damage"
        return f"{count} shown, {self.before} from before the damage and {behind} from behind it"


def rescued(question: HistoryQuery) -> RescuedRows | None:
    """Return the rows readable from both ends; None for a query that cannot be read in this way."""
    plain = _PLAIN.fullmatch(" ".join(question.query.split()))
    if plain is None:
        return None
    try:
        key = _key(question.connection, plain["table"])
    except sqlite3.DatabaseError:
        return None
    order = plain["order"].split(", ") if plain["order"] else key
    # Without an index: the damage may be in an index while the rows are intact.
    query = (
        f"SELECT {', '.join((*key, *order))}, {plain['cells']} "  # noqa: S608
        f"FROM {plain['table']} NOT INDEXED{plain['where']} ORDER BY "
    )
    front, is_through = _walk(question, query + ", ".join(key), len(key))
    found = dict(front)
    if not is_through:
        back, _ = _walk(question, query + ", ".join(f"{each} DESC" for each in key), len(key))
        found = back | front
    first, last = len(key), len(key) + len(order)
    rows = sorted(found.values(), key=lambda row: [_place(cell) for cell in row[first:last]])
    return RescuedRows([row[last:] for row in rows], len(front), is_through)


def _key(connection: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns that determine a table's storage order."""
    if connection.execute(_KEYED, (table,)).fetchone() == (1,):
        return [f'"{name}"' for (name,) in connection.execute(_KEY, (table,))]
    return ["rowid"]


def _walk(question: HistoryQuery, query: str, width: int) -> tuple[dict[Cells, Cells], bool]:
    """Return the rows by key up to the damage, and whether the end was reached without damage."""
    found: dict[Cells, Cells] = {}
    try:
        for row in question.connection.execute(query, question.given):
            if row[:width] in found:
                # Pages that refer back to each other would be read forever.
                return found, False
            found[row[:width]] = row
    except sqlite3.DatabaseError:
        return found, False
    return found, True


def _place(cell: Any) -> tuple[int, Any]:
    """Return a sort key for a cell that also orders values of different types."""
    if cell is None:
        return 0, 0
    if isinstance(cell, int | float):
        return 1, cell
    return (2, cell) if isinstance(cell, str) else (3, cell)
