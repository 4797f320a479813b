"""What one agent carries from tick to tick."""

from dataclasses import dataclass, field

from agents.plan import DayPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class Impression:
    """What one agent makes of another (the social memory of Affordable Generative Agents)."""

    relationship: str
    feeling: str = ""
    summary: str = ""
    """What they last talked about."""
    at: int = 0
    """Town second of the last change."""
    talks: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPlace:
    """An arena as somebody knows it: its objects, and their states as last seen."""

    objects: tuple[str, ...] = ()
    states: tuple[tuple[str, str], ...] = ()
    """(object, state) pairs that differ from idle, as last seen."""
    owners: tuple[str, ...] = ()
    """Who lives there; empty for a public place."""
    seen: int = -1
    """Town second of the look that last found it changed; -1 when it was never seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mind:
    """One agent's plan, counters, impressions and known places; saved with every commit.

    It is never changed in place: a thought returns a new one (`dataclasses.replace`).
    """

    name: str
    currently: str
    requirement: str
    """What today must hold."""
    plan: DayPlan | None = None
    places: dict[str, KnownPlace] = field(default_factory=dict)
    """`sector: arena` to what is known of it; grows by seeing."""
    impressions: dict[str, Impression] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)
    """Event key to the town second at which it was taken in: what is in here is not new."""
    considered: dict[str, int] = field(default_factory=dict)
    """Name to the town second at which a reaction to them was last considered."""
    talked: dict[str, int] = field(default_factory=dict)
    """Name to the town second at which the last talk with them ended."""
    unrated: tuple[str, ...] = ()
    """Ids of memories that have no rating yet, oldest first."""
    gathered: float = 0.0
    """Importance of rated memories since the last reflection."""
    reflected: int = -1_000_000
    """Town second of the last reflection."""
    refused: tuple[str, ...] = ()
    """Objects that turned out to be taken, for the present activity."""
