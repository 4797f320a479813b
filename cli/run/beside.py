"""The page beside a run: the browser app in its own process, which ends with the run.

It never affects the run: if the page cannot start, or ends by itself, one sentence says so.
"""

import os
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from smolville.agents.errors import RunError
from smolville.agents.wording import visible_line
from smolville.cli.options import command
from smolville.cli.server import address_of, checked_token, listening, own_command, with_token
from smolville.cli.view import TOKEN_VARIABLE
from smolville.cli.view_target import ViewTarget

PATIENCE = 5.0
"""Seconds that the page has to end before it is killed."""
Say = Callable[[str], None]


@dataclass(eq=False)
class Page:
    """The process that serves the page while a run is in progress."""

    address: str
    """The whole address, with the token that the page asks for."""
    process: "subprocess.Popen[bytes]" = field(repr=False)
    log: IO[bytes] = field(repr=False)
    is_ending: bool = False

    def watch(self, say: Say, instead: str) -> None:
        """Start a thread that reports if the page ends by itself.

        The report names `instead`, the command that opens the page again.
        """
        threading.Thread(target=self._watch, args=(say, instead), daemon=True).start()

    def serve_until_stopped(self) -> None:
        """Serve until Ctrl-C, or until the page ends by itself."""
        with suppress(KeyboardInterrupt):
            self.process.wait()

    def end(self) -> None:
        """Stop the page's process by closing its standard input; kill it if that takes too long."""
        self.is_ending = True
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _watch(self, say: Say, instead: str) -> None:
        self.process.wait()
        if not self.is_ending:
            why = self._read_last_error()
            say(f"The page has ended{why}; to open it again: {instead}")

    def _read_last_error(self) -> str:
        """Return the last line of the page's standard error, in brackets."""
        self.log.seek(0)
        lines = self.log.read().decode(errors="replace").split("\n")
        last = next((visible_line(line) for line in reversed(lines) if line.strip()), "")
        return f" ({last})" if last else ""


@contextmanager
def page_beside(runs: Path, settings: Path | None, name: str, say: Say) -> Iterator[Page | None]:
    """Serve a page while the block runs; yield None if it cannot be started."""
    page = _start_page(runs, settings, name, say)
    if page is None:
        yield None
        return
    page.watch(say, command(runs, "view", name))
    try:
        yield page
    finally:
        page.end()
        page.log.close()


def _start_page(runs: Path, settings: Path | None, name: str, say: Say) -> Page | None:
    """Start the page; its port listens at once, so early visitors wait until it is ready."""
    named = ("--settings", str(settings)) if settings is not None else ()
    log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the page
    try:
        token = checked_token(os.environ.get(TOKEN_VARIABLE, ""))
        with listening() as listener:
            number = listener.fileno()
            words = ("view", "--runs", str(runs), *named, "--listener", str(number))
            process = subprocess.Popen(  # noqa: S603 - our own command, no shell
                [*own_command(), *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=log,
                pass_fds=(number,),
                # Other accounts can read a command line, but not an environment.
                env={**os.environ, TOKEN_VARIABLE: token},
                # Ctrl-C at the terminal is for the run; the page ends after the run.
                start_new_session=True,
            )
            address = with_token(address_of(listener) + ViewTarget(run=name).path(), token)
    except (OSError, RunError) as error:
        log.close()
        say(f"There is no page to watch the run ({error}); later: {command(runs, 'view', name)}")
        return None
    return Page(address, process, log)
