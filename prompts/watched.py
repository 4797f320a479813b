"""A folder of templates that is watched for edits."""

import time
from collections.abc import Callable
from pathlib import Path

from prompts.folder import Texts, files_in, overlaid, shipped_texts

EVERY = 0.5
"""Seconds between two checks of the files."""
SETTLING = 0.15
"""Seconds after a file was written in which it may still be incomplete."""

_Seen = tuple[tuple[str, int, int, int], ...]
"""Name, modification time, size and inode number of each file."""


class WatchedFolder:
    """The templates of a folder over the shipped ones, reloaded after edits."""

    def __init__(
        self,
        folder: Path | None,
        *,
        every: float = EVERY,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """Store the arguments, read no files; None means the shipped templates, never edited."""
        self.folder = folder
        self._every = every
        self._clock = clock
        self._wall = wall
        self._next: float | None = None
        self._seen: _Seen | None = None

    def edited(self) -> Texts | None:
        """Return the templates if they have changed since the last check, and at the first check.

        None when nothing was edited, or it is too early to check again. A folder without any files
        left means the shipped templates. Raises PromptFolderError once for each edit that cannot be
        read.
        """
        now = self._clock()
        if self._next is not None and now < self._next:
            return None
        is_first, self._next = self._next is None, now + self._every
        if self.folder is None:
            return shipped_texts() if is_first else None
        seen = self._look(self.folder)
        if seen == self._seen:
            return None
        if not is_first and self._is_settling(self.folder, seen):
            self._next = now
            return None
        self._seen = seen
        if not seen and self.folder.is_dir():
            return shipped_texts()
        return overlaid(self.folder)

    def _look(self, folder: Path) -> _Seen:
        """Return the data by which changes of the folder's files are recognised."""
        found = []
        for path in files_in(folder):
            try:
                told = path.stat()
            except OSError:
                found.append((path.name, 0, -1, 0))
            else:
                found.append((path.name, told.st_mtime_ns, told.st_size, told.st_ino))
        return tuple(found)

    def _is_settling(self, folder: Path, seen: _Seen) -> bool:
        """Return whether a file was written so recently that its writer may not have finished."""
        try:
            last = max(folder.stat().st_mtime_ns, *(each[1] for each in seen), 0)
        except OSError:
            return False
        return 0 <= self._wall() - last / 1e9 < SETTLING
