"""A timetable of a day on which later entries cover earlier ones."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from graphs.spoken_times import DAY


@dataclass(frozen=True, slots=True)
class TimetableEntry:
    """An activity that takes a stretch of the day."""

    start: int
    """Minute of the day."""
    end: int
    activity: str
    rank: int
    """What it is: duty, meal or event. The order of laying, not the rank, decides what is
    visible."""


class Timetable:
    """A day from waking to bed, on which entries are laid one over the other."""

    def __init__(self, wake: int, bed: int) -> None:
        """Start with an empty day."""
        self._wake = wake
        self._bed = bed
        self._minutes: list[TimetableEntry | None] = [None] * DAY

    def lay(self, entry: TimetableEntry) -> None:
        """Lay an entry on the day, over whatever was there."""
        start, end = max(entry.start, self._wake), min(entry.end, self._bed)
        if end > start:
            self._minutes[start:end] = [entry] * (end - start)

    def entries(self) -> list[TimetableEntry]:
        """Return the visible stretches of the entries in order, without scraps under 15 minutes."""
        runs: list[TimetableEntry] = []
        for start, end, entry in self._runs():
            if entry is not None and end - start >= 15:
                runs.append(replace(entry, start=start, end=end))
        return runs

    def _runs(self) -> Iterable[tuple[int, int, TimetableEntry | None]]:
        """Yield stretches of one entry each, as (start, end, entry)."""
        at = self._wake
        while at < self._bed:
            entry, start = self._minutes[at], at
            while at < self._bed and self._minutes[at] is entry:
                at += 1
            yield start, at, entry
