"""The state of a run at the time when a page's data is read, and whether the run is in progress."""

from dataclasses import dataclass
from sqlite3 import Connection
from typing import Any

from smolville.agents.times import Clock
from smolville.history.calls import Unpacker
from smolville.history.folder import RunFolder, owner_of
from smolville.history.moments import RunGoal
from smolville.history.progress_file import read_pulse
from smolville.viewer.playback.damaged_history import Faults, HistoryQuery
from smolville.viewer.playback.people import Roster
from smolville.viewer.playback.towns import DrawnTown

Note = list[Any]
"""A note of the feed as the page gets it; `viewer.playback.notes` says what is in it."""
WITHIN = "tick > ? AND tick <= ?"
"""Condition of a query for `RunState.read_since`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunState:
    """One state of a run: its history up to a tick, its town, and its people."""

    folder: RunFolder
    connection: Connection
    """Read-only connection inside a snapshot; to an empty history if there is none yet."""
    unpacker: Unpacker
    drawn: DrawnTown | None
    until: int
    """The last complete tick; -1 if there is none."""
    people: Roster
    goal: RunGoal | None
    faults: Faults

    @property
    def clock(self) -> Clock:
        """The run's clock."""
        return Clock(self.folder.spec.tick_seconds)

    @property
    def goal_tick(self) -> int | None:
        """Number of ticks from the run's start to its goal; None without a goal."""
        return None if self.goal is None else self.clock.tick_at(self.goal.at)

    def object(self, address: str) -> int | None:
        """Return an object's number; None if the map does not have the object."""
        return self.drawn.objects.get(address) if self.drawn else None

    def read_since(self, since: int, what: str, query: str, read: Any, *more: str) -> list[Any]:
        """Return the readable rows of the ticks after `since`."""
        asked = HistoryQuery(self.connection, query, (since, self.until, *more))
        return self.faults.read_rows(what, asked, read)


def state_of(showing: RunState) -> str:
    """Return the state of a run."""
    if owner_of(showing.folder) is not None:
        pulse = read_pulse(showing.folder)
        return "paused" if pulse and pulse.get("state") == "paused" else "running"
    if showing.until < 0:
        return "new"
    goal = showing.goal_tick
    return "finished" if goal is not None and showing.until + 1 >= goal else "paused"
