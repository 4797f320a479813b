"""Binds the app to a port, says where it is, and serves it until it is ended.

The port listens before the app is put together: a browser that comes at once waits for the first
page instead of being turned away.
"""

import errno
import os
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agents.errors import RunError
from cli.screen import say, write
from cli.viewing.asked import Asked

if TYPE_CHECKING:
    from viewer.house import House

HERE = "127.0.0.1"
WAITING = 128
"""Visitors that may wait until the app is there."""
STDIN = 0
"""What a server beside a run reads: it ends with whoever holds the other end."""
ENDS = "Ctrl-C ends it."


def own_command() -> tuple[str, ...]:
    """Return the first words of our own command line, the folder we stand in left aside."""
    return (sys.executable, "-P", "-m", "cli.main")


def serve(
    runs: Path,
    settings: Path | None,
    asked: Asked,
    *,
    host: str,
    port: int,
    token: str,
    with_browser: bool,
) -> None:
    """Serve the app until it is interrupted."""
    latest = _checked(runs, asked)
    with listening(host, port) as listener:
        token = _token(host, token)
        where = address_of(listener, host) + asked.path(latest)
        if token:
            where += f"{'&' if '?' in where else '?'}token={token}"
        # Never broken by a narrow terminal: this line is there to be clicked and copied.
        write(f"{where}  ({ENDS})" if sys.stdout.isatty() else where)
        if with_browser:
            from cli.viewing.browsing import open_browser

            open_browser(where)
        _serve(runs, settings, listener, host=host, token=token, lifeline=None)


def serve_beside(runs: Path, settings: Path | None, listener: int) -> None:
    """Serve the app on a socket that a run has opened, until the run's process is gone."""
    with socket.socket(fileno=listener) as opened:
        _serve(runs, settings, opened, host=HERE, token="", lifeline=STDIN)


def listening(host: str = HERE, port: int = 0) -> socket.socket:
    """Return a socket that listens; RunError when it cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=WAITING)
    except OSError as error:
        raise RunError(_why_not(error, host, port)) from error


def address_of(listener: socket.socket, host: str = HERE) -> str:
    """Return the address at which a browser on this machine finds a socket."""
    port = listener.getsockname()[1]
    name = {"0.0.0.0": HERE, "::": "::1"}.get(host, host)  # noqa: S104 - only told
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def _serve(
    runs: Path,
    settings: Path | None,
    listener: socket.socket,
    *,
    host: str,
    token: str,
    lifeline: int | None,
) -> None:
    """Put the app together and serve it."""
    from viewer.serving.door import Door
    from viewer.serving.server import serve_app

    door = Door(host=host, port=listener.getsockname()[1], token=token)
    serve_app(_house(runs, settings, token), door, listener, lifeline)


def _house(runs: Path, settings: Path | None, token: str) -> "House":
    from cli.viewing.minds import MindsOf
    from viewer.house import House

    # A page's runs find the same settings as the app itself.
    named = ("--settings", str(settings)) if settings is not None else ()
    minds = MindsOf(settings)
    return House(
        runs=runs,
        minds=minds,
        embedder=minds.embedder,
        command=(*own_command(), *named),
        env=dict(os.environ),
        token=token,
    )


def _checked(runs: Path, asked: Asked) -> str:
    """Return the latest run's name; RunError for a run that was named and cannot be opened."""
    from world.runs.folder import RunFolder, list_runs

    if asked.run:
        folder = RunFolder.open(runs, asked.run)
        if folder.is_sample:
            from world.telling.recording import recording_told

            say(recording_told(folder), "dim", on_stderr=True)
        return asked.run
    return next(iter(list_runs(runs)), "")


def _token(host: str, token: str) -> str:
    """Return what visitors must show: nothing where only this machine comes in."""
    from viewer.serving.door import is_loopback

    if token and not (token.isascii() and token.replace("-", "").replace("_", "").isalnum()):
        raise RunError("--token: use letters, digits, `-` and `_` only, without spaces.")
    if token or is_loopback(host):
        return token
    import secrets

    say(f"Whoever reaches {host} and has the whole address can look in and take part.", "dim")
    return secrets.token_urlsafe(16)


def _why_not(error: OSError, host: str, port: int) -> str:
    """Return why a port cannot be had, and what to do."""
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is in use; choose another --port, or leave it out"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"port {port} of {host} is not ours to open; choose one above 1023"
    why = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
    return f"nothing can be served at {host}: {why}; choose another --host"
