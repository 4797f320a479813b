"""Resources that the present machine provides to a run; none of them is part of the run itself."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Literal, Protocol

from smolville.models.cache import ReplyCache
from smolville.models.keys import MaySend, forbid_all
from smolville.models.pacing import Backoff
from smolville.models.request import ModelSettings
from smolville.prompts.prompt import TemplateSet

VISITOR_PATIENCE = 120.0
"""Seconds that a visitor has to read a line and to answer it."""

Part = tuple[Literal["news", "reply"], bytes]
"""One part of a worker's answer; the reply is the last."""


class Workers(Protocol):
    """A group of worker processes; all thoughts of an agent go to the same process."""

    def think(self, agent: str, request: bytes, mind: bytes, vectors: bytes) -> AsyncIterator[Part]:
        """Yield the parts of a worker's answer; raises StoppedError if the worker is lost."""
        ...


@dataclass(frozen=True, kw_only=True)
class WorkerPlan:
    """The worker processes that make thoughts, and the way in which models are asked there."""

    asking: ModelSettings
    open: Callable[[bytes], AbstractContextManager[Workers]]
    """Function that starts the workers with a setup (`world.workers.worker`) and later stops
    them.
    """
    count: int
    """Number of workers."""


@dataclass(frozen=True, kw_only=True)
class RunResources:
    """Resources of one process that executes a run; another process may use different ones."""

    env: Mapping[str, str] | None = field(default=None, repr=False)
    """Environment with server addresses and API keys; None for that of this process."""
    may_send: MaySend = forbid_all
    """Function that decides whether keys may be sent to a server that only the run's folder names.
    """
    workers: "WorkerPlan | None" = None
    """The workers that make thoughts; None if this process makes them."""
    backoff: Backoff = field(default_factory=Backoff)
    """How long and how often an unreachable server is asked again."""
    cache: ReplyCache | None = None
    """Cache of replies, shared between runs."""
    visitor_patience: float = VISITOR_PATIENCE
    """Seconds of wall-clock time for which a talk waits for a visitor's line."""
    is_watched: bool = False
    """True if a page may watch the run; then the run reports who is thinking."""
    seconds_left: Callable[[], float | None] = lambda: None
    """Function that estimates how many seconds the run still takes; None while that is unknown."""
    templates: TemplateSet | None = None
    """Templates that the run uses from its next tick on; None for those that it has."""
