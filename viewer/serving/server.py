"""Serves the app on a socket until somebody ends it: Ctrl-C, a signal, or a parent that is gone."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
from collections.abc import Iterator

import uvicorn

from viewer.house import House
from viewer.serving.app import build_app
from viewer.serving.children import ended_with
from viewer.serving.door import Door
from viewer.serving.guard import Guard
from viewer.serving.later import Later

GRACE = 1
"""Seconds that open streams are given at the end."""
ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class QuietServer(uvicorn.Server):
    """A server whose end by a signal is an end like any other."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End on a signal while the block runs; the signal is not raised again after it."""
        before = {each: signal.signal(each, self.handle_exit) for each in ENDS}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)


def serve_app(house: House, door: Door, listener: socket.socket, lifeline: int | None) -> None:
    """Serve until the end; with a `lifeline` it comes when that file ends."""
    _keep_quiet()
    with ended_with(house):
        app = build_app(house)
        config = uvicorn.Config(
            Guard(app, door), log_config=None, access_log=False, timeout_graceful_shutdown=GRACE
        )
        asyncio.run(_served(QuietServer(config), app, listener, lifeline))


async def _served(
    server: QuietServer, app: Later, listener: socket.socket, lifeline: int | None
) -> None:
    """Serve in this event loop."""
    if lifeline is not None:
        _watch(server, lifeline)
    async with app.completed_soon():
        await server.serve(sockets=[listener])


def _watch(server: QuietServer, lifeline: int) -> None:
    """End the server when the other end of `lifeline` is closed, however that comes about."""
    loop = asyncio.get_running_loop()

    def heard() -> None:
        if not os.read(lifeline, 4096):
            loop.remove_reader(lifeline)
            server.should_exit = True

    loop.add_reader(lifeline, heard)


def _keep_quiet() -> None:
    """Let libraries speak of faults only; an address that is not there is none."""
    logging.getLogger("uvicorn").setLevel(logging.ERROR)
    logging.getLogger("nicegui").setLevel(logging.ERROR)
    logging.getLogger("uvicorn.error").addFilter(_is_no_end)


def _is_no_end(record: logging.LogRecord) -> bool:
    """False for the complaints that streams were still open at the end: they always are."""
    is_cut = record.exc_info is not None and record.exc_info[0] is asyncio.CancelledError
    return not is_cut and "graceful shutdown exceeded" not in record.getMessage()
