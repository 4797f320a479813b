"""The town's clock: ticks, town seconds, and the distance that somebody walks in a tick."""

from dataclasses import dataclass

from agents.errors import RunError

SECONDS_PER_TILE = 10
"""Town seconds to walk one tile, as in the original (a tile per step of 10 s)."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The length of a tick, a whole number of seconds, and the values derived from it."""

    tick_seconds: int = 10

    def __post_init__(self) -> None:
        """Raise an error for a tick that is not a whole number of seconds."""
        if isinstance(self.tick_seconds, bool) or not isinstance(self.tick_seconds, int):
            raise RunError(f"A tick is a whole number of seconds, not {self.tick_seconds!r}.")
        if self.tick_seconds < 1:
            raise RunError(f"A tick lasts at least 1 second, not {self.tick_seconds}.")

    @property
    def tiles_per_tick(self) -> int:
        """The farthest distance that anybody walks in one tick, in tiles: at least 1."""
        return _ceil(self.tick_seconds, SECONDS_PER_TILE)

    def at(self, tick: int) -> int:
        """Return the town second at which `tick` begins."""
        return tick * self.tick_seconds

    def tick_at(self, at: int) -> int:
        """Return the first tick that begins at or after the town second `at`."""
        return _ceil(at, self.tick_seconds)

    def tiles_walked(self, ticks: int) -> int:
        """Return how many tiles of a path are walked after so many ticks."""
        return ticks * self.tick_seconds // SECONDS_PER_TILE

    def ticks_to_walk(self, tiles: int) -> int:
        """Return how many ticks it takes to walk so many tiles: the inverse of `tiles_walked`."""
        return _ceil(tiles * SECONDS_PER_TILE, self.tick_seconds)


def _ceil(amount: int, unit: int) -> int:
    """Return `amount / unit`, rounded up, without floating point."""
    return -(-amount // unit)
