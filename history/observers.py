"""Observers that are notified while a run is in progress: the progress bar, the log, a viewer.

LangChain's own tracer is not one of them, because it posts a copy of the whole state with every
traced call. Traces are built from the history instead (`lab.tracing`). If LANGSMITH_TRACING is set,
LangChain would trace every graph, prompt and call by itself, even without a key.
"""

from collections.abc import Awaitable, Iterable
from typing import Any, TypeVar

from smolville.graphs.loop.ledger import AskEvent, Call
from smolville.history.records import CommitBatch
from smolville.models.errors import TransportError


class RunObserver:
    """Base class of observers: has a method for every notification of a run, all empty."""

    @property
    def wants_asks(self) -> bool:
        """Whether to notify this observer of questions (`asks`); notifying it takes time."""
        return False

    def asks(self, owner: str, asked: AskEvent | None) -> None:
        """Called when a thought or talk of `owner` asks a question; with None when it ends."""

    def on_tick(self, tick: int) -> None:
        """Called when a tick is done."""

    def on_call(self, call: Call, served: bool) -> None:
        """Called after each call; `served` is True if the reply came from the journal."""

    def waiting(self, error: TransportError, seconds: float) -> None:
        """Called before a wait of `seconds` after a lost call."""

    def on_server(self, sentence: str) -> None:
        """Called with a sentence when a server of a model is no longer used, or is used again."""

    def on_pause(self, is_held: bool) -> None:
        """Called when the run is paused between two ticks, or goes on."""

    def listening(self, sentence: str) -> None:
        """Called with a sentence naming whose line a talk waits for; empty if it continues."""

    def on_commit(self, batch: CommitBatch) -> None:
        """Called after each commit."""


def _to_all(name: str) -> Any:
    """Return a method that passes a notification on to every observer, in order."""

    def told(self: "RunObservers", *given: object) -> None:
        for watch in self.watches:
            getattr(watch, name)(*given)

    return told


class RunObservers(RunObserver):
    """Passes every notification on to several observers, in order."""

    def __init__(self, watches: Iterable[RunObserver]) -> None:
        self.watches = tuple(watches)

    @property
    def wants_asks(self) -> bool:
        """Whether any of the observers currently wants to be notified of questions (`asks`)."""
        return any(watch.wants_asks for watch in self.watches)

    asks = _to_all("asks")
    on_tick = _to_all("on_tick")
    on_call = _to_all("on_call")
    waiting = _to_all("waiting")
    on_server = _to_all("on_server")
    on_pause = _to_all("on_pause")
    listening = _to_all("listening")
    on_commit = _to_all("on_commit")


T = TypeVar("T")


async def untraced(work: Awaitable[T]) -> T:
    """Await `work` while LangChain's tracer is off, also for tasks that `work` starts."""
    # Imported here: a page that watches a run needs observers, but no tracer.
    from langsmith.run_helpers import tracing_context

    with tracing_context(enabled=False):
        return await work
