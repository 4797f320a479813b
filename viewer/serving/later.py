"""Adds most pages only after the first one: a town is on the screen before they are loaded."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from viewer import pages
from viewer.house import House
from viewer.serving.guard import App, Receive, Scope, Send

QUIET_SECONDS = 6.0
"""After this time they are loaded in any case, so that the first click does not wait."""


class Later:
    """The app, whose other pages are added when one of them is asked for, or after a while."""

    def __init__(self, app: App, house: House) -> None:
        self.app = app
        self._house = house
        self._is_whole = False
        self._lock = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on a request, to the whole app where it needs it."""
        if scope["type"] == "http" and not self._is_whole and not pages.is_first(scope["path"]):
            await self.complete()
        await self.app(scope, receive, send)

    async def complete(self) -> None:
        """Add every other page, once."""
        async with self._lock:
            if not self._is_whole:
                await asyncio.to_thread(pages.load_rest)
                pages.add_rest(self._house)
                self._is_whole = True

    @contextlib.asynccontextmanager
    async def completed_soon(self) -> AsyncIterator[None]:
        """Add them in a quiet moment while the block runs."""

        async def soon() -> None:
            await asyncio.sleep(QUIET_SECONDS)
            await self.complete()

        task = asyncio.create_task(soon())
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
