"""Turn errors of the disk and of SQLite into one sentence for the operator."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from smolville.agents.errors import DamagedError, RunError, StoppedError

_CLOSED = (errno.EACCES, errno.EPERM, errno.EROFS)
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_RESULT = 0xFF
"""Bit mask for the kind of error in SQLite's extended result codes."""
_UNREAD = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ)


@dataclass(frozen=True)
class Store:
    """A database of a run, as named in error sentences."""

    name: str
    file: str
    remedy: str
    """What to do when the database is damaged."""


HISTORY = Store(
    name="history",
    file="town.sqlite",
    remedy="what is whole can be copied out with `sqlite3 town.sqlite .recover`",
)
INBOX = Store(
    name="inbox",
    file="inbox.sqlite",
    remedy=(
        "move `inbox.sqlite` out of the run's folder, and a new one is made; only wishes that the "
        "town has not taken in yet, and the record of interviews, are lost with it"
    ),
)


@contextmanager
def explain_storage_errors(run: str, store: Store = HISTORY) -> Iterator[None]:
    """Turn errors of the disk and of SQLite inside the block into sentences about `run`.

    A disk that is full or fails raises StoppedError; a damaged file raises DamagedError, a busy or
    unwritable one RunError. Integrity errors (a row written twice) are bugs, and pass through.
    """
    try:
        yield
    except OSError as error:
        raise _of_disk(run, error) from error
    except sqlite3.IntegrityError:
        raise
    except sqlite3.DatabaseError as error:
        raise _of_sqlite(run, store, error) from error


def roll_back(connection: sqlite3.Connection) -> None:
    """Undo the open transaction; a failing disk may have undone it already, or prevent it now.

    If it cannot be undone here, SQLite undoes it the next time the file is opened.
    """
    if connection.in_transaction:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")


def _of_disk(run: str, error: OSError) -> Exception:
    if error.errno in _FULL:
        return accepts_no_more(run, str(error.strerror))
    if error.errno in _CLOSED and isinstance(error.filename, str | os.PathLike):
        where = _closed_path(Path(error.filename), is_moved=error.filename2 is not None)
        return RunError(
            f"run {run!r} cannot be read or written: {str(where)!r} does not allow it "
            f"({error.strerror}); change its permissions, or name another folder with --runs"
        )
    return RunError(f"run {run!r} cannot be read or written: {error}")


def _closed_path(path: Path, *, is_moved: bool) -> Path:
    """Return the path to which access was denied: if `path` was to be made or moved, its folder."""
    return path.parent if is_moved or not os.path.lexists(path) else path


def _of_sqlite(run: str, store: Store, error: sqlite3.DatabaseError) -> Exception:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
    kind, text, what = code & _RESULT, str(error), f"the {store.name} of run {run!r}"
    if kind == sqlite3.SQLITE_FULL or fails_to_write(code):
        return accepts_no_more(run, text)
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL):
        return RunError(f"run {run!r} is being written by another process; try again in a moment")
    is_unread = text.startswith(("no such table", "no such column", "Could not decode to UTF-8"))
    if kind in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or is_unread:
        return DamagedError(f"{what} is damaged ({text}); {store.remedy}")
    if kind in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR):
        return RunError(
            f"{what} cannot be opened ({text}); see whether its disk is whole and `{store.file}` "
            "may be read and written"
        )
    return error


def fails_to_write(code: int) -> bool:
    """Return whether an extended result code of SQLite means that writing to the disk failed."""
    return code & _RESULT == sqlite3.SQLITE_IOERR and code not in _UNREAD


def accepts_no_more(run: str, reason: str) -> StoppedError:
    """Return the error for a disk that is full or refuses data."""
    return StoppedError(
        f"the disk of run {run!r} accepts no more data ({reason}); everything up to the last "
        "commit is saved: free some space, or see whether a quota is used up or the disk is "
        f"failing, then try again, or go on with `--resume {run}`"
    )
