"""Serve the browser app: bind a port, print the address, open the browser and models.

The port listens before the app is ready: a browser that connects at once waits for the first page
instead of being refused. Every account on a machine can read the command lines of all processes, so
an address that holds a token is never passed to a browser: the browser opens a file that leads to
the address and that only its owner can read.
"""

import atexit
import errno
import os
import secrets
import socket
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from smolville.agents.errors import RunError
from smolville.agents.times import moment, read_moment
from smolville.cli.options import where
from smolville.cli.screen import say, write

if TYPE_CHECKING:
    from smolville.history.spec import RunSpec
    from smolville.viewer.config import AppConfig, AppModels

HERE = "127.0.0.1"
WAITING = 128
"""Maximum number of connections that wait until the app is ready."""
STDIN = 0
"""File descriptor that a server beside a run reads; the server ends when the run closes the other
end."""
ENDS = "Ctrl-C ends it."


SPEEDS = ("1", "2", "4", "8", "16", "32", "64", "live")


@dataclass(frozen=True, kw_only=True)
class ViewTarget:
    """A run, a moment and a speed; each is empty if it was not given."""

    run: str = ""
    at: str = ""
    """The moment, in the form used in addresses: `1-14:30`."""
    speed: str = ""

    @classmethod
    def read(cls, run: str | None, *, at: str | None, speed: str | None) -> "ViewTarget":
        """Parse what was typed; raise RunError for invalid values."""
        fast = (speed or "").strip().lower().removesuffix("x")
        if speed is not None and fast not in SPEEDS:
            raise RunError(f"--speed {speed!r} is invalid: use {', '.join(SPEEDS[:-1])} or live.")
        return cls(run=run or "", at="" if at is None else _address_of(at), speed=fast)

    def path(self, latest: str = "") -> str:
        """Return the path of the address; `latest` is the run to show if none was named."""
        name = self.run or latest
        if not name:
            return "/start"
        values = {"at": self.at, "speed": self.speed}
        query = urlencode({key: value for key, value in values.items() if value}, safe=":")
        return f"/run/{quote(name, safe='')}" + (f"?{query}" if query else "")


def _address_of(at: str) -> str:
    try:
        return moment(read_moment(at)).replace(" ", "-")
    except ValueError as error:
        raise RunError(f"--at: {error}.") from error


def own_command() -> tuple[str, ...]:
    """Return the start of our own command line; `-P` keeps the working directory off the path."""
    return (sys.executable, "-P", "-m", "smolville.cli.main")


def serve(
    runs: Path,
    settings: Path | None,
    asked: ViewTarget,
    *,
    host: str,
    port: int,
    token: str,
    with_browser: bool,
) -> None:
    """Serve the app until it is interrupted, to whoever has the token; empty for a random one."""
    latest = _check_target(runs, asked)
    token = checked_token(token)
    with listening(host, port) as listener:
        _say_who_may_enter(host)
        where = with_token(address_of(listener, host) + asked.path(latest), token)
        # Never wrapped to a narrow terminal: this line is meant to be clicked and copied.
        write(f"{where}  ({ENDS})" if sys.stdout.isatty() else where)
        if with_browser:
            open_browser(where, runs)
        # Ctrl-C ends it the same way before the app is ready.
        with suppress(KeyboardInterrupt):
            _serve(runs, settings, listener, host=host, token=token)


def serve_beside(runs: Path, settings: Path | None, listener: int, token: str) -> None:
    """Serve the app on a socket that a run has opened, until the run's process has ended."""
    with socket.socket(fileno=listener) as opened:
        token = checked_token(token)
        _serve(runs, settings, opened, host=HERE, token=token, lifeline=STDIN)


def listening(host: str = HERE, port: int = 0) -> socket.socket:
    """Return a listening socket; raise RunError when it cannot be opened."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=WAITING)
    except OSError as error:
        raise RunError(_why_not(error, host, port)) from error


def address_of(listener: socket.socket, host: str = HERE) -> str:
    """Return the address at which a browser on this machine reaches a socket."""
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
    lifeline: int | None = None,
) -> None:
    with _absent("aiohttp", "requests", "websocket"):
        from smolville.viewer.serving.guard import AccessControl
        from smolville.viewer.serving.server import serve_app

    door = AccessControl(host=host, port=listener.getsockname()[1], token=token)
    serve_app(_config(runs, settings), door, listener, lifeline)


@contextmanager
def _absent(*names: str) -> Iterator[None]:
    """Make packages that are not loaded yet look absent while the block runs.

    NiceGUI's websocket library imports them for its clients, which nobody here uses, and it works
    without them. Loading them would take a fifth of the start-up time.
    """
    hidden = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]


def _config(runs: Path, settings: Path | None) -> "AppConfig":
    from smolville.viewer.config import AppConfig

    # Runs that are started from the page use the same settings as the app itself.
    named = ("--settings", str(settings)) if settings is not None else ()
    return AppConfig(
        runs=runs,
        minds=MindsOf(settings),
        command=(*own_command(), *named),
        where=where(runs),
        env=dict(os.environ),
    )


def _check_target(runs: Path, asked: ViewTarget) -> str:
    """Return the run to show, by default the latest run that can be opened.

    Raises RunError if the requested run cannot be opened. If no run can be opened, the latest is
    returned, and its page says why.
    """
    from smolville.history.folder import RunFolder, list_runs

    if asked.run:
        folder = RunFolder.open(runs, asked.run)
        if folder.is_sample:
            from smolville.reports.runs import describe_recording

            say(describe_recording(folder), "dim", on_stderr=True)
        return asked.run
    from smolville.reports.runs import newest_run

    return newest_run(runs) or next(iter(list_runs(runs)), "")


def with_token(address: str, token: str) -> str:
    """Return an address that holds the token."""
    return f"{address}{'&' if '?' in address else '?'}token={token}"


def checked_token(token: str = "") -> str:
    """Return the token, or a random one if it is empty; raise RunError for unusable characters."""
    if token and not (token.isascii() and token.replace("-", "").replace("_", "").isalnum()):
        raise RunError("--token: use letters, digits, `-` and `_` only, without spaces.")
    return token or secrets.token_urlsafe(16)


def _say_who_may_enter(host: str) -> None:
    """Print who else can open the page; nothing if only the user who started it can."""
    from smolville.viewer.serving.guard import is_loopback

    if not is_loopback(host):
        told = f"Whoever can reach {host} and has the address can watch and take part."
        say(told, "dim", on_stderr=True)


def _why_not(error: OSError, host: str, port: int) -> str:
    """Return a sentence on why a port cannot be opened, and what to do."""
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is in use; choose another --port, or leave it out"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"port {port} of {host} is not ours to open; choose one above 1023"
    why = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
    return f"nothing can be served at {host}: {why}; choose another --host"


@dataclass(frozen=True)
class MindsOf:
    """Opens model clients according to the settings; the code for it is imported when called."""

    settings: Path | None

    @contextmanager
    def __call__(self, spec: "RunSpec", model: str | None = None) -> "Iterator[AppModels]":
        """Open the model clients of a run, or of another model.

        Nobody is at this process's terminal. If a model is still loading, or keys may not go to a
        server, the page shows an error; nothing is waited for, and no question is asked.
        """
        from smolville.cli.run.prepare import models_of_run
        from smolville.cli.run.settings import tiers_now
        from smolville.cli.settings.choosing import choose
        from smolville.cli.settings.key_hosts import key_hosts
        from smolville.viewer.config import AppModels

        chosen = choose({"model": model} if model else {}, self.settings)
        chosen = chosen.of_model(tiers_now(chosen, spec)[1])
        may_send = key_hosts(chosen)
        with ExitStack() as open_until:
            chats, _, means = models_of_run(chosen, spec, may_send, open_until, patience=0.0)
            is_real = not all(chat.wants_inputs for chat in chats)
            yield AppModels(chats=chats, means=means, rules=chosen.rules(is_real=is_real))


NO_BROWSER = "No browser could be opened here; open the address yourself."
TEXT_BROWSERS = ("www-browser", "links", "elinks", "lynx", "w3m")
"""Text browsers, which are never opened: they would take over the terminal and cannot draw the
town."""
LINK = """<!DOCTYPE html>
<meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>Smolville</title><a href="{address}">Smolville</a>
"""


def open_browser(address: str, folder: Path) -> threading.Thread:
    """Open an address in the default browser, in a thread that is returned.

    The file that leads to the address lies in `folder`, because some browsers cannot read a
    system's folder for temporary files; it is deleted when the process ends.
    """
    opening = threading.Thread(target=_open, args=(address, folder), daemon=True)
    opening.start()
    return opening


def _open(address: str, folder: Path) -> None:
    try:
        is_open = can_open() and webbrowser.open(_link_to(address, folder).as_uri())
    except OSError:
        is_open = False
    if not is_open:
        say(NO_BROWSER, "dim", on_stderr=True)


def can_open() -> bool:
    """Return whether the default browser is a graphical one."""
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return False
    return getattr(found, "name", "") not in TEXT_BROWSERS


def _link_to(address: str, folder: Path) -> Path:
    """Write the file that leads to an address, readable by its owner only, and return its path."""
    place = folder.absolute() if os.access(folder, os.W_OK | os.X_OK) else None
    number, name = tempfile.mkstemp(".html", ".open-", place)
    path = Path(name)
    atexit.register(path.unlink, missing_ok=True)
    with os.fdopen(number, "w", encoding="utf-8") as file:
        file.write(LINK.format(address=escape(address)))
    return path
