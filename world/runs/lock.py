"""The lock of a run: one process owns it, everybody else reads."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from agents.errors import RunError
from world.runs.trouble import told

if TYPE_CHECKING:
    from world.runs.folder import RunFolder


@contextmanager
def locked(path: Path, run: str) -> Iterator[None]:
    """Hold the lock file at `path` while the block runs; RunError when somebody else holds it.

    The system lets go of it when the process ends, however it ends.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise RunError(
            f"the lock of run {run!r} cannot be opened ({error.strerror}); {path} must be a file "
            "that may be written: move away what lies there, or let its folder be written"
        ) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(_held(path, run)) from None
        with told(run):
            os.ftruncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode())
        yield
        os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def _held(path: Path, run: str) -> str:
    owner = path.read_text(encoding="ascii", errors="replace").strip()
    who = f"process {owner}" if owner else "another process"
    return (
        f"run {run!r} is in use by {who}; wait until it has ended, stop it, or fork the run "
        "under another name"
    )


def owner_of(folder: "RunFolder") -> str | None:
    """Return the process that owns a run, as text; None when nobody does.

    An owner that was killed leaves its number in the lock file, but no lock.
    """
    path: Path = folder.path / "lock"
    try:
        process = path.read_text(encoding="ascii", errors="replace").strip()
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        if not process:
            return None
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return process
    finally:
        os.close(handle)
    return None
