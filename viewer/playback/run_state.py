"""The state of a run while a page's data is read, and whether the run is in progress."""

from dataclasses import dataclass
from sqlite3 import Connection

from agents.times import Clock
from history.calls import Unpacker
from history.folder import RunFolder, owner_of
from history.moments import RunGoal
from history.progress_file import read_pulse
from viewer.playback.damaged_history import Faults
from viewer.playback.people import Roster
from viewer.playback.towns import DrawnTown


@dataclass(frozen=True, slots=True, kw_only=True)
class RunState:
    """One state of a run: its history up to a tick, its town, and its people."""

    folder: RunFolder
    connection: Connection
    """Read-only, inside a snapshot; an empty history where there is none yet."""
    unpacker: Unpacker
    drawn: DrawnTown | None
    until: int
    """The last complete tick; -1 before any."""
    people: Roster
    goal: RunGoal | None
    faults: Faults

    @property
    def clock(self) -> Clock:
        """The run's clock."""
        return Clock(self.folder.spec.tick_seconds)

    @property
    def goal_tick(self) -> int | None:
        """Number of ticks up to the run's goal; None without a goal."""
        return None if self.goal is None else self.clock.tick_at(self.goal.at)

    def object(self, address: str) -> int | None:
        """Return an object's number, None when the map does not have it."""
        return self.drawn.objects.get(address) if self.drawn else None


def state_of(showing: RunState) -> str:
    """Return the state of a run."""
    if owner_of(showing.folder) is not None:
        pulse = read_pulse(showing.folder)
        return "paused" if pulse and pulse.get("state") == "paused" else "running"
    if showing.until < 0:
        return "new"
    goal = showing.goal_tick
    return "finished" if goal is not None and showing.until + 1 >= goal else "paused"
