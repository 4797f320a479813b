"""The app as one ASGI application, served on a socket until Ctrl-C or until its parent ends."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
from collections.abc import AsyncIterator, Iterator

import uvicorn
from fastapi import FastAPI
from nicegui import app as nicegui_app
from nicegui import ui

from smolville.viewer import pages
from smolville.viewer.config import AppConfig
from smolville.viewer.serving.children import ended_with
from smolville.viewer.serving.error_pages import add_error_pages
from smolville.viewer.serving.guard import AccessControl, App, OriginGuard, Receive, Scope, Send
from smolville.viewer.serving.policy import give_nonces
from smolville.viewer.serving.stage_files import stage_files

QUIET_SECONDS = 6.0
"""Seconds after which all pages are loaded even without a request, so that the first click is fast.
"""
TITLE = "Smolville"
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    '<path fill="#7a3b63" d="M3 16 16 4l13 12v13H3z"/><path fill="#fbf8f1" d="M13 19h6v10h-6z"/>'
    "</svg>"
)
"""The site icon, a house.

It is part of the page, because browsers request an icon file again for every address.
"""
GRACE = 1
"""Seconds that open streams may go on at shutdown."""
ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class LazyPages:
    """The app with its first pages; the others are added once requested, or after a while."""

    def __init__(self, app: App, config: AppConfig) -> None:
        self.app = app
        self._config = config
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
                pages.add_rest(self._config)
                self._is_whole = True

    @contextlib.asynccontextmanager
    async def completed_soon(self) -> AsyncIterator[None]:
        """Add the other pages after a while, unless the block has ended by then."""

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


def build_app(config: AppConfig) -> LazyPages:
    """Return the app for a folder of runs, without access control."""
    app = FastAPI(title=TITLE, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_route("/stage/{path:path}", stage_files())
    pages.add_first(app, config)
    add_error_pages(app)
    give_nonces()
    # NiceGUI's loading bar would follow the page's own requests, and has no accessible name.
    nicegui_app.config.quasar_config["loadingBar"]["skipHijack"] = True
    # No compression: on the same machine it would only take time.
    ui.run_with(
        app,
        title=TITLE,
        favicon=ICON,
        language="en-US",
        dark=None,
        tailwind=False,
        show_welcome_message=False,
        gzip_middleware_factory=None,
    )
    return LazyPages(app, config)


class QuietServer(uvicorn.Server):
    """A server that shuts down normally on a signal, instead of raising the signal again."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Shut down on a signal while the block runs; the signal is not raised again afterwards."""
        before = {each: signal.signal(each, self.handle_exit) for each in ENDS}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)


def serve_app(
    config: AppConfig, door: AccessControl, listener: socket.socket, lifeline: int | None
) -> None:
    """Serve until Ctrl-C or a signal; with a `lifeline`, also until its other end is closed."""
    _keep_quiet()
    with ended_with(config):
        app = build_app(config)
        server = uvicorn.Config(
            OriginGuard(app, door),
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=GRACE,
        )
        serving = _serve_in_loop(QuietServer(server), app, listener, lifeline)
        try:
            asyncio.run(serving)
        finally:
            # Ctrl-C may come before the loop has started it.
            serving.close()


async def _serve_in_loop(
    server: QuietServer, app: LazyPages, listener: socket.socket, lifeline: int | None
) -> None:
    if lifeline is not None:
        _watch(server, lifeline)
    async with app.completed_soon():
        await server.serve(sockets=[listener])


def _watch(server: QuietServer, lifeline: int) -> None:
    """Shut down the server when the other end of `lifeline` is closed, for whatever reason."""
    loop = asyncio.get_running_loop()

    def hear_connection() -> None:
        if not os.read(lifeline, 4096):
            loop.remove_reader(lifeline)
            server.should_exit = True

    loop.add_reader(lifeline, hear_connection)


def _keep_quiet() -> None:
    """Make libraries log errors only, and not log requests for unknown addresses."""
    logging.getLogger("uvicorn").setLevel(logging.ERROR)
    logging.getLogger("nicegui").setLevel(logging.ERROR)
    logging.getLogger("uvicorn.error").addFilter(_is_no_end)


def _is_no_end(record: logging.LogRecord) -> bool:
    """Return whether to log a message: not if it is about streams still open at shutdown."""
    is_cut = record.exc_info is not None and record.exc_info[0] is asyncio.CancelledError
    return not is_cut and "graceful shutdown exceeded" not in record.getMessage()
