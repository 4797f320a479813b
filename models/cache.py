"""A cache of replies on disk: repeating a call to the same model in the same way costs nothing.

A folder holds one SQLite file that several processes may share. The caller chooses the key, which
must cover everything that was asked, including the number of the attempt; the settings that shape
replies are part of every key here.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from hashlib import blake2b
from pathlib import Path

from smolville.models.errors import CacheError
from smolville.models.reply import Reply
from smolville.models.request import ModelSettings

FILE = "replies.sqlite"
BUSY_SECONDS = 10.0
"""Seconds to wait for the file while another process uses it; a process uses it for one row."""
NOT_SHAPING = frozenset({"timeout", "keep_alive"})
"""Settings that do not affect replies."""
MEASURED = frozenset({"milliseconds", "prompt_ms", "reply_ms"})
"""A reply's fields about its duration, which are not stored: a cached reply takes no time."""
KEPT = tuple(item.name for item in fields(Reply) if item.name not in MEASURED)


class ReplyCache:
    """Stores replies by key in a folder, for one set of model settings."""

    def __init__(self, folder: Path, settings: ModelSettings) -> None:
        """Open or create the folder. Raises CacheError if it cannot be used."""
        self._path = folder / FILE
        shaping = {n: value for n, value in asdict(settings).items() if n not in NOT_SHAPING}
        told = json.dumps(shaping, sort_keys=True).encode()
        self._settings = blake2b(told, digest_size=8).hexdigest()
        with self._explain_errors():
            folder.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                self._path, isolation_level=None, timeout=BUSY_SECONDS
            )
        try:
            with self._explain_errors():
                self._connection.execute(
                    "CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL)"
                )
        except CacheError:
            self._connection.close()
            raise

    def find_stored(self, key: str) -> Reply | None:
        """Return the reply stored under a key, without its durations; None if there is none."""
        with self._explain_errors():
            row = self._connection.execute(
                "SELECT reply FROM replies WHERE key = ?", (f"{self._settings}-{key}",)
            ).fetchone()
            return None if row is None else Reply(**json.loads(row[0]))

    def store(self, key: str, reply: Reply) -> None:
        """Store a reply, unless there is already one under the same key."""
        kept = json.dumps({name: getattr(reply, name) for name in KEPT})
        with self._explain_errors():
            self._connection.execute(
                "INSERT OR IGNORE INTO replies VALUES (?, ?)", (f"{self._settings}-{key}", kept)
            )

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        """Turn errors of the disk, SQLite and a row's JSON into CacheError with a sentence."""
        try:
            yield
        except (OSError, sqlite3.OperationalError) as error:
            told = getattr(error, "strerror", None) or error
            raise CacheError(
                f"The cache {self._path} cannot be used: {told}. Free it, or name another folder."
            ) from error
        except (sqlite3.DatabaseError, ValueError, TypeError) as error:
            raise CacheError(
                f"The cache {self._path} is damaged: remove that file, and it is filled again."
            ) from error
