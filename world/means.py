"""What a machine brings to a run today; nothing of it belongs to the run itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from models.cache import ReplyCache
from models.keys import MaySend, never
from models.pacing import Backoff
from prompts.watched import WatchedFolder

VISITOR_PATIENCE = 120.0
"""Seconds in which a person has read a line and written one."""


@dataclass(frozen=True, kw_only=True)
class Means:
    """With what a run is lived this time; another time it may be something else."""

    env: Mapping[str, str] | None = field(default=None, repr=False)
    """Where servers are and which keys they want; None for the process's environment."""
    may_send: MaySend = never
    """Decides whether keys go to a server that only the run's folder names."""
    backoff: Backoff = field(default_factory=Backoff)
    """How long a server that went away is waited for."""
    cache: ReplyCache | None = None
    """Where replies are kept from run to run."""
    visitor_patience: float = VISITOR_PATIENCE
    """Seconds of wall time for which a talk waits for a visitor's line."""
    is_watched: bool = False
    """Whether a page may look at the run while it lives; its pulse then says who thinks."""
    prompts: WatchedFolder | None = None
    """Templates that the run goes on with from its next tick on, and as they are edited."""
