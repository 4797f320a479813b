"""Everybody's bodies by name, with their walks as arrays, for fast queries about positions."""

from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from smolville.agents.times import SECONDS_PER_TILE, Clock
from smolville.history.records import Tile
from smolville.world.adapter import Tiles
from smolville.world.body_state import BodyState

_GROWTH = 8
"""Number of rows that are added to the arrays when a new visitor needs one."""


class Crowd(dict[str, BodyState]):
    """Bodies by name: residents, then visitors in the order in which they first came.

    No body is ever removed. A body is replaced by setting the item, which also updates the arrays.
    """

    def __init__(self, bodies: Iterable[BodyState], clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self._rows: dict[str, int] = {}
        self._names: list[str] = []
        self._starts = np.zeros((0, 2), np.int64)
        self._goals = np.zeros((0, 2), np.int64)
        """Each body's tile before its walk begins, and after the walk has ended."""
        self._begins = np.zeros(0, np.int64)
        self._ends = np.zeros(0, np.int64)
        """First and last tick of each body's walk; both are 0 for those who stand."""
        self._paths = np.zeros((0, _GROWTH, 2), np.int16)
        self._lengths = np.zeros(0, np.int64)
        """The tiles of each body's walk, and the number of these tiles."""
        self._latest: tuple[int, Tiles] | None = None
        """Everybody's tiles at the last tick that was requested, since many look around at one
        tick.
        """
        self._resting: set[str] = set()
        self._users: dict[str, set[str]] = {}
        """For each address, the people whose action takes place there."""
        for body in bodies:
            self[body.agent] = body

    def __setitem__(self, name: str, body: BodyState) -> None:
        """Add or replace a body."""
        before, self._latest = self.get(name), None
        super().__setitem__(name, body)
        row = self._row(name)
        walk = body.walk
        self._starts[row] = body.tile if walk is None else walk.path[0]
        self._goals[row] = body.tile if walk is None else walk.path[-1]
        self._begins[row] = 0 if walk is None else walk.tick
        self._ends[row] = 0 if walk is None else walk.end_tick
        if walk is not None and (before is None or before.walk is not walk):
            self._keep_path(row, walk.path)
        if body.resting_until > 0:
            self._resting.add(name)
        else:
            self._resting.discard(name)
        if before is not None and before.action is not None:
            self._users[before.action.place].discard(name)
        if body.action is not None:
            self._users.setdefault(body.action.place, set()).add(name)

    def tiles(self, tick: int) -> Tiles:
        """Return the tiles of all bodies, in town or not, as `tick` begins, in body order."""
        if self._latest is not None and self._latest[0] == tick:
            return self._latest[1]
        count = len(self)
        is_over = self._ends[:count] <= tick
        found = np.where(is_over[:, None], self._goals[:count], self._starts[:count])
        rows = np.flatnonzero(~is_over & (self._begins[:count] < tick))
        if len(rows):
            found[rows] = self._walked(rows, tick)
        found.flags.writeable = False
        self._latest = tick, found
        return found

    def near(self, tick: int, tile: Tile, reach: int) -> Iterator[tuple[str, Tile, int]]:
        """Yield everybody at most `reach` tiles away as `tick` begins: name, tile and distance."""
        tiles = self.tiles(tick)
        distances = np.maximum(np.abs(tiles[:, 0] - tile[0]), np.abs(tiles[:, 1] - tile[1]))
        for row in np.flatnonzero(distances <= reach).tolist():
            x, y = tiles[row].tolist()
            yield self._names[row], (x, y), int(distances[row])

    def steps(self, tick: int, spots: Collection[Tile], reach: int) -> list[Tile]:
        """Return the tiles where walkers were at the previous tick and are at `tick`.

        Only people who are at most `reach` tiles from one of the `spots` at `tick` are included.
        """
        count = len(self)
        walks = (self._begins[:count] < tick) & (tick <= self._ends[:count])
        rows = np.flatnonzero(walks)
        if not len(rows) or not spots:
            return []
        apart = np.abs(self._walked(rows, tick)[:, None] - np.array(list(spots))).max(axis=2)
        near = rows[(apart <= reach).any(axis=1)]
        walkers = (self[self._names[row]] for row in near.tolist())
        when = (tick - 1, tick)
        return [each.tile_at(at, self._clock) for each in walkers for at in when]

    def rested(self, tick: int) -> list[Tile]:
        """Return the tiles of people whose pause after a failed thought ends at `tick`."""
        bodies = (self[name] for name in self._resting)
        return [
            each.tile_at(tick, self._clock)
            for each in bodies
            if self._clock.tick_at(each.resting_until) == tick
        ]

    def users(self, address: str, tick: int, without: str = "") -> list[str]:
        """Return the names of people who use an object, except the person `without`.

        They have arrived at the object, and are not in a talk.
        """
        found = []
        for name in sorted(self._users.get(address, ()), key=self._rows.__getitem__):
            body = self[name]
            is_there = body.is_settled and not body.is_walking(tick)
            is_busy = body.action is None or body.action.kind == "talk"
            if name != without and is_there and not is_busy:
                found.append(name)
        return found

    def _walked(self, rows: NDArray[np.intp], tick: int) -> Tiles:
        """Return where the bodies in `rows`, who must all be walking, are as `tick` begins."""
        seconds = (tick - self._begins[rows]) * self._clock.tick_seconds
        walked = np.minimum(seconds // SECONDS_PER_TILE, self._lengths[rows] - 1)
        return self._paths[rows, walked].astype(np.int64)

    def _row(self, name: str) -> int:
        row = self._rows.get(name)
        if row is None:
            row = self._rows[name] = len(self._names)
            self._names.append(name)
            if row == len(self._ends):
                self._starts = np.pad(self._starts, ((0, _GROWTH), (0, 0)))
                self._goals = np.pad(self._goals, ((0, _GROWTH), (0, 0)))
                self._begins = np.pad(self._begins, (0, _GROWTH))
                self._ends = np.pad(self._ends, (0, _GROWTH))
                self._lengths = np.pad(self._lengths, (0, _GROWTH))
                self._paths = np.pad(self._paths, ((0, _GROWTH), (0, 0), (0, 0)))
        return row

    def _keep_path(self, row: int, path: Sequence[Tile]) -> None:
        """Store the tiles of a walk."""
        more = len(path) - self._paths.shape[1]
        if more > 0:
            self._paths = np.pad(self._paths, ((0, 0), (0, more + _GROWTH), (0, 0)))
        self._paths[row, : len(path)] = path
        self._lengths[row] = len(path)
