"""The memories' store: always brought to the commit point, and it says how."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from smolville.agents.memory import Memory
from smolville.history.drafting import new_run
from smolville.history.folder import RunFolder
from smolville.history.memory_store import MemoryStore
from tests.history.made_up import CAST, embed, memory, spec

ROWS = [memory(tick, CAST[tick % 3], n) for tick in range(700) for n in range(2)]


def refuse(texts: Sequence[str]) -> np.ndarray:
    raise AssertionError(f"{len(texts)} texts were embedded again")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of memories that holds all rows; only to be copied."""
    folder = new_run(tmp_path_factory.mktemp("written"), spec())
    store = MemoryStore(folder, "words", 8)
    assert store.reconcile([], refuse) == []
    store.add(ROWS, embed([row.text for row in ROWS]))
    store.close()
    return folder.memories_path


@pytest.fixture
def filled(folder: RunFolder, written: Path) -> RunFolder:
    """A run whose store holds all rows."""
    shutil.copytree(written, folder.memories_path, dirs_exist_ok=True)
    return folder


@pytest.fixture
def opened(folder: RunFolder) -> Iterator[MemoryStore]:
    """The store of a run, closed afterwards."""
    store = MemoryStore(folder, "words", 8)
    yield store
    store.close()


def holds(store: MemoryStore, rows: Sequence[Memory]) -> None:
    vectors = store.load([row.id for row in rows])
    assert store.count() == len(rows)
    assert vectors.dtype == np.float32
    assert np.array_equal(vectors, embed([row.text for row in rows]))


def test_memories_come_back_as_made_in_their_order(filled: RunFolder, opened: MemoryStore) -> None:
    assert opened.reconcile(ROWS, refuse) == []
    holds(opened, ROWS)
    holds(opened, ROWS)


def test_what_is_behind_is_added_and_only_that(filled: RunFolder, opened: MemoryStore) -> None:
    more = [memory(tick, CAST[0], n) for tick in range(900, 903) for n in range(2)]
    asked: list[str] = []

    def counted(texts: Sequence[str]) -> np.ndarray:
        asked.extend(texts)
        return embed(texts)

    said = opened.reconcile([*ROWS, *more], counted)
    assert said == ["added 6 memories that the store did not have yet"]
    assert asked == [row.text for row in more]
    holds(opened, [*ROWS, *more])


def test_what_is_ahead_is_dropped(filled: RunFolder, opened: MemoryStore) -> None:
    assert opened.reconcile(ROWS[:-601], refuse) == ["dropped 601 memories that no commit holds"]
    holds(opened, ROWS[:-601])


def test_a_record_of_another_life_is_written_anew(filled: RunFolder, opened: MemoryStore) -> None:
    rows = [replace(ROWS[0], text="another life"), replace(ROWS[1], kind="dream"), *ROWS[2:]]
    said = opened.reconcile(rows, embed)
    assert said == ["wrote 2 memories again: the store's record differed"]
    holds(opened, rows)


def missing(path: Path) -> None:
    shutil.rmtree(path)


def no_folder(path: Path) -> None:
    shutil.rmtree(path)
    path.write_text("a file")


def torn(path: Path) -> None:
    os.truncate(path / "chroma.sqlite3", (path / "chroma.sqlite3").stat().st_size // 2)


def garbage(path: Path) -> None:
    (path / "chroma.sqlite3").write_bytes(b"no database" * 5_000)


def no_index(path: Path) -> None:
    for index in path.glob("*-*-*"):
        shutil.rmtree(index)


def torn_index(path: Path) -> None:
    for file in path.glob("*-*-*/*"):
        os.truncate(file, file.stat().st_size // 2)


DAMAGES: list[tuple[Callable[[Path], None], str]] = [
    (missing, "missing"),
    (no_folder, "damaged"),
    (torn, "damaged"),
    (garbage, "damaged"),
    (no_index, "damaged"),
    (torn_index, "damaged"),
]


@pytest.mark.parametrize(("damage", "why"), DAMAGES)
def test_a_missing_or_damaged_folder_is_rebuilt_and_said(
    filled: RunFolder, opened: MemoryStore, damage: Callable[[Path], None], why: str
) -> None:
    damage(filled.memories_path)
    said = opened.reconcile(ROWS, embed)
    assert said == [f"rebuilt 1,400 memories: the memories' folder was {why}"]
    holds(opened, ROWS)
    opened.close()
    again = MemoryStore(filled, "words", 8)
    assert again.reconcile(ROWS, refuse) == []
    again.close()


def test_an_altered_vector_is_found(filled: RunFolder, opened: MemoryStore) -> None:
    index = next(filled.memories_path.glob("*-*-*/data_level0.bin"))
    data = bytearray(index.read_bytes())
    wanted = embed([ROWS[0].text])[0].tobytes()
    at = data.index(wanted)
    data[at : at + 4] = np.float32(77).tobytes()
    index.write_bytes(data)
    assert opened.reconcile(ROWS, embed) == ["wrote 1 memory again: the store's record differed"]
    holds(opened, ROWS)


@pytest.mark.parametrize(("name", "dimension"), [("ollama:nomic-embed-text", 8), ("words", 16)])
def test_the_vectors_of_another_embedder_are_known_and_replaced(
    filled: RunFolder, name: str, dimension: int
) -> None:
    store = MemoryStore(filled, name, dimension)
    assert store.former() == ("words", 8)
    rows = ROWS[:20]
    said = store.reconcile(rows, lambda texts: np.ones((len(texts), dimension), np.float32))
    assert said == ["added 20 memories that the store did not have yet"]
    assert (store.former(), store.count()) == (None, 20)
    store.close()


def test_chroma_is_not_imported_before_a_store_is_used() -> None:
    code = (
        "import sys, smolville.history.memory_store, smolville.history.cut;"
        "sys.exit('chromadb' in sys.modules)"
    )
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
