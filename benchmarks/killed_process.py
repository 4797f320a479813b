"""Runs `smolville` in a separate process that reports when it is at a point, and signals it.

The process is a fork of this one, which has imported everything, so it begins within milliseconds.
What it prints is kept in a file.
"""

import json
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.kill_points import (
    POINTS,
    SABOTAGE,
    When,
    watch_point,
    write_memories_often,
)

COMMIT = "commit-after"
FIRST_COMMIT, FIRST_SECOND = "random", "random-start"
"""Moments that are not points: any time after the first commit, and any time in the first second.
"""
INTERRUPTED = 130
"""The exit code of a command that was asked to end."""
HANGING = 300.0
"""Seconds after which a process that has not ended is considered to hang."""
_LOOK = 0.02

Meanwhile = Callable[[], object]
"""Function called repeatedly while a process runs; it answers a visitor's turns, for example."""


@dataclass(frozen=True, kw_only=True)
class Kill:
    """A plan to end a process."""

    where: str
    """A point's name, `FIRST_COMMIT` or `FIRST_SECOND`."""
    signal: signal.Signals
    count: int = 1
    """The process is killed the count-th time that it reaches the point."""
    after: float = 0.0
    """Seconds to wait if `where` is not a point."""

    def right_codes(self) -> set[int]:
        """Return the exit codes with which a process may end."""
        right = {-self.signal if self.signal == signal.SIGKILL else INTERRUPTED}
        if self.where == FIRST_SECOND:
            # A command that has not begun cannot hear a signal.
            right.add(-self.signal)
        return right


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How a process ended."""

    code: int
    """The exit code; negative for a signal that ended the process."""
    is_hit: bool
    """True if the process was at the planned place when it was killed, and had not ended by itself.
    """
    said: str
    seconds: float
    passes: dict[str, int]
    """How often the process passed each point; only if there was no plan to kill it."""


def run_command(
    words: Sequence[str],
    log: Path,
    *,
    kill: Kill | None = None,
    sabotage: str | None = None,
    meanwhile: Meanwhile = lambda: None,
) -> Ended:
    """Run `smolville WORDS`, and kill it as planned.

    Without a plan, count how often it passes each point.
    """
    log.write_bytes(b"")
    heard, tell = os.pipe()
    wait, go = os.pipe()
    began = time.monotonic()
    # A signal waits until the new process knows what it is.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
    process = os.fork()
    if process == 0:
        os.close(heard)
        os.close(go)
        _be_smolville(words, log, tell, wait, kill, sabotage)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    os.close(tell)
    os.close(wait)
    try:
        is_hit = kill is not None and _strike(process, heard, kill, meanwhile)
        if is_hit:
            os.write(go, b".")
        code, passes = _await_end(process, heard, meanwhile)
    finally:
        os.close(heard)
        os.close(go)
    return Ended(
        code=code,
        is_hit=is_hit and code != 0,
        said=log.read_text(encoding="utf-8", errors="replace"),
        seconds=time.monotonic() - began,
        passes=passes,
    )


def answer_in_fork(act: Callable[[], str]) -> str:
    """Return the result of `act` in a fork of this process, so that this one never opens Chroma."""
    heard, tell = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            os.write(tell, act().encode())
        finally:
            os._exit(0)
    os.close(tell)
    with os.fdopen(heard, encoding="utf-8") as file:
        answer = file.read()
    os.waitpid(process, 0)
    return answer or "nothing: it failed"


def _strike(process: int, heard: int, kill: Kill, meanwhile: Meanwhile) -> bool:
    """Send the signal when the process is at the planned place; return False if it ended before."""
    if kill.where != FIRST_SECOND and not _is_reported(heard, meanwhile):
        return False
    if kill.where not in POINTS:
        ends = time.monotonic() + kill.after
        while time.monotonic() < ends:
            meanwhile()
            time.sleep(min(_LOOK, max(0.0, ends - time.monotonic())))
    if os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
        return False
    os.kill(process, kill.signal)
    return True


def _is_reported(heard: int, meanwhile: Meanwhile) -> bool:
    """Wait until the process reports that it is at the place; return False if it ended instead."""
    deadline = time.monotonic() + HANGING
    while time.monotonic() < deadline:
        meanwhile()
        if select.select([heard], [], [], _LOOK)[0]:
            return os.read(heard, 1) == b"!"
    raise TimeoutError("a process neither came to its point nor ended")


def _await_end(process: int, heard: int, meanwhile: Meanwhile) -> tuple[int, dict[str, int]]:
    """Return a process's exit code and its counts; kill it if it hangs."""
    deadline, told = time.monotonic() + HANGING, b""
    while time.monotonic() < deadline:
        meanwhile()
        if select.select([heard], [], [], _LOOK)[0]:
            part = os.read(heard, 65_536)
            if not part:
                code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
                counts = told.decode().lstrip("!")
                return code, json.loads(counts) if counts else {}
            told += part
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    raise TimeoutError("a process did not end")


def _be_smolville(
    words: Sequence[str],
    log: Path,
    tell: int,
    wait: int,
    kill: Kill | None,
    sabotage: str | None,
) -> None:
    """Become the command, from its first line to its exit code; never return."""
    code = 1
    try:
        _redirect(log)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))
        write_memories_often()
        if sabotage is not None:
            SABOTAGE[sabotage]()
        passes = _report(tell, wait, kill) if kill is not None else _count()
        code = _run(words)
        if kill is None:
            os.write(tell, json.dumps(passes).encode())
    except KeyboardInterrupt:
        # It came before the command had begun.
        code = INTERRUPTED
    except Exception:  # noqa: BLE001 - as Python does at the end of any process
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _redirect(log: Path) -> None:
    """Redirect standard output and standard error into a file."""
    with log.open("wb") as file, Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)


def _run(words: Sequence[str]) -> int:
    from smolville.cli.main import main

    sys.argv = ["smolville", *words]
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    return 0


def _report(tell: int, wait: int, kill: Kill) -> dict[str, int]:
    """Make this process report when it is at the planned place, and wait there for its end."""
    if kill.where == FIRST_SECOND:
        return {}
    left, point = kill.count, POINTS.get(kill.where, POINTS[COMMIT])

    def reached() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.write(tell, b"!")
            if kill.where in POINTS and not _is_outside_python(kill.where):
                os.read(wait, 1)

    watch_point(point, reached)
    return {}


def _is_outside_python(where: str) -> bool:
    """Return whether a point is in a write by a library outside of Python, which must go on."""
    return POINTS[where].when is When.WITHIN and where.startswith("chroma")


def _count() -> dict[str, int]:
    """Make this process count how often it passes each point."""
    passes = dict.fromkeys(POINTS, 0)

    def counting(name: str) -> Callable[[], None]:
        def reached() -> None:
            passes[name] += 1

        return reached

    for name, point in POINTS.items():
        watch_point(point, counting(name))
    return passes
