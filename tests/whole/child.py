"""A child process that lives a run until it kills itself, as `kill -9` would (see test_killed).

`python -m tests.whole.child RUNS NAME UNTIL WHERE COUNT`: WHERE is one of `DEATHS`, and it happens
at the COUNT-th time.
"""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import history.memory_store
from graphs.loop.ledger import Call
from history.commit_rows import BatchWriter
from history.folder import RunFolder
from history.history import History
from history.memory_store import MemoryStore
from history.records import CommitBatch
from tests.whole.lives import live


class Countdown:
    """Counts what happens, and says when it is the time to die."""

    def __init__(self, count: int) -> None:
        self.left = count

    def is_over(self) -> bool:
        """Count one more; True at the last one."""
        self.left -= 1
        return self.left == 0

    def die_when_over(self) -> None:
        """Count one more and end at the last one: nothing is flushed, no handler runs."""
        if self.is_over():
            os.kill(os.getpid(), signal.SIGKILL)


def call(countdown: Countdown) -> None:
    """A call was kept; its step has not ended."""
    keep = History.store

    def kept(self: History, call: Call) -> None:
        keep(self, call)
        countdown.die_when_over()

    History.store = kept  # type: ignore[method-assign]


def before(countdown: Countdown) -> None:
    """A cluster's tick is done, and not committed."""
    commit = History.commit

    def committed(self: History, batch: CommitBatch) -> None:
        countdown.die_when_over()
        commit(self, batch)

    History.commit = committed  # type: ignore[method-assign]


def inside(countdown: Countdown) -> None:
    """Half of a commit's rows are written."""
    write = BatchWriter.write

    def written(self: BatchWriter, batch: CommitBatch, watermark: int) -> None:
        if countdown.is_over():
            rows = Countdown(2 + (len(batch.bodies) + len(batch.thoughts) + len(batch.steps)) // 2)
            self._connection.set_trace_callback(lambda _: rows.die_when_over())
        write(self, batch, watermark)

    BatchWriter.write = written  # type: ignore[method-assign]


def after(countdown: Countdown) -> None:
    """A commit is written, and nothing in memory has followed it."""
    commit = History.commit

    def committed(self: History, batch: CommitBatch) -> None:
        commit(self, batch)
        countdown.die_when_over()

    History.commit = committed  # type: ignore[method-assign]


def memories(countdown: Countdown) -> None:
    """Memories were written into Chroma, twenty at a time."""
    write = MemoryStore._write_waiting
    history.memory_store.BATCH = 20

    def written(self: MemoryStore) -> None:
        write(self)
        countdown.die_when_over()

    MemoryStore._write_waiting = written  # type: ignore[method-assign]


DEATHS: dict[str, Callable[[Countdown], None]] = {
    death.__name__: death for death in (call, before, inside, after, memories)
}


if __name__ == "__main__":
    runs, name, until, where, count = sys.argv[1:]
    DEATHS[where](Countdown(int(count)))
    live(RunFolder.open(Path(runs), name), int(until))
