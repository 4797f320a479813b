"""A run as it stands while a page's data is read from it."""

from dataclasses import dataclass
from sqlite3 import Connection

from viewer.film.faults import Faults
from viewer.film.people import People
from viewer.film.towns import Drawn
from world.clock import Clock
from world.runs.calls import Unpacker
from world.runs.folder import RunFolder
from world.runs.moments import Goal


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """One state of a run: its history up to a tick, its town, its people."""

    folder: RunFolder
    connection: Connection
    """Read-only, inside a snapshot; an empty history where there is none yet."""
    unpacker: Unpacker
    drawn: Drawn | None
    until: int
    """The last complete tick; -1 before any."""
    people: People
    goal: Goal | None
    faults: Faults

    @property
    def clock(self) -> Clock:
        """The run's clock."""
        return Clock(self.folder.spec.tick_seconds)

    @property
    def goal_tick(self) -> int | None:
        """How many ticks the run is to have."""
        return None if self.goal is None else self.clock.tick_at(self.goal.at)

    def object(self, address: str) -> int | None:
        """Return an object's number, None for one that the map does not have."""
        return self.drawn.objects.get(address) if self.drawn else None
