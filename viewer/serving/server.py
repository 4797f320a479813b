"""The app as one ASGI application, served on a socket until Ctrl-C or until its parent ends."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from nicegui import Client, ui
from nicegui import app as nicegui_app

from smolville.agents.errors import SmolvilleError
from smolville.agents.wording import as_sentence
from smolville.models.errors import ModelError
from smolville.viewer import town_page
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import outline_fields
from smolville.viewer.frame import say_error
from smolville.viewer.playback import routes as replay_routes
from smolville.viewer.serving.children import ended_with
from smolville.viewer.serving.guard import (
    AccessControl,
    App,
    OriginGuard,
    Receive,
    Scope,
    Send,
    give_nonces,
)
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

FIRST = ("/run/", "/replay/", "/stage/", "/_nicegui")
"""Prefixes of the addresses that make up a town page."""
REST = (
    *("why.thought_page", "story.story_page", "story.news_page", "story.path_page"),
    *("story.relations_page", "story.knowledge_page", "starting.start_page", "compare_page"),
)
"""The modules of the other pages."""
INTERVIEWS = "taking_part.interview"
"""The module that holds models open, which `close_rooms` closes."""
NOT_THERE = "There is no page at this address."
BROKEN = "This page could not be made. The town is not touched by it; what broke was logged."
DATA = ("/replay/", "/stage/")
"""Prefixes of data addresses, whose errors are sent as JSON."""


class LazyPages:
    """The app with the pages of a town; the others are added once requested, or after a while.

    Importing them takes as long as everything else that the app does when it starts.
    """

    def __init__(self, app: App, config: AppConfig) -> None:
        self.app = app
        self._config = config
        self._is_whole = False
        self._lock = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, after adding the other pages if it needs them."""
        if scope["type"] == "http" and not self._is_whole and not _is_first(scope["path"]):
            await self.complete()
        await self.app(scope, receive, send)

    async def complete(self, after: float = 0.0) -> None:
        """Add all other pages, once; `after` are the seconds to wait before."""
        await asyncio.sleep(after)
        async with self._lock:
            if not self._is_whole:
                modules = await asyncio.to_thread(load_rest)
                nicegui_app.on_shutdown(modules.pop().close_rooms)
                outline_fields()
                for module in modules:
                    module.add(self._config)
                self._is_whole = True


def load_rest() -> list[ModuleType]:
    """Import the modules of the other pages, and of interviews."""
    return [import_module(f"smolville.viewer.{name}") for name in (*REST, INTERVIEWS)]


def _is_first(path: str) -> bool:
    parts = path.strip("/").split("/")
    is_deeper = parts[0] == "run" and len(parts) > 2
    return path == "/" or (path.startswith(FIRST) and not is_deeper)


def build_app(config: AppConfig) -> LazyPages:
    """Return the app for a folder of runs, without access control."""
    app = FastAPI(title=TITLE, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_route("/stage/{path:path}", stage_files())
    replay_routes.add(app, config)
    town_page.add(app, config)
    _add_error_pages()
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


def _add_error_pages() -> None:
    for error in (SmolvilleError, ModelError):
        nicegui_app.add_exception_handler(error, _respond_with_error)
    nicegui_app.add_exception_handler(404, _missing)
    nicegui_app.add_exception_handler(Exception, _respond_page_failed)


def _sentence_page(request: Request, text: str, status: int) -> Response:
    if request.url.path.startswith(("/_nicegui", *DATA)):
        return JSONResponse({"detail": text}, status)
    with Client(ui.page(""), request=request) as client:
        say_error(text)
    return client.build_response(request, status)


async def _respond_with_error(request: Request, error: Exception) -> Response:
    return _sentence_page(request, as_sentence(str(error) or type(error).__name__), 404)


async def _missing(request: Request, error: Exception) -> Response:
    return _sentence_page(request, NOT_THERE, 404)


async def _respond_page_failed(request: Request, error: Exception) -> Response:
    """Return the response for a page that could not be made; the error itself is logged."""
    return _sentence_page(request, BROKEN, 500)


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
    soon = asyncio.create_task(app.complete(QUIET_SECONDS))
    await server.serve(sockets=[listener])
    soon.cancel()


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
