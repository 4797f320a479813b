"""Reading a damaged table past its damage: by key, from both of its ends.

Whatever sorts before it answers fails as a whole at one bad page; in the order in which they lie,
rows come one by one until the damage, from the front and from the back.
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
"""A query of one table, row by row; others cannot be asked from both ends."""
_KEY = "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk"
_KEYED = "SELECT wr FROM pragma_table_list(?)"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a history."""

    connection: sqlite3.Connection
    query: str
    given: Cells = ()

    def rows(self) -> sqlite3.Cursor:
        """Return the rows as they are asked for."""
        return self.connection.execute(self.query, self.given)


@dataclass(frozen=True, slots=True)
class Rescued:
    """Rows that were read past a damage, in the order that was asked for."""

    rows: list[Cells]
    before: int
    """How many of them lie before the damage."""

    is_all: bool
    """True when no row was lost: the damage is in an index."""

    def __str__(self) -> str:
        count = f"{len(self.rows)} row{'' if len(self.rows) == 1 else 's'}"
        behind = len(self.rows) - self.before
        if self.is_all:
            return f"{count} shown all the same, all there are"
        if not behind:
            return f"{count} shown from before the damage"
        return f"{count} shown, {self.before} from before the damage and {behind} from behind it"


def rescued(question: Question) -> Rescued | None:
    """Return the rows that can be read from both ends; None where they cannot be asked for so."""
    plain = _PLAIN.fullmatch(" ".join(question.query.split()))
    if plain is None:
        return None
    try:
        key = _key(question.connection, plain["table"])
    except sqlite3.DatabaseError:
        return None
    order = plain["order"].split(", ") if plain["order"] else key
    # Without an index: the damage may be in one, and the rows themselves whole.
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
    return Rescued([row[last:] for row in rows], len(front), is_through)


def _key(connection: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns by which a table's rows lie."""
    if connection.execute(_KEYED, (table,)).fetchone() == (1,):
        return [f'"{name}"' for (name,) in connection.execute(_KEY, (table,))]
    return ["rowid"]


def _walk(question: Question, query: str, width: int) -> tuple[dict[Cells, Cells], bool]:
    """Return rows by their keys until the damage, and whether there was none on the way."""
    found: dict[Cells, Cells] = {}
    try:
        for row in question.connection.execute(query, question.given):
            if row[:width] in found:
                # Pages that lead back to each other would be walked for ever.
                return found, False
            found[row[:width]] = row
    except sqlite3.DatabaseError:
        return found, False
    return found, True


def _place(cell: Any) -> tuple[int, Any]:
    """Return where a cell stands among others, also among those of another type."""
    if cell is None:
        return 0, 0
    if isinstance(cell, int | float):
        return 1, cell
    return (2, cell) if isinstance(cell, str) else (3, cell)
