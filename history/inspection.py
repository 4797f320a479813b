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
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model

from smolville.agents.entities import EntityMind
from smolville.agents.errors import DamagedError, RunError
from smolville.agents.memory import Change
from smolville.agents.mind import Mind
from smolville.agents.wording import one_line
from smolville.history.calls import LISTING, Unpacker, read_call
from smolville.history.folder import RunFolder
from smolville.history.inbox import INBOX_TABLES
from smolville.history.moments import COMINGS, EDITED
from smolville.history.records import WishKind, read_mind
from smolville.history.schema import TABLES, connect_to_look
from smolville.history.tables import (
    INTERVENTIONS,
    LINES,
    MEMORIES,
    PLAIN,
    STEPS,
    TALKS,
    TEXTS,
    Table,
)
from smolville.history.trouble import HISTORY, INBOX, Store, explain_storage_errors

UNREADABLE = (
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError),
    *(RecursionError, MemoryError, zlib.error, struct.error, sqlite3.Error, ExceptionGroup),
)
"""Exceptions that a damaged cell causes, where it is read or far from there."""
_LONGEST = 1 << 38
"""Largest number in a history: seconds until the year 9999, after which days have no dates."""
_KINDS: Mapping[str, Any] = {
    "TEXT": str,
    "INTEGER": Annotated[int, Field(ge=-_LONGEST, le=_LONGEST)],
    "REAL": float,
    "BLOB": bytes,
}
_ANY_NUMBER = ("seed", "until")
"""Columns whose numbers may be larger."""
_SCHEMAS = {HISTORY: TABLES, INBOX: INBOX_TABLES}
_CALL = tuple(LISTING.split(", "))
_SHOWN = 120
"""Maximum number of characters of what is told about a cell."""
Cells = Mapping[str, Any]


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
    readers = _readers(connection, folder) if store is HISTORY else _INBOX_READERS
    for table, model in _models(_SCHEMAS[store]).items():
        names = ", ".join(f'"{name}"' for name in model.model_fields)
        number = 0
        try:
            for cells in connection.execute(f"SELECT {names} FROM {table}"):  # noqa: S608
                number += 1
                row = dict(zip(model.model_fields, cells, strict=True))
                model.model_validate(row)
                readers.get(table, dict)(row)
        except UNREADABLE as error:
            told = f"table {table}, row {number or 1}: {_why(error)}"
            raise _damage(folder, store, told) from error
    for (told,) in connection.execute("PRAGMA integrity_check(1)"):
        if told != "ok":
            raise _damage(folder, store, told)


def _why(error: BaseException) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False)[0]
    place = ".".join(map(str, first["loc"]))
    return f"{place} is {first['input']!r:.40}: {first['msg']}"


def _damage(folder: RunFolder, store: Store, what: str) -> DamagedError:
    return DamagedError(
        f"the {store.name} of run {folder.name!r} is damaged ({store.file}, "
        f"{one_line(what)[:_SHOWN]}); put the file back as it was"
    )


@cache
def _models(schema: str) -> dict[str, type[BaseModel]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(schema)
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        found: dict[str, type[BaseModel]] = {}
        for (table,) in connection.execute(query).fetchall():
            fields: dict[str, Any] = {}
            info = connection.execute(f"PRAGMA table_info({table})")
            for _, name, kind, is_needed, *_ in info:
                cell = int if name in _ANY_NUMBER and kind == "INTEGER" else _KINDS[kind]
                fields[name] = (cell if is_needed else cell | None, ...)
            found[table] = create_model(table, __config__=ConfigDict(strict=True), **fields)
        return found


def _read_row(table: Table[Any], row: Cells) -> None:
    read = table.row([row[name] for name in table.columns])
    kind: Any = type(read)
    _adapter(kind).validate_python(asdict(read))


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _read_json(kind: Any, column: str) -> Callable[[Cells], object]:
    return lambda row: _adapter(kind).validate_json(row[column])


_INBOX_READERS: Mapping[str, Callable[[Cells], object]] = {
    "wishes": lambda row: _adapter(WishKind).validate_python(row["kind"]),
    "turns": _read_json(list[tuple[str, str]], "lines"),
}


def _readers(
    connection: sqlite3.Connection, folder: RunFolder
) -> Mapping[str, Callable[[Cells], object]]:
    """Return what reads a row of a table, by the table; it fails for content that is none."""
    unpacker = Unpacker(connection)
    memories = {n for (n,) in connection.execute("SELECT n FROM memories")}
    tables = (*PLAIN, LINES, MEMORIES, STEPS, TALKS)
    return {table.name: partial(_read_row, table) for table in tables} | {
        "clusters": lambda row: TEXTS.read(row["agents"]),
        "templates": _read_json(dict[str, str], "text"),
        "dictionaries": lambda row: zlib.decompress(row["body"]),
        "bodies": _read_json(dict[str, Any], "state"),
        "calls": lambda row: read_call([row[name] for name in _CALL], unpacker),
        "given_up": lambda row: TEXTS.read(row["lost"]),
        "changes": lambda row: _read_change(row, memories),
        "minds": lambda row: _read_mind(row, unpacker, folder),
        "interventions": _read_intervention,
    }


def _read_mind(row: Cells, unpacker: Unpacker, folder: RunFolder) -> None:
    blob = unpacker.unpack(row["blob"])
    if row["agent"] in folder.spec.cast:
        read_mind(blob, Mind)
    else:
        read_mind(blob, EntityMind)


def _read_intervention(row: Cells) -> None:
    _read_row(INTERVENTIONS, row)
    if row["kind"] in (*COMINGS, EDITED):
        _adapter(dict[str, Any]).validate_json(row["text"])


def _read_change(row: Cells, memories: Container[int]) -> None:
    for number in _adapter(list[int]).validate_json(row["memories"]):
        if number not in memories:
            raise ValueError(f"memories: there is no memory {number}")
    names = ("kind", "tick", "at", "value", "reason")
    _adapter(Change).validate_python({"id": "", **{name: row[name] for name in names}})
