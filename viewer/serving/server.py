"""Serves the app on a socket until it is ended by Ctrl-C, a signal, or the end of its parent."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
from collections.abc import Iterator

import uvicorn

from viewer.house import AppRuns
from viewer.serving.app import build_app
from viewer.serving.children import ended_with
from viewer.serving.door import AccessControl
from viewer.serving.guard import OriginGuard
from viewer.serving.later import LazyPages

GRACE = 1
"""Seconds that open streams get at shutdown."""
ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class QuietServer(uvicorn.Server):
    """A server for which a signal is a normal end."""

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
    house: AppRuns, door: AccessControl, listener: socket.socket, lifeline: int | None
) -> None:
    """Serve until the end; with a `lifeline`, also until that file is closed at its other end."""
    _keep_quiet()
    with ended_with(house):
        app = build_app(house)
        config = uvicorn.Config(
            OriginGuard(app, door),
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=GRACE,
        )
        asyncio.run(_served(QuietServer(config), app, listener, lifeline))


async def _served(
    server: QuietServer, app: LazyPages, listener: socket.socket, lifeline: int | None
) -> None:
    """Serve in this event loop."""
    if lifeline is not None:
        _watch(server, lifeline)
    async with app.completed_soon():
        await server.serve(sockets=[listener])


def _watch(server: QuietServer, lifeline: int) -> None:
    """Shut down the server when the other end of `lifeline` is closed, for whatever reason."""
    loop = asyncio.get_running_loop()

    def heard() -> None:
        if not os.read(lifeline, 4096):
            loop.remove_reader(lifeline)
            server.should_exit = True

    loop.add_reader(lifeline, heard)


def _keep_quiet() -> None:
    """Let libraries log errors only; a request for an unknown address is not one."""
    logging.getLogger("uvicorn").setLevel(logging.ERROR)
    logging.getLogger("nicegui").setLevel(logging.ERROR)
    logging.getLogger("uvicorn.error").addFilter(_is_no_end)


def _is_no_end(record: logging.LogRecord) -> bool:
    """Return False for messages about streams still open at shutdown, which is normal."""
    is_cut = record.exc_info is not None and record.exc_info[0] is asyncio.CancelledError
    return not is_cut and "graceful shutdown exceeded" not in record.getMessage()
