"""A folder of templates that somebody may be editing, looked at again and again."""

import time
from collections.abc import Callable
from pathlib import Path

from prompts.folder import Texts, files_in, overlaid, shipped_texts

EVERY = 0.5
"""Seconds between two looks at the files."""
SETTLING = 0.15
"""Seconds after a file was written in which its writer may still be at it."""

_Seen = tuple[tuple[str, int, int, int], ...]
"""Name, time, size and number of each file."""


class WatchedFolder:
    """The templates of a folder over the shipped ones, and whether they were edited."""

    def __init__(
        self,
        folder: Path | None,
        *,
        every: float = EVERY,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """Look at nothing yet; None are the shipped templates, which nobody edits."""
        self.folder = folder
        self._every = every
        self._clock = clock
        self._wall = wall
        self._next: float | None = None
        self._seen: _Seen | None = None

    def edited(self) -> Texts | None:
        """Return the templates when they are not as at the last look, and at the first one.

        None when nothing was edited, or it is too early to look again. A folder from which the last
        file was taken away is the shipped templates. Raises PromptFolderError once for each edit
        that cannot be read.
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
        """Return what tells the folder's files from those of another look."""
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
        """Return whether something was written so lately that more of it may come."""
        try:
            last = max(folder.stat().st_mtime_ns, *(each[1] for each in seen), 0)
        except OSError:
            return False
        return 0 <= self._wall() - last / 1e9 < SETTLING
