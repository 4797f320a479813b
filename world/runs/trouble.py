"""What the disk and SQLite complain about, said in one sentence to the operator."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from agents.errors import DamagedError, RunError, StoppedError

_FULL = (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def told(run: str) -> Iterator[None]:
    """Turn errors of the disk and of SQLite inside the block into sentences about `run`.

    A full disk raises StoppedError; a damaged file raises DamagedError, a busy or unwritable
    one RunError. Broken promises of the program (a row written twice) pass through.
    """
    try:
        yield
    except OSError as error:
        raise _of_disk(run, error) from error
    except sqlite3.IntegrityError:
        raise
    except sqlite3.DatabaseError as error:
        raise _of_sqlite(run, error) from error


def _of_disk(run: str, error: OSError) -> Exception:
    if error.errno in _FULL:
        return no_space(run)
    return RunError(f"run {run!r} cannot be read or written: {error}")


def _of_sqlite(run: str, error: sqlite3.DatabaseError) -> Exception:
    text = str(error)
    if "disk is full" in text:
        return no_space(run)
    if "locked" in text:
        return RunError(f"run {run!r} is being written by another process; try again in a moment")
    if "malformed" in text or "not a database" in text:
        return DamagedError(
            f"the history of run {run!r} is damaged ({text}); what is whole can be copied out with "
            "`sqlite3 town.sqlite .recover`"
        )
    if "readonly" in text or "unable to open" in text:
        return RunError(f"the history of run {run!r} cannot be opened: {text}")
    return error


def no_space(run: str) -> StoppedError:
    """Return what the operator is told when the disk is full."""
    return StoppedError(
        f"no space is left on the disk of run {run!r}; everything up to the last commit is saved: "
        f"free some space, then go on with `--resume {run}`"
    )
