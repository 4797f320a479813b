"""A cache of replies on disk: repeating a call to the same model in the same way costs nothing.

A folder holds one SQLite file that several processes may share; it contains no code. The caller
chooses the key: it must cover everything that was asked, including the number of the attempt.
"""

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path

from smolville.models.errors import CacheError
from smolville.models.reply import Reply
from smolville.models.request import ModelSettings

FILE = "replies.sqlite"
VERSION = 1
BUSY_SECONDS = 10.0
"""Seconds to wait for the file while another process uses it; a process uses it for one row."""
NOT_SHAPING = frozenset({"timeout", "keep_alive"})
"""Settings that do not affect replies; all others must equal those that the file was made with."""
MEASURED = frozenset({"milliseconds", "prompt_ms", "reply_ms"})
"""A reply's fields about its duration, which are not stored: a cached reply takes no time."""
KEPT = tuple(item.name for item in fields(Reply) if item.name not in MEASURED)

_TABLES = """
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL);
"""


class ReplyCache:
    """Stores replies by key in a folder, for one set of model settings."""

    def __init__(self, folder: Path, settings: ModelSettings) -> None:
        """Open or create the folder. Raises CacheError when it was made with other settings."""
        self._path = folder / FILE
        with self._explain_errors():
            folder.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                self._path, isolation_level=None, timeout=BUSY_SECONDS
            )
        try:
            with self._explain_errors():
                self._prepare(_shaping(settings))
        except CacheError:
            self._connection.close()
            raise

    def find_stored(self, key: str) -> Reply | None:
        """Return the reply stored under a key, without its durations; None if there is none."""
        with self._explain_errors():
            row = self._connection.execute(
                "SELECT reply FROM replies WHERE key = ?", (key,)
            ).fetchone()
            return None if row is None else Reply(**json.loads(row[0]))

    def store(self, key: str, reply: Reply) -> None:
        """Store a reply, unless there is already one under the same key."""
        kept = json.dumps({name: getattr(reply, name) for name in KEPT})
        with self._explain_errors():
            self._connection.execute("INSERT OR IGNORE INTO replies VALUES (?, ?)", (key, kept))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _prepare(self, shaping: Mapping[str, str]) -> None:
        """Create the tables of a new file, or check the settings of an existing file."""
        found = int(self._connection.execute("PRAGMA user_version").fetchone()[0])
        if found > VERSION:
            raise CacheError(
                f"The cache {self._path} was written by a later Smolville: update smolville, or "
                "name another folder."
            )
        self._log_ahead()
        self._connection.execute("PRAGMA synchronous = NORMAL")
        if found == 0:
            self._make(shaping)
        rows = self._connection.execute("SELECT name, value FROM settings").fetchall()
        self._compare(dict(rows), shaping)

    def _log_ahead(self) -> None:
        """Turn on write-ahead logging, even if another process does so at the same moment.

        If two processes do it at once, SQLite refuses one of them without waiting, whatever its
        timeout.
        """
        ends = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > ends:
                    raise
                time.sleep(0.01)

    def _make(self, shaping: Mapping[str, str]) -> None:
        """Create the tables, unless another process did in the meantime."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in filter(None, (part.strip() for part in _TABLES.split(";"))):
                self._connection.execute(statement)
            if not self._connection.execute("SELECT 1 FROM settings").fetchone():
                rows = sorted(shaping.items())
                self._connection.executemany("INSERT INTO settings VALUES (?, ?)", rows)
            self._connection.execute(f"PRAGMA user_version = {VERSION}")
            self._connection.execute("COMMIT")
        except sqlite3.Error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def _compare(self, made: Mapping[str, str], shaping: Mapping[str, str]) -> None:
        """Raise CacheError if the file was made with other settings.

        A setting that the file lacks counts as its default.
        """
        usual = _shaping(ModelSettings())
        other = [name for name in shaping if made.get(name, usual[name]) != shaping[name]]
        if other:
            changes = ", ".join(
                f"{name} was {_format_setting(made.get(name, usual[name]))} and is "
                f"{_format_setting(shaping[name])} now"
                for name in other
            )
            raise CacheError(
                f"The replies in {self._path.parent} were given to other settings ({changes}): set "
                "them as they were, or name another folder."
            )

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        """Turn errors of the disk, SQLite and a row's JSON into CacheError with a sentence."""
        try:
            yield
        except OSError as error:
            raise CacheError(
                f"The cache {self._path.parent} cannot be used: {error.strerror or error}. Name "
                "another folder."
            ) from error
        except sqlite3.OperationalError as error:
            raise CacheError(
                f"The cache {self._path} cannot be used: {error}. Free it, or name another folder."
            ) from error
        except (sqlite3.DatabaseError, ValueError, TypeError) as error:
            raise CacheError(
                f"The cache {self._path} is damaged: remove that file, and it is filled again."
            ) from error


def _shaping(settings: ModelSettings) -> dict[str, str]:
    """Return the settings that affect replies, each as JSON."""
    given = asdict(settings).items()
    return {name: json.dumps(value) for name, value in given if name not in NOT_SHAPING}


def _format_setting(value: str) -> str:
    """Return a setting as people write it."""
    return {"null": "not set", "[]": "not set", "true": "on", "false": "off"}.get(value, value)
