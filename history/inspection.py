"""Find the cell of a run that cannot be read, once something has failed that may be its fault.

Nothing is checked beforehand: a history may have a million rows. But whatever fails while a run is
open is looked into here, and only if the history is sound, it is a fault of the program.
"""

import sqlite3
import struct
import zlib
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict
from functools import cache, partial
from json import loads
from typing import Any

from pydantic import TypeAdapter

from smolville.agents.errors import DamagedError, RunError
from smolville.agents.memory import Change
from smolville.agents.wording import one_line
from smolville.history.beside_calls import SERVERS_TABLE
from smolville.history.calls import LISTING, Unpacker, read_call
from smolville.history.folder import RunFolder
from smolville.history.inbox_tables import INTERVIEWS, TURNS, WISHES
from smolville.history.later_tables import (
    DRAWS,
    DRAWS_TABLE,
    HAPPENINGS,
    HAPPENINGS_TABLE,
    NEEDS,
    NEEDS_TABLE,
    REACHED_TABLE,
    REUSES,
    REUSES_TABLE,
)
from smolville.history.memory_rows import FOREVER
from smolville.history.moments import COMINGS, EDITED
from smolville.history.records import WishKind
from smolville.history.schema import TABLES, connect_to_look
from smolville.history.tables import (
    DEEDS,
    INTERVENTIONS,
    LINES,
    MEMORIES,
    MOVES,
    OBJECTS,
    READINGS,
    STEPS,
    TALKS,
    TEXTS,
    THOUGHTS,
    Table,
    has_table,
)
from smolville.history.trouble import HISTORY, INBOX, Store, explain_storage_errors

UNREADABLE = (
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError),
    *(RecursionError, MemoryError, zlib.error, struct.error, sqlite3.Error, ExceptionGroup),
)
"""Exceptions that a damaged cell causes, where it is read or far from there."""
_LONGEST = 1 << 38
"""Largest number in a history: seconds until the year 9999, after which days have no dates."""
_KINDS: Mapping[str, tuple[type, ...]] = {
    "TEXT": (str,),
    "INTEGER": (int,),
    "REAL": (int, float),
    "BLOB": (bytes,),
}
_LATER = (
    *(DRAWS_TABLE, REUSES_TABLE, NEEDS_TABLE, HAPPENINGS_TABLE, REACHED_TABLE),
    SERVERS_TABLE,
)
_SCHEMAS = {HISTORY: ";".join((TABLES, *_LATER)), INBOX: WISHES + INTERVIEWS + TURNS}
_ROWS: tuple[Table[Any], ...] = (
    *(DEEDS, LINES, MEMORIES, MOVES, OBJECTS, READINGS, STEPS, TALKS, THOUGHTS),
    *(DRAWS, HAPPENINGS, NEEDS, REUSES),
)
Cells = Mapping[str, Any]
Columns = Mapping[str, tuple[str, bool]]
"""Type of each column, and whether it is never NULL, by its name."""
_NUMBERS = TypeAdapter(list[int])
_TEXTS = TypeAdapter(dict[str, str])
_WISH: TypeAdapter[str] = TypeAdapter(WishKind)
_LINES = TypeAdapter(list[tuple[str, str]])
_OBJECT = TypeAdapter(dict[str, Any])
_CALL = tuple(LISTING.split(", "))
_SHOWN = 120
"""Maximum number of characters of what is told about a cell."""


def blame_damage(folder: RunFolder, error: BaseException | None) -> None:
    """Raise DamagedError if an error while a run was open may be the fault of a damaged cell."""
    if isinstance(error, UNREADABLE):
        found = find_damage(folder)
        if found is not None:
            raise found from error


@contextmanager
def damage_blamed(folder: RunFolder) -> Iterator[None]:
    """Blame a damaged cell, if there is one, for an error in the block."""
    try:
        yield
    except UNREADABLE as error:
        blame_damage(folder, error)
        raise


@contextmanager
def reading(folder: RunFolder) -> Iterator[None]:
    """Turn errors of the disk, of SQLite and of damaged cells in the block into sentences."""
    with explain_storage_errors(folder.name), damage_blamed(folder):
        yield


def find_damage(folder: RunFolder) -> DamagedError | None:
    """Return an error that names the first cell of a run that cannot be read; None for none."""
    try:
        for store in (HISTORY, INBOX):
            path = folder.path / store.file
            if path.is_file():
                with (
                    explain_storage_errors(folder.name, store),
                    closing(connect_to_look(path)) as connection,
                ):
                    _check(connection, folder, store)
    except DamagedError as error:
        return error
    except RunError:
        return None
    return None


def _check(connection: sqlite3.Connection, folder: RunFolder, store: Store) -> None:
    """Raise DamagedError for the first cell that cannot be read."""
    readers = _readers(connection, folder)
    for table, columns in _columns(_SCHEMAS[store]).items():
        if has_table(connection, table):
            row = 0
            try:
                for row in _rows(connection, table, columns, readers.get(table, dict)):  # noqa: B007
                    pass
            except UNREADABLE as error:
                raise _damage(folder, store, f"table {table}, row {row + 1}: {error}") from error
    for (told,) in connection.execute("PRAGMA integrity_check(1)"):
        if told != "ok":
            raise _damage(folder, store, told)


def _rows(
    connection: sqlite3.Connection, table: str, columns: Columns, read: Callable[[Cells], object]
) -> Iterator[int]:
    """Yield the numbers of the rows that can be read, from 1, and raise an error at another."""
    names = ", ".join(f'"{name}"' for name in columns)
    for n, cells in enumerate(connection.execute(f"SELECT {names} FROM {table}"), start=1):  # noqa: S608
        row = dict(zip(columns, cells, strict=True))
        for name, (kind, is_needed) in columns.items():
            _check_cell(name, row[name], kind, is_needed)
        read(row)
        yield n


def _damage(folder: RunFolder, store: Store, what: str) -> DamagedError:
    told = one_line(what)[:_SHOWN]
    return DamagedError(
        f"the {store.name} of run {folder.name!r} is damaged ({store.file}, {told}); put the file "
        "back as it was"
    )


@cache
def _columns(schema: str) -> dict[str, Columns]:
    """Return the type of each column, and whether it is never NULL, by table and name."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(schema)
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            table: {
                name: (kind, bool(is_needed))
                for _, name, kind, is_needed, *_ in connection.execute(
                    f"PRAGMA table_info({table})"
                )
            }
            for (table,) in rows
            if not table.startswith("sqlite_")
        }


def _check_cell(name: str, cell: Any, kind: str, is_needed: bool) -> None:
    """Raise ValueError for a cell of another type, or a number beyond all times and counts."""
    if cell is None and not is_needed:
        return
    if not isinstance(cell, _KINDS[kind]):
        raise ValueError(f"{name} is {cell!r}")
    if isinstance(cell, int) and abs(cell) > _LONGEST and name != "seed" and cell != FOREVER:
        raise ValueError(f"{name} is {cell}")


def _readers(
    connection: sqlite3.Connection, folder: RunFolder
) -> dict[str, Callable[[Cells], object]]:
    """Return what reads a row of a table, by the table; it fails for content that is none."""
    # It brings LangGraph along.
    from smolville.graphs.checkpoints import read_saved

    unpacker = Unpacker(connection)
    is_told = has_table(connection, "memories")
    memories = {n for (n,) in connection.execute("SELECT n FROM memories")} if is_told else set()

    def read_row(table: Table[Any], row: Cells) -> None:
        _validate(table.row([row[name] for name in table.columns]))

    return {table.name: partial(read_row, table) for table in _ROWS} | {
        "clusters": lambda row: TEXTS.read(row["agents"]),
        "templates": lambda row: _TEXTS.validate_json(row["text"]),
        "dictionaries": lambda row: zlib.decompress(row["body"]),
        "bodies": lambda row: _OBJECT.validate_json(row["state"]),
        "calls": lambda row: read_call([row[name] for name in _CALL], unpacker),
        "given_up": lambda row: TEXTS.read(row["lost"]),
        "changes": lambda row: _read_change(row, memories),
        # The minds of what is no person are read by whatever moves it.
        "minds": lambda row: (read_saved if row["agent"] in folder.spec.cast else loads)(
            unpacker.unpack(row["blob"])
        ),
        "interventions": _read_intervention,
        "wishes": lambda row: _WISH.validate_python(row["kind"]),
        "turns": lambda row: _LINES.validate_json(row["lines"]),
    }


def _read_intervention(row: Cells) -> None:
    _validate(INTERVENTIONS.row([row[name] for name in INTERVENTIONS.columns]))
    if row["kind"] in (*COMINGS, EDITED):
        _OBJECT.validate_json(row["text"])


def _read_change(row: Cells, memories: Container[int]) -> None:
    for number in _NUMBERS.validate_json(row["memories"]):
        if number not in memories:
            raise ValueError(f"memories: there is no memory {number}")
    names = ("kind", "tick", "at", "value", "reason")
    _validate(Change(id="", **{name: row[name] for name in names}))


@cache
def _adapter(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _validate(row: Any) -> None:
    """Raise ValueError if a field of a row holds none of its values."""
    kind: type = type(row)
    _adapter(kind).validate_python(asdict(row))
