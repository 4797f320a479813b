"""The slots of a model's servers, how busy each server is, and whether calls avoid it for now."""

from dataclasses import dataclass

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0
"""Seconds for which a server is left out at first, and at most; each pause is twice the last."""


@dataclass(slots=True)
class Slot:
    """One slot of a server, which processes a call and then keeps its prompt's prefix."""

    server: int
    """Position of its server among the model's servers, from 0."""
    number: int
    """Its number at that server, from 0."""
    step: str = ""
    agent: str = ""
    left: int = -1
    """Number of the last call that left this slot, counted over all slots; -1 if none has."""


@dataclass(slots=True)
class ServerLoad:
    """The load of one server, and whether calls avoid it after a failure."""

    slots: int
    busy: int = 0
    """Number of its slots that are in use."""
    losses: int = 0
    """Number of times in a row that it was left out after it had lost a call."""
    lost_at: float = 0.0
    """Time on the limiter's clock of the last call that it lost."""
    out_until: float = 0.0
    """Time until which it is left out."""

    @property
    def share(self) -> float:
        """Share of its slots that are busy, 0 to 1."""
        return self.busy / self.slots

    def is_out(self, now: float) -> bool:
        """Return whether calls avoid the server at this time."""
        return self.losses > 0 and now < self.out_until

    def may_take(self, now: float) -> bool:
        """Return whether the server may take a call; after a failure, only a single test call."""
        return not self.is_out(now) and (self.losses == 0 or self.busy == 0)

    def leave_out(self, now: float, asked_for: float) -> None:
        """Avoid the server for at least `asked_for` seconds.

        Calls that it loses during the pause do not make the pause longer.
        """
        self.lost_at = now
        if not self.is_out(now):
            self.losses += 1
            pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(self.losses - 1, 64))
            self.out_until = now + max(pause, asked_for)
