"""Throws a run away, whole or not at all."""

import secrets
import shutil

from world.runs.folder import RunFolder
from world.runs.trouble import told


def remove_run(folder: RunFolder) -> None:
    """Remove a run that nobody owns; RunError names the process that does."""
    with folder.lock(), told(folder.name):
        away = folder.path.with_name(f".old-{secrets.token_hex(8)}")
        folder.path.rename(away)
    with told(folder.name):
        shutil.rmtree(away)
