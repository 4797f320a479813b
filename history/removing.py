"""Remove a run, completely or not at all."""

from history.drafting import put_away, remove
from history.folder import RunFolder
from history.trouble import told


def remove_run(folder: RunFolder) -> None:
    """Remove a run; if a process owns it, raise RunError with the process's id."""
    with folder.lock(), told(folder.name):
        remove(put_away(folder.path))
