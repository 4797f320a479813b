"""A timetable: what lies on top of what in a day, and the gaps between."""

from collections.abc import Callable, Iterable
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

    def filled(self, fill: Callable[[Entry], Iterable[Entry]]) -> list[Entry]:
        """Return the entries with every gap filled: a long one by `fill`, a short one by waiting.

        The first quarter of an hour is left to washing.
        """
        entries = self.entries()
        begun = self._wake + (30 if not entries or entries[0].start >= self._wake + 30 else 15)
        filled: list[Entry] = []
        for entry in entries:
            if entry.start - begun >= 30:
                filled += fill(Entry(begun, entry.start, "", 0))
            start = max(entry.start, begun)
            if entry.end - start >= 10:
                filled.append(replace(entry, start=start))
                begun = entry.end
        if self._bed - begun >= 30:
            filled += fill(Entry(begun, self._bed, "", 0))
        return filled

    def _runs(self) -> Iterable[tuple[int, int, Entry | None]]:
        """Return stretches of one entry each, as (start, end, entry)."""
        at = self._wake
        while at < self._bed:
            entry, start = self._minutes[at], at
            while at < self._bed and self._minutes[at] is entry:
                at += 1
            yield start, at, entry
