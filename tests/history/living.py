"""A child process that lives a run until it is killed (see test_crash)."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.memory_store import MemoryStore
from tests.history.made_up import batch, calls, embed


class Bomb(list[object]):
    """Rows of a batch that kill the process when they are about to be written."""

    def __iter__(self) -> Iterator[object]:
        os.kill(os.getpid(), signal.SIGKILL)
        return super().__iter__()


def live(folder: RunFolder, with_memories: bool, bomb: str) -> None:
    """Live tick after tick from wherever the history stands."""
    with folder.lock(), History(folder) as history:
        store = MemoryStore(folder, "words", 8) if with_memories else None
        if store is not None:
            store.reconcile(history.memories_of_all(), embed)
        tick = 0 if history.watermark() is None else history.watermark() + 1
        sys.stdout.write("living\n")
        sys.stdout.flush()
        last = tick + 3 if bomb else 1_000_000
        while True:
            live_tick(history, store, tick, bomb if tick == last else "")
            tick += 1


def live_tick(history: History, store: MemoryStore | None, tick: int, bomb: str) -> None:
    """Keep the calls that no earlier life kept, commit, and remember."""
    made = batch(tick)
    for thought in made.thoughts:
        for call in calls(tick, thought.agent):
            if history.find_stored(call.key, call.messages_hash) is None:
                history.store(call)
    if bomb:
        setattr(made, bomb, Bomb())
    history.commit(made)
    if store is not None:
        store.add(made.memories, embed([memory.text for memory in made.memories]))
        if tick % 3 == 0:
            store.flush()


if __name__ == "__main__":
    live(RunFolder.open(Path(sys.argv[1]), sys.argv[2]), sys.argv[3] == "memories", sys.argv[4])
