"""Resources that the machine provides to a run today; none of them is part of the run itself."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from models.cache import ReplyCache
from models.keys import MaySend, forbid_all
from models.pacing import Backoff
from models.request import ModelSettings
from prompts.folder import WatchedFolder

if TYPE_CHECKING:
    from world.workers.messages import Part

VISITOR_PATIENCE = 120.0
"""Seconds that a visitor gets to read a line and to answer it."""


class Workers(Protocol):
    """A group of worker processes; an agent's thoughts all go to the same one."""

    def think(
        self, agent: str, request: bytes, mind: bytes, vectors: bytes
    ) -> "AsyncIterator[Part]":
        """Yield the parts of a worker's answer. Raises StoppedError when the worker is lost."""
        ...


@dataclass(frozen=True, kw_only=True)
class WorkerPlan:
    """The worker processes that make thoughts, and how models are asked there."""

    asking: ModelSettings
    open: Callable[[bytes], AbstractContextManager[Workers]]
    """Start the workers with a setup (`world.workers.messages`), and stop them at the end."""
    count: int
    """Number of workers."""


@dataclass(frozen=True, kw_only=True)
class RunResources:
    """Resources of one process that runs a run; another process may use different ones."""

    env: Mapping[str, str] | None = field(default=None, repr=False)
    """Environment with server addresses and API keys; None for the process's own."""
    may_send: MaySend = forbid_all
    """Decides whether keys may be sent to a server that only the run's folder names."""
    workers: "WorkerPlan | None" = None
    """The workers that make thoughts, if not this process."""
    backoff: Backoff = field(default_factory=Backoff)
    """How long an unreachable server is retried."""
    cache: ReplyCache | None = None
    """Cache of replies, shared between runs."""
    ahead: bool = False
    """Whether people who wait for others think ahead while the servers have nothing else to do."""
    visitor_patience: float = VISITOR_PATIENCE
    """Seconds of wall-clock time for which a talk waits for a visitor's line."""
    is_watched: bool = False
    """Whether a page may watch the run while it lives; its pulse then says who thinks."""
    seconds_left: Callable[[], float | None] = lambda: None
    """Estimates how long the run still takes, in seconds; None while that is not known."""
    prompts: WatchedFolder | None = None
    """Templates that the run uses from its next tick on, reloaded when they are edited."""
