"""A timetable: what lies on top of what in a day."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from graphs.spoken_times import DAY


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that takes a stretch of the day."""

    start: int
    """Minute of the day."""
    end: int
    activity: str
    rank: int
    """What is laid on later hides what is below; the rank tells what kind of claim it is."""


class Timetable:
    """A day from waking to bed, on which entries are laid one above the other."""

    def __init__(self, wake: int, bed: int) -> None:
        """Begin with a free day."""
        self._wake = wake
        self._bed = bed
        self._minutes: list[Entry | None] = [None] * DAY

    def lay(self, entry: Entry) -> None:
        """Put an entry on the day, over whatever was there."""
        start, end = max(entry.start, self._wake), min(entry.end, self._bed)
        if end > start:
            self._minutes[start:end] = [entry] * (end - start)

    def entries(self) -> list[Entry]:
        """Return what is to be seen of the entries, in order; scraps under 15 minutes left out."""
        runs: list[Entry] = []
        for start, end, entry in self._runs():
            if entry is not None and end - start >= 15:
                runs.append(replace(entry, start=start, end=end))
        return runs

    def _runs(self) -> Iterable[tuple[int, int, Entry | None]]:
        """Return stretches of one entry each, as (start, end, entry)."""
        at = self._wake
        while at < self._bed:
            entry, start = self._minutes[at], at
            while at < self._bed and self._minutes[at] is entry:
                at += 1
            yield start, at, entry
