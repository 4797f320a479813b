"""Files that are written completely or not at all, and never replace others without permission."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agents.errors import SettingError, SmolvilleError


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Yield a temporary path to write to; it replaces `path` at the end, or is deleted on failure.

    Raises SmolvilleError when it cannot be written.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield draft
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise SmolvilleError(f"{str(path)!r} cannot be written: {error.strerror}.") from error


def check_free(path: Path, *, overwrite: bool) -> None:
    """Raise SettingError when `path` exists already, unless it may be overwritten."""
    if path.is_dir():
        raise SettingError(f"{str(path)!r} is a folder; name a file.")
    if os.path.lexists(path) and not overwrite:
        raise SettingError(f"{str(path)!r} exists; add --overwrite, or name another file.")
