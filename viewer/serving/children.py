"""Runs started or resumed from a page: child processes that end with the app."""

import asyncio
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from smolville.agents.errors import RunError
from smolville.history.folder import check_name
from smolville.viewer.config import AppConfig

LINES = 200
"""Maximum number of output lines told of a run."""
PATIENCE = 10.0
"""Seconds that a run may take to save everything before it is killed."""
SOON = 3.0
"""Seconds within which a run that cannot be resumed ends and reports why."""
ANOTHER_DAY = ("--resume", "--for", "1d")
"""Options that resume a run for one more day."""
TO_ITS_GOAL = ("--resume",)
"""Options that resume a run up to its goal."""


@dataclass(eq=False)
class StartedProcess:
    """A run started by the app."""

    name: str
    """The run's name."""
    process: "subprocess.Popen[bytes]" = field(repr=False)
    options: tuple[str, ...]
    """The command's options."""
    output: IO[bytes] = field(repr=False)
    """A temporary file with what the process writes."""

    @property
    def lives(self) -> bool:
        """True while the process is running."""
        return self.process.poll() is None

    @property
    def model(self) -> str:
        """The spec of the model that was asked for; empty if none was."""
        pairs = zip(self.options, self.options[1:], strict=False)
        return next((value for option, value in pairs if option == "--model"), "")

    @property
    def said(self) -> tuple[str, ...]:
        """The last lines of output, oldest first."""
        # By its name: a seek in the file itself would move the place at which the process writes.
        text = Path(self.output.name).read_text(encoding="utf-8", errors="replace")
        return tuple(text.splitlines()[-LINES:])

    def wait(self, seconds: float = PATIENCE) -> int | None:
        """Wait for the end and return the exit code; None if still running after `seconds`."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None


@dataclass
class StartedProcesses:
    """All runs started by the app."""

    config: AppConfig
    _all: list[StartedProcess] = field(default_factory=list)

    def begin(self, name: str, *options: str) -> StartedProcess:
        """Start or resume a run: `begin("first", "--cast", "3")`, `begin("a", "--resume")`.

        Raises RunError if the command itself cannot be started.
        """
        where = ("--runs", str(self.config.runs.absolute()))
        words = ("run", check_name(name), *options, "--quiet", *where)
        output = NamedTemporaryFile(prefix="smolville-")  # noqa: SIM115 - kept with the process
        try:
            process = subprocess.Popen(  # noqa: S603 - our own command, no shell
                [*self.config.command, *words],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                # With --quiet a run serves no page of its own; the app shows who thinks.
                env={**(self.config.env or os.environ), "SMOLVILLE_HEADLESS": "false"},
                # Ctrl-C at the app's terminal goes to the app only, which then ends its runs.
                start_new_session=True,
            )
        except OSError as error:
            raise RunError(f"{name!r} could not be begun: {error.strerror}") from error
        child = StartedProcess(name, process, options, output)
        self._all = [*(each for each in self._all if each.lives), child]
        return child

    def of(self, name: str) -> StartedProcess | None:
        """Return the running process of a run, or None."""
        return next((each for each in self._all if each.name == name and each.lives), None)

    def last(self, name: str) -> StartedProcess | None:
        """Return the latest process of a run, even if it has ended; None if there was none."""
        return next((each for each in reversed(self._all) if each.name == name), None)

    def end(self) -> None:
        """Interrupt all processes and wait for them; one that does not end is killed.

        They are interrupted as by Ctrl-C, which saves everything up to the last commit.
        """
        living = [each for each in self._all if each.lives]
        for child in living:
            child.process.send_signal(signal.SIGINT)
        for child in living:
            if child.wait() is None:
                child.process.kill()
                child.wait()


_BEGUN: dict[int, StartedProcesses] = {}


def children_of(config: AppConfig) -> StartedProcesses:
    """Return the object that starts runs for all pages of an app."""
    return _BEGUN.setdefault(id(config), StartedProcesses(config))


@contextmanager
def ended_with(config: AppConfig) -> Iterator[None]:
    """After the block, end the runs that were started from an app's pages."""
    try:
        yield
    finally:
        children_of(config).end()
        del _BEGUN[id(config)]


async def let_go_on(children: StartedProcesses, name: str, options: tuple[str, ...]) -> str:
    """Resume a run, and return a sentence that it goes on.

    Raises RunError with the last output of the run if it fails within `SOON` seconds.
    """
    child = children.begin(name, *options)
    code = await asyncio.to_thread(child.wait, SOON)
    if code:
        raise RunError(why_ended(child))
    return f"{name} goes on."


def why_ended(child: StartedProcess) -> str:
    """Return the last output of a run whose process has ended."""
    return " ".join(child.said) or f"{child.name!r} could not go on."
