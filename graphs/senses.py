"""What one agent senses of its town at one tick: a window that shows no more than its box."""

from dataclasses import dataclass
from datetime import date

from graphs.surroundings import Body, Percept, Sight, Stimulus


@dataclass(frozen=True, slots=True, kw_only=True)
class Senses:
    """The surroundings of one thought, taken when the tick begins (`graphs.surroundings`)."""

    tick: int
    at: int
    start_date: date
    why: tuple[Stimulus, ...]
    own: Body
    events: tuple[Percept, ...]
    places: tuple[Sight, ...]
    used: dict[str, bool]
    """Object in the box to whether others use it to its capacity."""

    def stimuli(self) -> tuple[Stimulus, ...]:
        """Why the mind thinks now."""
        return self.why

    def body(self) -> Body:
        """The agent's own place, action and last outcome."""
        return self.own

    def percepts(self) -> tuple[Percept, ...]:
        """Events in sight, nearest first."""
        return self.events

    def sights(self) -> tuple[Sight, ...]:
        """Arenas and objects within the box."""
        return self.places

    def is_taken(self, address: str) -> bool:
        """True when an object in the box is used to its capacity; LookupError beyond the box."""
        try:
            return self.used[address]
        except KeyError:
            raise LookupError(f"{address!r} lies beyond what can be sensed here") from None
