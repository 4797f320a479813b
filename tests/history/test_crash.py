"""Killed anywhere, a run is whole commits, and its stores stand at the same point."""

import random
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from smolville.history.digest import digest_parts
from smolville.history.drafting import new_run
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.memory_store import MemoryStore
from smolville.history.reader import RunReader
from tests.fixtures.waiting import until
from tests.fixtures.warm import WarmProcess, warm
from tests.history.made_up import embed, lived, spec, write

ROOT = Path(__file__).parents[2]


@contextmanager
def living(folder: RunFolder, memories: str = "", bomb: str = "") -> Iterator[WarmProcess]:
    """Write a run in a process of its own, which is killed by the end of the block."""
    words = ("-m", "tests.history.living", folder.path.parent, folder.name, memories, bomb)
    with warm(words, ROOT) as child:
        until(lambda: child.stdout == "living\n" or child.returncode, "its first word")
        yield child
        assert child.wait() == -signal.SIGKILL


def until_beyond(folder: RunFolder, tick: int) -> None:
    """Wait until a later tick is committed."""
    with RunReader(folder) as reader:
        until(lambda: (reader.watermark() or 0) > max(tick, 0), "another commit")


def is_whole(folder: RunFolder, tmp_path: Path) -> int:
    """Check that the history equals one that stopped, undisturbed, at the last commit."""
    with RunReader(folder) as reader:
        done = reader.watermark()
        assert reader.faults() == []
        found = digest_parts(reader)
    assert done is not None
    undisturbed = new_run(tmp_path / "undisturbed", spec(), overwrite=True)
    with RunReader(lived(undisturbed, range(done + 1))) as reader:
        assert digest_parts(reader) == found
    return done


@pytest.mark.parametrize(
    "rows", ["moves", "objects", "talks", "steps", "memories", "changes", "minds", "interventions"]
)
def test_killed_inside_a_commit_nothing_of_it_is_there(
    folder: RunFolder, tmp_path: Path, rows: str
) -> None:
    with living(folder, bomb=rows):
        pass
    assert is_whole(folder, tmp_path) == 2
    with History(folder) as history:
        write(history, range(3, 6))
    assert is_whole(folder, tmp_path) == 5


def test_killed_at_any_point_all_stores_are_brought_to_the_last_commit(
    folder: RunFolder, tmp_path: Path
) -> None:
    done = -1
    for _ in range(4):
        with living(folder, "memories") as child:
            until_beyond(folder, done)
            time.sleep(random.uniform(0.0, 0.9))
            child.send_signal(signal.SIGKILL)
        now = is_whole(folder, tmp_path)
        assert now > done
        done = now
        with folder.lock(), History(folder) as history:
            made = history.memories_of_all()
            store = MemoryStore(folder, "words", 8)
            for sentence in store.reconcile(made, embed):
                assert sentence.startswith(("added", "brought")), sentence
            stored = store.load([memory.id for memory in made])
            store.close()
        assert np.array_equal(stored, embed([memory.text for memory in made]))
