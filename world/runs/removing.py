"""Throws a run away, whole or not at all."""

from world.runs.drafting import put_away, remove
from world.runs.folder import RunFolder
from world.runs.trouble import told


def remove_run(folder: RunFolder) -> None:
    """Remove a run that nobody owns; RunError names the process that does."""
    with folder.lock(), told(folder.name):
        remove(put_away(folder.path))
