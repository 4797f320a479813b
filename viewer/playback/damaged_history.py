"""Reads a history that may be damaged: the undamaged rows, and sentences about the rest.

If a query sorts its result, one bad page makes the whole query fail. Read in storage order, rows
arrive one by one until the damage, both from the front and from the back.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from smolville.agents.errors import DamagedError, SmolvilleError
from smolville.history.folder import RunFolder
from smolville.history.trouble import explain_storage_errors
from smolville.world.town.town import folder_of

Cells = tuple[Any, ...]
Row = TypeVar("Row")
_PLAIN = re.compile(
    r"SELECT (?P<cells>(?:(?! FROM ).)+) FROM (?P<table>\w+)"
    r"(?P<where>(?: WHERE (?:(?! ORDER BY | GROUP BY | LIMIT ).)+)?)"
    r"(?: ORDER BY (?P<order>[\w\", ]+?))?"
)
"""Matches a query that reads rows of one table; other queries cannot be read from both ends."""
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


def within(since: int, column: str) -> str:
    """Return the condition of a query for rows after one tick and up to another.

    The query's values are these two ticks. If `since` is 0 or more, a third value must follow: a
    JSON list of all values in `column`. With it, an index by `column` and tick finds the few new
    rows; otherwise the whole table would be read.
    """
    known = f" AND {column} IN (SELECT value FROM json_each(?))" if since >= 0 else ""  # noqa: S608
    return f"WHERE tick > ? AND tick <= ?{known}"


def sentence(error: Exception, folder: RunFolder) -> str:
    """Return an error message for a page, without the paths of this machine."""
    text = str(error)
    for path in (folder.path, folder.path.parent, folder_of(folder)):
        for each in (path.absolute(), path):
            if len(str(each)) > 1:
                text = text.replace(str(each), path.name)
    return text


class Faults(list[str]):
    """Sentences about what could not be read, without repetition."""

    def __init__(self, folder: RunFolder) -> None:
        super().__init__()
        self.folder = folder

    def add(self, *sentences: str) -> None:
        """Add sentences that are not in the list yet."""
        self += [each for each in dict.fromkeys(sentences) if each not in self]

    @contextmanager
    def record_faults(self, what: str) -> Iterator[None]:
        """Record an error in the block as a fault in reading `what`, instead of raising it."""
        try:
            with explain_storage_errors(self.folder.name):
                yield
        except DamagedError as error:
            # The advice is the same for every damaged part, so it is added only once.
            self.add(sentence(error, self.folder))
            if not any(each.startswith(f"{what}: damaged") for each in self):
                self.add(f"{what}: damaged")
        except SmolvilleError as error:
            self.add(f"{what}: {sentence(error, self.folder)}")
        except (sqlite3.Error, ValueError, TypeError, LookupError) as error:
            self.add(f"{what} cannot be read: {error}")

    def read_rows(self, what: str, question: HistoryQuery, read: Callable[..., Row]) -> list[Row]:
        """Return the readable rows, skipping damaged ones and rows with invalid content.

        `read` is called with a row's cells as arguments.
        """
        found: list[Row] = []
        broken = 0
        with self.record_faults(what):
            for cells in self._cells(what, question):
                try:
                    found.append(read(*cells))
                except (ValueError, TypeError, LookupError, AttributeError):
                    broken += 1
        if broken:
            rows_make = "row makes" if broken == 1 else "rows make"
            self.add(f"{what}: {broken} {rows_make} no sense, and nothing of it is shown")
        return found

    def _cells(self, what: str, question: HistoryQuery) -> list[Cells]:
        """Return the rows of a query; of a damaged table, the rows before and after the damage."""
        found: list[Cells] = []
        is_damaged = False
        with self.record_faults(what):
            try:
                found.extend(question.rows())
            except sqlite3.DatabaseError:
                is_damaged = True
                raise
        around = rescue_rows(question) if is_damaged else None
        if around is None or len(around.rows) < len(found):
            return found
        if around.rows:
            self[:] = [each for each in self if each != f"{what}: damaged"]
            self.add(f"{what}: damaged, {around}")
        return around.rows


@dataclass(frozen=True, slots=True)
class RescuedRows:
    """Rows that were read before and after a damage, in the order of the query."""

    rows: list[Cells]
    before: int
    """Number of rows from before the damage."""

    is_all: bool
    """True if no row was lost, because the damage is in an index."""

    def __str__(self) -> str:
        count = f"{len(self.rows)} row{'' if len(self.rows) == 1 else 's'}"
        behind = len(self.rows) - self.before
        if self.is_all:
            return f"{count} shown all the same, all there are"
        if not behind:
            return f"{count} shown from before the damage"
        return f"{count} shown, {self.before} from before the damage and {behind} from behind it"


def rescue_rows(question: HistoryQuery) -> RescuedRows | None:
    """Return the rows readable from both ends; None if the query cannot be read from both ends."""
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
    """Return the rows by key up to the damage, and whether the end was reached without damage.

    The first `width` cells of a row are its key.
    """
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
