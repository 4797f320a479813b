"""The tables of a run's databases, connections to the history, and what in it is damaged.

Nothing is checked beforehand: a history may have a million rows. But whatever fails while a run is
open is looked into here, and only if the history is sound, it is a fault of the program.
"""

import os
import re
import sqlite3
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from smolville.agents.entities import EntityMind
from smolville.agents.errors import DamagedError, RunError, SmolvilleError
from smolville.agents.memory import Change
from smolville.agents.mind import Mind
from smolville.agents.wording import one_line
from smolville.history.calls import LISTING, Unpacker, read_call
from smolville.history.folder import RunFolder
from smolville.history.moments import COMINGS, EDITED
from smolville.history.records import (
    INTERVENTIONS,
    LINES,
    MEMORIES,
    PLAIN,
    STEPS,
    TALKS,
    Table,
    WishKind,
    read_mind,
)
from smolville.history.trouble import HISTORY, INBOX, Store, explain_storage_errors

VERSION = 8
"""Version of the schema, stored as SQLite's `user_version`."""

_LOG_PAGES = 4_000
"""Number of pages after which the write-ahead log is merged into the file, which waits for the
disk."""

TABLES = """
CREATE TABLE clusters (id INTEGER PRIMARY KEY, agents TEXT NOT NULL UNIQUE);
CREATE TABLE commits (
    seq INTEGER PRIMARY KEY, tick INTEGER NOT NULL, at INTEGER NOT NULL,
    cluster INTEGER NOT NULL, watermark INTEGER NOT NULL, wall REAL NOT NULL
);
CREATE TABLE goals (
    seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, tick INTEGER NOT NULL
);
CREATE TABLE templates (
    name TEXT NOT NULL, hash TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (name, hash)
) WITHOUT ROWID;
CREATE TABLE dictionaries (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, body BLOB NOT NULL
);
CREATE INDEX dictionaries_kind ON dictionaries (kind);
CREATE TABLE bodies (
    agent TEXT NOT NULL, tick INTEGER NOT NULL, state TEXT NOT NULL, PRIMARY KEY (agent, tick)
) WITHOUT ROWID;
CREATE TABLE moves (
    agent TEXT NOT NULL, tick INTEGER NOT NULL, end_tick INTEGER NOT NULL, path TEXT NOT NULL
);
CREATE INDEX moves_agent ON moves (agent, tick);
CREATE TABLE deeds (
    agent TEXT NOT NULL, tick INTEGER NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL,
    kind TEXT NOT NULL, activity TEXT NOT NULL, place TEXT NOT NULL,
    "start" INTEGER NOT NULL, "end" INTEGER NOT NULL, emoji TEXT NOT NULL,
    predicate TEXT NOT NULL, object TEXT NOT NULL, object_state TEXT NOT NULL,
    object_emoji TEXT NOT NULL, partners TEXT NOT NULL, fallback INTEGER NOT NULL,
    nowhere INTEGER NOT NULL
);
CREATE INDEX deeds_agent ON deeds (agent, tick);
CREATE TABLE objects (
    address TEXT NOT NULL, tick INTEGER NOT NULL, state TEXT NOT NULL, emoji TEXT NOT NULL,
    "by" TEXT NOT NULL
);
CREATE INDEX objects_address ON objects (address, tick);
CREATE TABLE talks (
    id TEXT PRIMARY KEY, tick INTEGER NOT NULL, participants TEXT NOT NULL, place TEXT NOT NULL,
    "start" INTEGER NOT NULL, "end" INTEGER NOT NULL, ended_by TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE lines (
    talk TEXT NOT NULL, n INTEGER NOT NULL, tick INTEGER NOT NULL, speaker TEXT NOT NULL,
    text TEXT NOT NULL, at INTEGER NOT NULL, fallback INTEGER NOT NULL, PRIMARY KEY (talk, n)
) WITHOUT ROWID;
CREATE TABLE thoughts (
    agent TEXT NOT NULL, tick INTEGER NOT NULL, at INTEGER NOT NULL, stimuli TEXT NOT NULL,
    path TEXT NOT NULL, intent TEXT NOT NULL, failed TEXT NOT NULL, milliseconds REAL NOT NULL,
    started REAL NOT NULL, PRIMARY KEY (agent, tick)
) WITHOUT ROWID;
CREATE TABLE steps (
    owner TEXT NOT NULL, tick INTEGER NOT NULL, step TEXT NOT NULL, ordinal INTEGER NOT NULL,
    agent TEXT NOT NULL, outcome TEXT NOT NULL, attempts INTEGER NOT NULL, answer TEXT NOT NULL,
    problems TEXT NOT NULL, odd TEXT NOT NULL, odd_kinds TEXT NOT NULL, started REAL NOT NULL,
    milliseconds REAL NOT NULL, render_ms REAL NOT NULL, recalls TEXT NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (owner, tick, step, ordinal)
) WITHOUT ROWID;
CREATE TABLE readings (
    owner TEXT NOT NULL, tick INTEGER NOT NULL, step TEXT NOT NULL, ordinal INTEGER NOT NULL,
    attempt INTEGER NOT NULL, accepted INTEGER NOT NULL, mends TEXT NOT NULL,
    problems TEXT NOT NULL, kinds TEXT NOT NULL, milliseconds REAL NOT NULL,
    PRIMARY KEY (owner, tick, step, ordinal, attempt)
) WITHOUT ROWID;
CREATE TABLE calls (
    owner TEXT NOT NULL, tick INTEGER NOT NULL, step TEXT NOT NULL, ordinal INTEGER NOT NULL,
    attempt INTEGER NOT NULL, agent TEXT NOT NULL, template TEXT NOT NULL,
    messages_hash TEXT NOT NULL, model TEXT NOT NULL, tier TEXT NOT NULL,
    temperature REAL NOT NULL, max_tokens INTEGER NOT NULL, seed INTEGER NOT NULL,
    finish TEXT NOT NULL, prompt_tokens INTEGER, completion_tokens INTEGER,
    thinking_tokens INTEGER NOT NULL, cached_tokens INTEGER, milliseconds REAL NOT NULL,
    prompt_ms REAL, reply_ms REAL, retries INTEGER NOT NULL, cuts INTEGER NOT NULL,
    dropped INTEGER NOT NULL, slot INTEGER, source TEXT NOT NULL, started REAL NOT NULL,
    texts BLOB NOT NULL,
    UNIQUE (owner, tick, step, ordinal, attempt)
);
CREATE TABLE given_up (
    agent TEXT NOT NULL, owner TEXT NOT NULL, tick INTEGER NOT NULL, step TEXT NOT NULL,
    model TEXT NOT NULL, lost TEXT NOT NULL
);
CREATE VIEW committed_calls AS
    SELECT calls.*, steps.outcome FROM calls JOIN steps USING (owner, tick, step, ordinal)
    WHERE calls.attempt < steps.attempts;
CREATE TABLE memories (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, kind TEXT NOT NULL,
    text TEXT NOT NULL, created INTEGER NOT NULL, tick INTEGER NOT NULL,
    accessed INTEGER NOT NULL, importance INTEGER, subject TEXT NOT NULL,
    predicate TEXT NOT NULL, object TEXT NOT NULL, keywords TEXT NOT NULL, expires INTEGER,
    evidence TEXT NOT NULL, depth INTEGER NOT NULL, strength INTEGER NOT NULL
);
CREATE INDEX memories_agent ON memories (agent);
CREATE TABLE changes (
    agent TEXT NOT NULL, tick INTEGER NOT NULL, n INTEGER NOT NULL, kind TEXT NOT NULL,
    at INTEGER NOT NULL, memories TEXT NOT NULL, value INTEGER, reason TEXT NOT NULL,
    PRIMARY KEY (agent, tick, n)
) WITHOUT ROWID;
CREATE TABLE minds (
    agent TEXT NOT NULL, tick INTEGER NOT NULL, checkpoint_id TEXT NOT NULL, blob BLOB NOT NULL,
    UNIQUE (agent, tick)
);
CREATE TABLE interventions (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, tick INTEGER NOT NULL, kind TEXT NOT NULL,
    target TEXT NOT NULL, text TEXT NOT NULL
);
CREATE TABLE draws (
    agent TEXT NOT NULL, tick INTEGER NOT NULL, step TEXT NOT NULL, memories TEXT NOT NULL,
    sizes TEXT NOT NULL, among INTEGER NOT NULL, clusters INTEGER NOT NULL, alike REAL NOT NULL
);
CREATE TABLE reuses (
    agent TEXT NOT NULL, tick INTEGER NOT NULL, kind TEXT NOT NULL, activity TEXT NOT NULL,
    matched TEXT NOT NULL, similarity REAL NOT NULL, learnt INTEGER NOT NULL,
    since INTEGER NOT NULL, until INTEGER NOT NULL, tasks TEXT NOT NULL
);
CREATE TABLE needs (
    agent TEXT NOT NULL, tick INTEGER NOT NULL, at INTEGER NOT NULL, levels TEXT NOT NULL,
    urgent TEXT NOT NULL
);
CREATE TABLE happenings (
    entity TEXT NOT NULL, tick INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,
    place TEXT NOT NULL, who TEXT NOT NULL, until INTEGER NOT NULL
);
CREATE TABLE reached (agent TEXT PRIMARY KEY, tick INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE call_servers (
    owner TEXT NOT NULL, tick INTEGER NOT NULL, step TEXT NOT NULL, ordinal INTEGER NOT NULL,
    attempt INTEGER NOT NULL, agent TEXT NOT NULL, model TEXT NOT NULL, server TEXT NOT NULL,
    answered INTEGER NOT NULL, lost INTEGER NOT NULL,
    PRIMARY KEY (owner, tick, step, ordinal, attempt, server)
) WITHOUT ROWID;
"""
"""Changes refer to memories by `memories.n`; texts and minds are packed (history.calls). `reached`
has ticks that agents have reached without a commit of their own. Of `call_servers`, `answered` is 1
for the server whose reply is kept, and `lost` is how often this server lost the call.

Tables whose rows may exceed a kilobyte keep their rowid: in a table without rowid, such a row takes
a page of its own."""

INBOX_TABLES = """
CREATE TABLE IF NOT EXISTS wishes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    target TEXT NOT NULL, text TEXT NOT NULL, settled INTEGER NOT NULL, wall REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS refusals (id TEXT PRIMARY KEY, why TEXT NOT NULL, wall REAL NOT NULL);
CREATE TABLE IF NOT EXISTS holds (one INTEGER PRIMARY KEY CHECK (one = 1), wall REAL NOT NULL);
CREATE TABLE IF NOT EXISTS paces (
    one INTEGER PRIMARY KEY CHECK (one = 1), rate REAL NOT NULL, until REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS turns (
    talk TEXT NOT NULL, n INTEGER NOT NULL, visitor TEXT NOT NULL, agent TEXT NOT NULL,
    place TEXT NOT NULL, lines TEXT NOT NULL, at INTEGER NOT NULL, asked REAL NOT NULL,
    patience REAL NOT NULL, until REAL NOT NULL, text TEXT, ends INTEGER NOT NULL DEFAULT 0,
    is_over INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (talk, n)
);
CREATE TABLE IF NOT EXISTS interviews (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, asker TEXT NOT NULL, agent TEXT NOT NULL,
    question TEXT NOT NULL, answer TEXT NOT NULL, at INTEGER NOT NULL, wall REAL NOT NULL
);
"""


def open_writer(path: Path, run: str) -> sqlite3.Connection:
    """Return the owner's connection to a history, creating the tables if the file is new."""
    if os.path.lexists(path):
        _check_file(path, run)
    with explain_storage_errors(run):
        connection = sqlite3.connect(path, isolation_level=None, timeout=10.0)
    with _closed_on_error(connection, run):
        if _version(connection):
            _check_version(connection, path, run)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -16000")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
        if _version(connection) == 0:
            connection.executescript(f"BEGIN;{TABLES}PRAGMA user_version = {VERSION};COMMIT;")
    return connection


def open_reader(path: Path, run: str) -> sqlite3.Connection:
    """Return a read-only connection to a history, whether or not an owner has it open."""
    if not os.path.lexists(path):
        raise RunError(f"run {run!r} has no history: {path.name} is gone")
    _check_file(path, run)
    with explain_storage_errors(run):
        connection = connect_to_read(path)
    with _closed_on_error(connection, run):
        _check_version(connection, path, run)
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Return a read-only connection to a database in WAL mode; its folder may be read-only."""
    options = "mode=ro"
    if not os.access(path.parent, os.W_OK) and not path.with_name(f"{path.name}-wal").exists():
        # The shared memory of the WAL cannot be created there, and nobody can be writing.
        options += "&immutable=1"
    return _connect(path, options)


def connect_to_look(path: Path) -> sqlite3.Connection:
    """Return a read-only connection; it creates no file if nobody else has the database open."""
    if path.with_name(f"{path.name}-wal").exists():
        return connect_to_read(path)
    return _connect(path, "mode=ro&immutable=1")


def _connect(path: Path, options: str) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?{options}"
    return sqlite3.connect(address, uri=True, isolation_level=None, timeout=10.0)


def _check_file(path: Path, run: str) -> None:
    if not path.is_file():
        raise DamagedError(
            f"the history of run {run!r} is damaged: {path.name} is no file; put the file back"
        )


@contextmanager
def _closed_on_error(connection: sqlite3.Connection, run: str) -> Iterator[None]:
    try:
        with explain_storage_errors(run):
            yield
    except (sqlite3.Error, SmolvilleError):
        connection.close()
        raise


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _check_version(connection: sqlite3.Connection, path: Path, run: str) -> None:
    found = _version(connection)
    if not found:
        raise DamagedError(f"the history of run {run!r} is damaged: {path.name} holds nothing")
    if found != VERSION:
        when = "a later" if found > VERSION else "an earlier"
        raise RunError(
            f"the history of run {run!r} was written by {when} Smolville (schema {found}, this one "
            f"reads {VERSION}); open it with that one, or begin a new run"
        )


UNREADABLE = (
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError),
    *(RecursionError, MemoryError, zlib.error, struct.error, sqlite3.Error, ExceptionGroup),
)
"""Exceptions that a damaged cell causes, where it is read or far from there."""
_LONGEST = 1 << 38
"""Largest number in a history: seconds until the year 9999, after which days have no dates."""
_ANY_NUMBER = ("seed", "until")
"""Columns whose numbers may be larger."""
_KINDS = {"TEXT": str, "INTEGER": int, "REAL": float, "BLOB": bytes}
_JSON = {
    **{"clusters": "agents", "templates": "text", "bodies": "state", "given_up": "lost"},
    "turns": "lines",
}
"""Tables with a column that holds JSON, and no rows of a type of their own."""
_IN_PARTS: tuple[Table[Any], ...] = (LINES, MEMORIES, STEPS, TALKS)
Cells = Mapping[str, Any]


@contextmanager
def reading(folder: RunFolder) -> Iterator[None]:
    """Turn errors of the disk, of SQLite and of damaged cells in the block into sentences."""
    with explain_storage_errors(folder.name):
        try:
            yield
        except UNREADABLE as error:
            found = _find_damage(folder)
            if found is not None:
                raise found from error
            raise


def _find_damage(folder: RunFolder) -> DamagedError | None:
    """Return an error that names the first cell of a run that cannot be read; None for none."""
    try:
        for store, schema in ((HISTORY, TABLES), (INBOX, INBOX_TABLES)):
            path = folder.path / store.file
            if path.is_file():
                with (
                    explain_storage_errors(folder.name, store),
                    closing(connect_to_look(path)) as connection,
                ):
                    _check(connection, folder, store, schema)
    except DamagedError as error:
        return error
    except RunError:
        return None
    return None


def _check(connection: sqlite3.Connection, folder: RunFolder, store: Store, schema: str) -> None:
    readers = _readers(connection, folder)
    for table in re.findall(r"CREATE TABLE (?:IF NOT EXISTS )?(\w+)", schema):
        number = 0
        try:
            columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
            for cells in connection.execute(f"SELECT * FROM {table}"):  # noqa: S608
                number += 1
                for (_, name, kind, is_needed, *_), cell in zip(columns, cells, strict=True):
                    _check_cell(name, kind, cell, is_needed=is_needed)
                row = {column[1]: cell for column, cell in zip(columns, cells, strict=True)}
                readers.get(table, dict)(row)
        except UNREADABLE as error:
            raise _damage(folder, store, f"table {table}, row {number or 1}: {error}") from error
    for (told,) in connection.execute("PRAGMA integrity_check(1)"):
        if told != "ok":
            raise _damage(folder, store, told)


def _check_cell(name: str, kind: str, cell: Any, *, is_needed: bool) -> None:
    is_sound = isinstance(cell, _KINDS[kind]) or (cell is None and not is_needed)
    is_long = kind == "INTEGER" and name not in _ANY_NUMBER and is_sound
    if not is_sound or (is_long and abs(cell or 0) > _LONGEST):
        raise ValueError(f"{name} is {cell!r:.40}")


def _damage(folder: RunFolder, store: Store, what: str) -> DamagedError:
    return DamagedError(
        f"the {store.name} of run {folder.name!r} is damaged ({store.file}, "
        f"{one_line(what)[:120]}); put the file back as it was"
    )


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _read_row(table: Table[Any], row: Cells) -> None:
    read = table.row([row[name] for name in table.columns])
    kind: Any = type(read)
    _adapter(kind).validate_python(asdict(read))
    if table is INTERVENTIONS and row["kind"] in (*COMINGS, EDITED):
        _read_json("text", row)


def _read_json(column: str, row: Cells) -> object:
    return _adapter(dict[str, Any] | list[Any]).validate_json(row[column])


def _readers(
    connection: sqlite3.Connection, folder: RunFolder
) -> Mapping[str, Callable[[Cells], object]]:
    """Return by table what reads a row of it, and fails for content that is none."""
    unpacker = Unpacker(connection)

    def read_change(row: Cells) -> None:
        for number in _adapter(list[int]).validate_json(row["memories"]):
            query = "SELECT 1 FROM memories WHERE n = ?"
            if connection.execute(query, (number,)).fetchone() is None:
                raise ValueError(f"memories: there is no memory {number}")
        _adapter(Change).validate_python({"id": "", **row})

    def read_packed_mind(row: Cells) -> object:
        blob = unpacker.unpack(row["blob"])
        is_person = row["agent"] in folder.spec.cast
        return read_mind(blob, Mind) if is_person else read_mind(blob, EntityMind)

    plain = {table.name: partial(_read_row, table) for table in (*PLAIN, *_IN_PARTS)}
    texts = {table: partial(_read_json, column) for table, column in _JSON.items()}
    return {
        **plain,
        **texts,
        "dictionaries": lambda row: zlib.decompress(row["body"]),
        "calls": lambda row: read_call([row[each] for each in LISTING.split(", ")], unpacker),
        "changes": read_change,
        "minds": read_packed_mind,
        "wishes": lambda row: _adapter(WishKind).validate_python(row["kind"]),
    }
