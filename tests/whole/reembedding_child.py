"""A child process that embeds a run's memories anew until it kills itself (see test_reembedding).

`python -m tests.whole.reembedding_child RUNS NAME SPEC WHERE`: WHERE is one of `DEATHS`.
"""

import os
import signal
import sys
from pathlib import Path
from typing import Any

import history.memory_store
import world.reembedding
from history.folder import RunFolder
from history.history import History
from history.memory_store import MemoryStore
from models.embedding.embedder import open_embedder

DEATHS: dict[str, tuple[Any, str, str]] = {
    "some memories are written": (MemoryStore, "_write", "after"),
    "all memories are written": (world.reembedding, "name_embedder", "before"),
    "run.json is half written": (os, "fsync", "before"),
    "run.json names the new one": (world.reembedding, "name_embedder", "after"),
    "the history knows": (History, "commit", "after"),
    "the old collection is still there": (MemoryStore, "settle", "before"),
    "the old collection is gone": (MemoryStore, "settle", "after"),
}
"""What has just happened, or is about to, when it dies."""


def die(*_: object) -> None:
    """End at once: nothing is flushed, no handler runs."""
    os.kill(os.getpid(), signal.SIGKILL)


def prepare(where: str) -> None:
    """Put the death where it belongs."""
    place, name, when = DEATHS[where]
    real = getattr(place, name)

    def last(*given: Any) -> Any:
        if when == "after":
            real(*given)
        die()

    setattr(place, name, last)


if __name__ == "__main__":
    runs, run, spec, where = sys.argv[1:]
    history.memory_store.BATCH = 20
    prepare(where)
    world.reembedding.reembed(RunFolder.open(Path(runs), run), open_embedder(spec))
