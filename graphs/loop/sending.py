"""Send a call to a model's servers until one answers: at once to the next one, or after a pause."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from smolville.agents.errors import StoppedError
from smolville.models.chat import Chat
from smolville.models.errors import TransportError
from smolville.models.pacing import Backoff, ask_with_backoff, gave_up
from smolville.models.reply import Reply
from smolville.models.slots import SlotInUse

T = TypeVar("T")
Waiting = Callable[[TransportError, float], None]
"""Callback with the error of a lost call, and the seconds until it is retried."""
LAST_SECONDS = 1.0
"""Seconds for which a call still waits for its reply after its thought was cancelled."""


@dataclass(kw_only=True)
class SentCall:
    """A call that holds a slot of a server, with its transport errors so far."""

    used: SlotInUse
    servers: Sequence[Chat]
    """The model's servers, in the order in which the slots name them."""
    ask: Callable[[Chat], Awaitable[Reply]]
    """Sends the call to a server."""
    left_out: set[str]
    """Names of the servers that are avoided now; all calls of a run share this set."""
    waiting: Waiting
    told: Callable[[str], None]
    """Called with a sentence when a server is avoided, or answers again."""
    lost: list[str] = field(default_factory=list)
    """One sentence for each time that a server lost the call."""
    lost_by: list[str] = field(default_factory=list)
    """Specs of the servers that lost it, in the same order."""

    @property
    def server(self) -> Chat:
        """The server that has the call now, or answered it last."""
        return self.servers[self.used.server]

    async def send(self, backoff: Backoff) -> Reply:
        """Return the reply. Raises StoppedError if no server is back after the last retry."""

        def noted(error: TransportError, seconds: float) -> None:
            self.lost.append(str(error))
            self.waiting(error, seconds)

        try:
            return await with_retries(self._ask_servers, backoff, noted)
        except StoppedError as error:
            self.lost.append(str(error.__cause__))
            raise

    async def _ask_servers(self) -> Reply:
        """Return the first server's reply that arrives. Raises TransportError if none does."""
        while True:
            server = self.server
            try:
                reply = await self._ask(server)
            except TransportError as error:
                self.lost_by.append(server.spec)
                if not error.retryable or not await self.used.move_on(error):
                    raise
                self.lost.append(str(error))
                self._tell_left_out(server.server, error)
            else:
                self.used.answered()
                self._tell_answer(server.server)
                return reply

    async def _ask(self, server: Chat) -> Reply:
        """Return one server's reply to the call."""
        asking = self.ask(server)
        if server.is_instant:
            return await asking
        call = asyncio.ensure_future(asking)
        await wait_for_reply(call)
        return call.result()

    def _tell_left_out(self, server: str, error: TransportError) -> None:
        """Report that a server is avoided, unless that was reported before."""
        if server not in self.left_out:
            self.left_out.add(server)
            self.told(f"{error} Its calls go to the other servers until it answers again.")

    def _tell_answer(self, server: str) -> None:
        """Report that a server answers again, if it was avoided."""
        if server in self.left_out:
            self.left_out.remove(server)
            self.told(f"{server} answers again.")


async def wait_for_reply(call: "asyncio.Future[T]") -> None:
    """Wait until a call has ended; if the caller is cancelled, wait only briefly.

    When a run stops, a reply may already be on its way. The caller stores it, then calls
    `end_if_cancelled`.
    """
    try:
        await asyncio.wait([call])
    except asyncio.CancelledError:
        try:
            await asyncio.wait([call], timeout=LAST_SECONDS)
        finally:
            has_reply = call.done() and not call.cancelled() and call.exception() is None
            call.cancel()
        if not has_reply:
            raise


def end_if_cancelled() -> None:
    """Raise CancelledError if the running task was cancelled while it waited for a reply."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


async def with_retries(ask: Callable[[], Awaitable[T]], backoff: Backoff, lost: Waiting) -> T:
    """Return the result of `ask()`. Raises StoppedError if the server is gone after the last retry.

    `lost` is called with every lost call that is retried, and the pause before the retry.
    """
    paused: list[float] = []

    def noted(error: TransportError, seconds: float) -> None:
        paused.append(seconds)
        lost(error, seconds)

    try:
        return await ask_with_backoff(ask, backoff=backoff, on_retry=noted)
    except TransportError as error:
        raise StoppedError(gave_up(error, paused)) from error
