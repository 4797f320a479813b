"""Open a run for reading: its folder, its history up to the watermark, its town."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

from agents.errors import SmolvilleError
from agents.persona import Persona
from agents.times import date_text, day_of, long_text, moment
from history.folder import RunFolder, owner_of
from history.reader import RunReader
from world.names import find_person
from world.town.town import Town, town_of


@dataclass
class OpenRun:
    """A run opened for reading, at the watermark it had then."""

    folder: RunFolder
    reader: RunReader
    done: int | None
    """The watermark; None before the first commit."""

    @property
    def tick(self) -> int:
        """The last tick that is complete for everybody; -1 before the first commit."""
        return -1 if self.done is None else self.done

    @property
    def at(self) -> int:
        """The town second up to which the history is complete."""
        return (self.tick + 1) * self.folder.spec.tick_seconds

    @cached_property
    def town(self) -> Town:
        """The run's town. Raises TownError or RunError when it is missing or was changed."""
        return town_of(self.folder)

    @cached_property
    def start_date(self) -> date | None:
        """The date of day 1; None if the town can no longer be read."""
        try:
            return self.town.start_date
        except SmolvilleError:
            return None

    def when(self, at: int) -> str:
        """Return a town time with its date, `Monday 6 May, 07:40`."""
        if self.start_date is None:
            return f"day {moment(at)}"
        return long_text(self.start_date, at)

    def day(self, at: int) -> str:
        """Return the day of a town time, `Monday 6 May`."""
        if self.start_date is None:
            return f"day {day_of(at)}"
        return date_text(self.start_date, day_of(at))

    def person(self, wanted: str) -> str:
        """Return the full name of a person in the run. Raises RunError with the nearest names."""
        return find_person(wanted, self.reader.agents(), f"the run {self.folder.name!r}")

    def persona(self, name: str) -> Persona:
        """Return the persona of a person in the run."""
        return self.town.personas[name]

    def from_when(self) -> str:
        """Return in words when an operator's wish made now takes effect."""
        if self.state() == "running":
            return "from the next tick on (the run is going on)"
        return f"from {self.when(self.at)} on, when the run goes on"

    def state(self) -> str:
        """Return `running`, `finished`, `paused`, or `new` before the first commit."""
        if owner_of(self.folder) is not None:
            return "running"
        goal = self.reader.goal()
        if self.done is None:
            return "new"
        return "finished" if goal is not None and self.at >= goal.at else "paused"


@contextmanager
def opened_run(runs: Path, name: str) -> Iterator[OpenRun]:
    """Open a run for reading while the block runs; works beside its owner."""
    folder = RunFolder.open(runs, name)
    with RunReader(folder) as reader:
        yield OpenRun(folder, reader, reader.watermark())
