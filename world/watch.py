"""Who is told while a run lives: the progress bar, the log, a viewer.

LangChain's own tracer is not: it copies a whole state into every run that it posts. Traces are
built from the history instead (`lab.tracing`). With LANGSMITH_TRACING in the environment LangChain
would trace every graph, prompt and call by itself, without a key as well.
"""

from collections.abc import Awaitable, Iterable
from typing import TypeVar

from langsmith.run_helpers import tracing_context

from graphs.loop.ledger import Call
from graphs.streaming import AskEvent
from models.errors import TransportError
from world.records import Batch


class Watch:
    """Hears of everything that happens to a run; this one does nothing with it."""

    @property
    def wants_asks(self) -> bool:
        """True while it is of use to hear what minds ask; hearing of it has a price."""
        return False

    def asks(self, owner: str, asked: AskEvent | None) -> None:
        """Hear what is asked in an owner's thought or talk; None once that is over."""

    def ticked(self, tick: int) -> None:
        """Hear that a tick is done."""

    def called(self, call: Call, served: bool) -> None:
        """Hear of a call; `served` when the journal had it."""

    def waiting(self, error: TransportError, seconds: float) -> None:
        """Hear of a pause after a lost call."""

    def held(self, is_held: bool) -> None:
        """Hear that somebody holds the run between two ticks, or lets it go on."""

    def edited(self, told: str) -> None:
        """Hear, in a sentence, which templates were edited, and from when they hold."""

    def refused(self, told: str) -> None:
        """Hear, in a sentence, why an edit of the templates is not taken."""

    def listening(self, told: str) -> None:
        """Hear, in a sentence, for whose line a talk waits; nothing when it goes on."""

    def committed(self, batch: Batch) -> None:
        """Hear of a commit."""


class Watches(Watch):
    """Several that hear of the same run, in their order."""

    def __init__(self, watches: Iterable[Watch]) -> None:
        self._watches = tuple(watches)

    @property
    def wants_asks(self) -> bool:
        """True while any of them wants to hear what minds ask."""
        return any(watch.wants_asks for watch in self._watches)

    def asks(self, owner: str, asked: AskEvent | None) -> None:
        """Tell all what is asked."""
        for watch in self._watches:
            watch.asks(owner, asked)

    def ticked(self, tick: int) -> None:
        """Tell all that a tick is done."""
        for watch in self._watches:
            watch.ticked(tick)

    def called(self, call: Call, served: bool) -> None:
        """Tell all of a call."""
        for watch in self._watches:
            watch.called(call, served)

    def waiting(self, error: TransportError, seconds: float) -> None:
        """Tell all of a pause after a lost call."""
        for watch in self._watches:
            watch.waiting(error, seconds)

    def held(self, is_held: bool) -> None:
        """Tell all that the run is held, or goes on."""
        for watch in self._watches:
            watch.held(is_held)

    def edited(self, told: str) -> None:
        """Tell all of edited templates."""
        for watch in self._watches:
            watch.edited(told)

    def refused(self, told: str) -> None:
        """Tell all of an edit that is not taken."""
        for watch in self._watches:
            watch.refused(told)

    def listening(self, told: str) -> None:
        """Tell all for whose line a talk waits."""
        for watch in self._watches:
            watch.listening(told)

    def committed(self, batch: Batch) -> None:
        """Tell all of a commit."""
        for watch in self._watches:
            watch.committed(batch)


T = TypeVar("T")


async def untraced(work: Awaitable[T]) -> T:
    """Do some work, and all that it begins, without LangChain's tracer."""
    with tracing_context(enabled=False):
        return await work
