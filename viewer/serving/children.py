"""Runs that are begun from a page: child processes, which end with the app."""

import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from agents.errors import RunError
from viewer.house import House
from world.runs.folder import check_name

LINES = 200
"""So much is kept of what a run says."""
PATIENCE = 10.0
"""Seconds for a run to save everything before it is killed."""


@dataclass(eq=False)
class Child:
    """A run that was begun here."""

    name: str
    """The run's name."""
    process: "subprocess.Popen[str]" = field(repr=False)
    _said: deque[str] = field(default_factory=lambda: deque(maxlen=LINES), repr=False)
    _reader: threading.Thread | None = field(default=None, repr=False)

    @property
    def lives(self) -> bool:
        """True while the process goes on."""
        return self.process.poll() is None

    @property
    def code(self) -> int | None:
        """The exit code; None while it lives."""
        return self.process.poll()

    @property
    def said(self) -> tuple[str, ...]:
        """The last lines it wrote, oldest first; whole once it has ended and `wait` returned."""
        return tuple(self._said)

    def interrupt(self) -> None:
        """Ask it to end as Ctrl-C does: everything up to the last commit is saved."""
        if self.lives:
            self.process.send_signal(signal.SIGINT)

    def wait(self, seconds: float = PATIENCE) -> int | None:
        """Wait until it has ended and return its exit code; None when it still lives then."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        if self._reader is not None:
            self._reader.join(1.0)
        return code

    def listen(self) -> None:
        """Keep what it writes, so that it never waits for somebody to read it."""
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def _listen(self) -> None:
        out = self.process.stdout
        if out is not None:
            with out:
                self._said.extend(line.rstrip("\n") for line in out)


@dataclass
class Children:
    """All runs that were begun here."""

    house: House
    _all: list[Child] = field(default_factory=list)

    def begin(self, name: str, *options: str) -> Child:
        """Begin or go on with a run: `begin("first", "--cast", "3")`, `begin("a", "--resume")`.

        Raises RunError when the command itself cannot be started.
        """
        where = ("--runs", str(self.house.runs.absolute()))
        words = ("run", check_name(name), *options, "--quiet", *where)
        try:
            process = self._started(words)
        except OSError as error:
            raise RunError(f"{name!r} could not be begun: {error.strerror}") from error
        child = Child(name, process)
        child.listen()
        self._all = [*(each for each in self._all if each.lives), child]
        return child

    def _started(self, words: Sequence[str]) -> "subprocess.Popen[str]":
        return subprocess.Popen(  # noqa: S603 - our own command, no shell
            [*self.house.command, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            # Quiet, it serves no page of its own; the app is one, and shows who thinks.
            env={**(self.house.env or os.environ), "SMOLVILLE_HEADLESS": "false"},
            # Ctrl-C at the app's terminal is for the app, which then ends its runs one by one.
            start_new_session=True,
        )

    def of(self, name: str) -> Child | None:
        """Return the living child that lives a run, else None."""
        return next((each for each in self._all if each.name == name and each.lives), None)

    def living(self) -> Sequence[Child]:
        """Return the children that still live."""
        return tuple(each for each in self._all if each.lives)

    def end(self) -> None:
        """Interrupt all and wait for them; one that does not end is killed."""
        living = self.living()
        for child in living:
            child.interrupt()
        for child in living:
            if child.wait() is None:
                child.process.kill()
                child.wait()


_BEGUN: dict[int, Children] = {}


def children_of(house: House) -> Children:
    """Return what begins runs from a house's pages; the same for all of them."""
    return _BEGUN.setdefault(id(house), Children(house))


@contextmanager
def ended_with(house: House) -> Iterator[None]:
    """End the runs that were begun from a house's pages with the block."""
    try:
        yield
    finally:
        children_of(house).end()
        del _BEGUN[id(house)]
