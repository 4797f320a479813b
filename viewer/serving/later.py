"""Adds most pages after the first one, so that a town is shown before they are loaded."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from viewer import pages
from viewer.house import AppRuns
from viewer.serving.guard import App, Receive, Scope, Send

QUIET_SECONDS = 6.0
"""Seconds after which they are loaded in any case, so that the first click is fast."""


class LazyPages:
    """The app, whose other pages are added on the first request for one, or after a while."""

    def __init__(self, app: App, house: AppRuns) -> None:
        self.app = app
        self._house = house
        self._is_whole = False
        self._lock = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, after adding the other pages if it needs them."""
        if scope["type"] == "http" and not self._is_whole and not pages.is_first(scope["path"]):
            await self.complete()
        await self.app(scope, receive, send)

    async def complete(self) -> None:
        """Add all other pages, once."""
        async with self._lock:
            if not self._is_whole:
                await asyncio.to_thread(pages.load_rest)
                pages.add_rest(self._house)
                self._is_whole = True

    @contextlib.asynccontextmanager
    async def completed_soon(self) -> AsyncIterator[None]:
        """Add the other pages after a while, as long as the block runs."""

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
