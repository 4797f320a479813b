"""Read the replay of a run from the run's folder: head, tracks, people."""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

from smolville.agents.errors import DamagedError, SmolvilleError
from smolville.agents.times import SECONDS_PER_TILE
from smolville.history.calls import Unpacker
from smolville.history.folder import RunFolder
from smolville.history.inbox import read_waiting
from smolville.history.inspection import blame_damage
from smolville.history.moments import RunGoal, latest_goal, watermark_of
from smolville.history.reader import RunReader
from smolville.history.records import Intervention
from smolville.history.schema import TABLES
from smolville.reports.from_outside import is_told, outside_words
from smolville.reports.runs import describe_recording, name_model
from smolville.viewer.playback.damaged_history import Faults, HistoryQuery, sentence
from smolville.viewer.playback.drawing import bare_map
from smolville.viewer.playback.entries import person_entries
from smolville.viewer.playback.people import TalkTimes, people_of
from smolville.viewer.playback.person import person
from smolville.viewer.playback.run_state import RunState, state_of
from smolville.viewer.playback.towns import RunTown, Towns
from smolville.viewer.playback.tracks import tracks

Json = dict[str, Any]
FORMAT = 1
STANDIN = "standin"
NO_DATE = "2024-01-01"
"""Date of day 1 if the town gives none: a Monday that is the first of its month."""
_TICKS = "SELECT tick FROM {table}"
_LATEST_IN = ("bodies", "moves", "deeds", "thoughts")


class ReplayReader(AbstractContextManager["ReplayReader"]):
    """Reads a run's replay; may be used only in the thread that created it.

    A run that was never started has a replay without rows. The replay of a damaged run holds its
    undamaged parts, and `faults` describes what is missing.
    """

    def __init__(self, folder: RunFolder, towns: Towns | None = None) -> None:
        self.folder = folder
        self._place: RunTown = (towns or Towns()).of(folder)
        self._faults: tuple[str, ...] = ()
        self._reader: RunReader | None = None
        try:
            self._reader = RunReader(folder) if folder.has_history else None
        except DamagedError as error:
            self._faults = (sentence(error, folder),)
            with suppress(SmolvilleError, sqlite3.Error):
                self._reader = RunReader(folder, damaged=True)
        except (SmolvilleError, sqlite3.Error) as error:
            self._faults = (sentence(error, folder),)
        self._connection = self._reader.connection if self._reader else _empty()
        self._unpacker = Unpacker(self._connection)
        self._talked = TalkTimes()

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.close()
        blame_damage(self.folder, error)

    def close(self) -> None:
        """Close the history."""
        self._connection.close()

    def head(self) -> Json:
        """Return the first part of the replay's data: the run, its people and its town."""
        spec = self.folder.spec
        drawn = self._place.drawn
        models = list(dict.fromkeys((spec.models.fast, spec.models.strong)))
        with self._showing() as showing:
            people = person_entries(showing, range(len(showing.people.names)))
            state = state_of(showing)
            return {
                "format": FORMAT,
                "run": spec.name,
                "forked_from": spec.forked_from,
                "town": spec.town_name,
                "start": drawn.town.start_date.isoformat() if drawn else NO_DATE,
                "tick": spec.tick_seconds,
                "pace": SECONDS_PER_TILE,
                "until": showing.until,
                "goal": showing.goal_tick,
                "state": state,
                "waiting": [] if state == "running" else self._list_waiting(),
                "models": " and ".join(map(name_model, models)),
                "about": describe_recording(self.folder) if self.folder.is_sample else "",
                "standin": all(each.split(":")[0] == STANDIN for each in models),
                "faults": self._all_faults(showing),
                "people": people,
                "map": drawn.drawing if drawn else bare_map(*_extent(showing)),
            }

    def _list_waiting(self) -> list[str]:
        """Return sentences on the requests that the run will take in when it continues.

        A damaged inbox yields none.
        """
        with suppress(SmolvilleError):
            return _requests_of(self.folder)
        return []

    def tracks(self, since: int = -1, until: int | None = None) -> Json:
        """Return what happened in the ticks after `since` (up to `until`)."""
        with self._showing(until) as showing:
            return tracks(showing, since)

    def person(self, n: int) -> Json:
        """Return one person's life; raises LookupError for an unknown number."""
        with self._showing() as showing:
            return person(showing, n)

    def version(self) -> int:
        """Return a number that changes with every commit."""
        try:
            return self._reader.version() if self._reader else 0
        except (SmolvilleError, sqlite3.Error):
            return -1

    @property
    def is_begun(self) -> bool:
        """True when there is a history that can be opened."""
        return self._reader is not None

    @property
    def has_rows(self) -> bool:
        """True when there is something to show."""
        with self._showing() as showing:
            return showing.until >= 0

    @contextmanager
    def _showing(self, until: int | None = None) -> Iterator[RunState]:
        """Yield one consistent state of the run."""
        faults = Faults(self.folder)
        faults.add(*self._faults)
        with self._snapshot(faults):
            last = self._watermark(faults)
            last = last if until is None else min(last, until)
            yield RunState(
                folder=self.folder,
                connection=self._connection,
                unpacker=self._unpacker,
                drawn=self._place.drawn,
                until=last,
                people=people_of(self._connection, self.folder.spec, last, faults, self._talked),
                goal=self._goal(faults),
                faults=faults,
            )

    @contextmanager
    def _snapshot(self, faults: Faults) -> Iterator[None]:
        """Keep one snapshot of the history open during the block."""
        with faults.record_faults("history"):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def _watermark(self, faults: Faults) -> int:
        """Return the last complete tick, -1 if there is none.

        For a damaged history, return the last tick recorded in any table.
        """
        with faults.record_faults("commits"):
            found = watermark_of(self._connection)
            return -1 if found is None else found
        ticks = [-1]
        for table in _LATEST_IN:
            asked = HistoryQuery(self._connection, _TICKS.format(table=table))
            ticks += faults.read_rows(table, asked, int)
        return max(ticks)

    def _goal(self, faults: Faults) -> RunGoal | None:
        """Return the goal that the run was given last."""
        with faults.record_faults("goals"):
            return latest_goal(self._connection)
        return None

    def _all_faults(self, showing: RunState) -> list[str]:
        """Return all faults of the run, each once, for the first part of the replay (the head)."""
        told = [*self._place.faults, *self._check_counts(), *showing.faults]
        return list(dict.fromkeys(told))

    def _check_counts(self) -> list[str]:
        """Return a sentence for every count in the history that does not add up."""
        found = Faults(self.folder)
        if self._reader is not None:
            with found.record_faults("counts"):
                found.add(*self._reader.faults())
        return found


def _empty() -> sqlite3.Connection:
    """Return an empty history."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(TABLES)
    return connection


def _extent(showing: RunState) -> tuple[int, int]:
    """Return the width and height of the area on which people walked."""
    query = "SELECT path FROM moves WHERE tick <= ?"
    asked = HistoryQuery(showing.connection, query, (showing.until,))
    tiles = showing.faults.read_rows("moves", asked, _corner)
    return max((x for x, _ in tiles), default=0), max((y for _, y in tiles), default=0)


def _corner(path: str) -> tuple[int, int]:
    """Return the largest column and row of a path."""
    tiles = [each.split(",") for each in path.split()]
    return max(int(x) for x, _ in tiles), max(int(y) for _, y in tiles)


def _requests_of(folder: RunFolder) -> list[str]:
    """Return a sentence for each request that a run will take in next, the oldest first."""
    made = [
        Intervention(id="", tick=0, kind=wish.kind, target=wish.target, text=wish.text)
        for wish in read_waiting(folder)
    ]
    return [
        " ".join(part for part in outside_words(each) if part) for each in made if is_told(each)
    ]
