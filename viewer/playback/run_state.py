"""The state of a run when a page's data is read: how far it is, its town, and its people."""

from collections import Counter
from dataclasses import dataclass, field
from sqlite3 import Connection
from typing import Any

from smolville.agents.times import Clock
from smolville.history.calls import Unpacker
from smolville.history.folder import RunFolder, owner_of
from smolville.history.moments import RunGoal, latest_goal, visits_until, watermark_of
from smolville.history.progress_file import read_pulse
from smolville.viewer.playback.towns import DrawnTown

Json = dict[str, Any]


@dataclass
class Guest:
    """A visitor or a caller from outside the town."""

    about: str = ""
    """How this person describes themselves."""
    stays: list[tuple[int, int | None]] = field(default_factory=list)
    """Ticks of arrival and departure of each visit; None for no departure so far."""

    def stirs_after(self, tick: int) -> bool:
        """Return whether this person arrives or leaves after a tick."""
        return any(each is not None and each > tick for stay in self.stays for each in stay)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunState:
    """One state of a run: its history up to a tick, its town, and its people."""

    folder: RunFolder
    connection: Connection
    """Read-only connection inside a snapshot."""
    unpacker: Unpacker
    drawn: DrawnTown
    until: int
    """The last complete tick; -1 if there is none."""
    goal: RunGoal | None
    names: list[str]
    """The people by number: first the cast in its order, then guests in the order they came."""
    numbers: dict[str, int]
    guests: dict[str, Guest]

    @property
    def goal_tick(self) -> int | None:
        """Number of ticks from the run's start to its goal; None without a goal."""
        clock = Clock(self.folder.spec.tick_seconds)
        return None if self.goal is None else clock.tick_at(self.goal.at)

    def number(self, name: str) -> int:
        """Return a person's number, -1 for an unknown name."""
        return self.numbers.get(name, -1)

    def short_names(self) -> dict[str, str]:
        """Return everybody's short name: the first name if unique, otherwise the full name."""
        firsts = {name: (name.split() or [name])[0] for name in self.names}
        counts = Counter(firsts.values())
        return {name: first if counts[first] == 1 else name for name, first in firsts.items()}

    def rows_since(self, since: int, query: str, *more: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query whose first two values are a tick and the last tick."""
        return self.connection.execute(query, (since, self.until, *more)).fetchall()


def read_state(
    folder: RunFolder, connection: Connection, drawn: DrawnTown, until: int | None
) -> RunState:
    """Return the state of a run up to tick `until`, or up to the last complete tick."""
    done = watermark_of(connection)
    last = -1 if done is None else done
    last = last if until is None else min(last, until)
    guests: dict[str, Guest] = {}
    for visit in visits_until(connection, last):
        guest = guests.setdefault(visit.name, Guest())
        guest.about = visit.about
        guest.stays.append((visit.came, visit.left))
    newcomers = sorted(guests, key=lambda name: (guests[name].stays[0][0], name))
    names = [*folder.spec.cast, *newcomers]
    return RunState(
        folder=folder,
        connection=connection,
        unpacker=Unpacker(connection),
        drawn=drawn,
        until=last,
        goal=latest_goal(connection),
        names=names,
        numbers={name: number for number, name in enumerate(names)},
        guests=guests,
    )


def state_of(showing: RunState) -> str:
    """Return the state of a run."""
    if owner_of(showing.folder) is not None:
        pulse = read_pulse(showing.folder)
        return "paused" if pulse and pulse.get("state") == "paused" else "running"
    if showing.until < 0:
        return "new"
    goal = showing.goal_tick
    return "finished" if goal is not None and showing.until + 1 >= goal else "paused"
