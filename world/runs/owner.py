"""Whether somebody lives a run at this moment, asked without getting in the way."""

import fcntl
import os
from pathlib import Path

from world.runs.folder import RunFolder


def owner_of(folder: RunFolder) -> str | None:
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
