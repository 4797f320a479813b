"""A child process that lives a run until it kills itself, as `kill -9` would (see test_killed).

`python -m tests.whole.child RUNS NAME UNTIL WHERE COUNT`: WHERE is `call` (the COUNT-th call is
kept), `commit` (before the COUNT-th commit), `inside` (in the middle of it), `after` (it is written,
and nothing in memory has followed) or `memories` (after the COUNT-th write to Chroma).
"""

import os
import signal
import sys
from pathlib import Path

import world.runs.memory_store
from tests.whole.lives import live
from world.records import Batch
from world.runs.commit_rows import BatchWriter
from world.runs.folder import RunFolder
from world.runs.history import History
from world.runs.memory_store import MemoryStore


def die() -> None:
    """End at once: nothing is flushed, no handler runs."""
    os.kill(os.getpid(), signal.SIGKILL)


class Countdown:
    """Counts what happens, and says when it is the one to die at."""

    def __init__(self, count: int) -> None:
        self.left = count

    def is_over(self) -> bool:
        """Count one more; True at the last one."""
        self.left -= 1
        return self.left == 0


def die_at(where: str, count: int) -> None:
    """Arrange for the death of this process."""
    countdown = Countdown(count)
    keep, commit, write, flush = History.keep, History.commit, BatchWriter.write, MemoryStore.flush

    def keep_and_die(self: History, call: object) -> None:
        keep(self, call)
        if countdown.is_over():
            die()

    def commit_or_die(self: History, batch: Batch) -> None:
        is_last = countdown.is_over()
        if is_last and where == "commit":
            die()
        commit(self, batch)
        if is_last:
            die()

    def write_half(self: BatchWriter, batch: Batch, watermark: int) -> None:
        if countdown.is_over():
            rows = Countdown(1 + len(batch.bodies) + len(batch.thoughts) + len(batch.steps) // 2)
            self._connection.set_trace_callback(lambda _: die() if rows.is_over() else None)
            write(self, batch, watermark)
            die()
        write(self, batch, watermark)

    def flush_and_die(self: MemoryStore) -> None:
        flush(self)
        if countdown.is_over():
            die()

    world.runs.memory_store.BATCH = 20
    if where == "call":
        History.keep = keep_and_die
    elif where == "inside":
        BatchWriter.write = write_half
    elif where == "memories":
        MemoryStore.flush = flush_and_die
    else:
        History.commit = commit_or_die


if __name__ == "__main__":
    die_at(sys.argv[4], int(sys.argv[5]))
    live(RunFolder.open(Path(sys.argv[1]), sys.argv[2]), int(sys.argv[3]))
