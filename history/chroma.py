"""Open Chroma, turn its errors into sentences, and read vectors while the run's owner writes them.

Chroma is imported only in this file, and only when needed: the import takes over a second.
"""

import re
import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from json import dumps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from smolville.agents.errors import StoppedError
from smolville.agents.memory import Memory
from smolville.history.folder import RunFolder
from smolville.history.trouble import fails_to_write, make_write_error, no_space

if TYPE_CHECKING:
    from chromadb.api.client import Client as Client
    from chromadb.api.models.Collection import Collection as Collection
    from chromadb.config import Settings

Vectors = NDArray[np.float32]
_CODE = re.compile(r"\(code: (\d+)\)")
DATABASE = "chroma.sqlite3"
_PAGE = 5_000
_IDS = 500
"""Number of records read at once, of all and by their ids."""
_PLAIN = ("agent", "kind", "created", "tick", "subject", "predicate", "object", "depth")
_LISTS = ("keywords", "evidence")


class VectorRecord(NamedTuple):
    """One record of the vector store."""

    text: str
    cells: Mapping[str, Any]
    vector: Vectors

    def belongs_to(self, memory: Memory) -> bool:
        """Return whether this is the record of a memory, with its vector intact."""
        own = cells_of(memory, self.vector).items()
        return self.text == memory.text and own <= dict(self.cells).items()


def cells_of(memory: Memory, vector: Vectors) -> dict[str, str | int]:
    """Return the fields of a memory that never change, with a check sum of its vector."""
    cells: dict[str, str | int] = {name: getattr(memory, name) for name in _PLAIN}
    cells |= {name: dumps(getattr(memory, name), ensure_ascii=False) for name in _LISTS}
    check = crc32(np.ascontiguousarray(vector, np.float32).tobytes())
    return {**cells, "vector_check": check}


def records_in(
    collection: "Collection", ids: Sequence[str] | None = None
) -> Iterator[tuple[str, VectorRecord]]:
    """Yield the records of a collection with their ids: those with these ids, or all."""
    count, size = (collection.count(), _PAGE) if ids is None else (len(ids), _IDS)
    for start in range(0, count, size):
        page = collection.get(
            ids=None if ids is None else list(ids[start : start + size]),
            limit=size if ids is None else None,
            offset=start if ids is None else None,
            include=["documents", "metadatas", "embeddings"],
        )
        vectors = np.asarray(page["embeddings"], np.float32)
        texts, cells = page["documents"] or (), page["metadatas"] or ()
        for one, text, metadata, vector in zip(page["ids"], texts, cells, vectors, strict=True):
            yield one, VectorRecord(text or "", metadata or {}, vector)


def opened_chroma(path: Path) -> "Client":
    """Return a Chroma client for a folder that no other process has open."""
    import chromadb

    settings = _settings().model_copy()
    return cast("Client", chromadb.PersistentClient(path=str(path), settings=settings))


@cache
def _settings() -> "Settings":
    """Return Chroma's settings, read once: each reading of the environment takes 20 ms.

    A client writes its path into the settings it gets, so each needs a copy.
    """
    from chromadb.config import Settings

    return Settings(anonymized_telemetry=False)


def forget_opened() -> None:
    """Clear Chroma's cache of clients, which would return a failed client again."""
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient.clear_system_cache()


def chroma_error() -> type[Exception]:
    """Return the base class of Chroma's errors."""
    from chromadb.errors import ChromaError

    return ChromaError


@contextmanager
def saying(run: str) -> Iterator[None]:
    """Turn Chroma's errors inside the block into a StoppedError with a sentence."""
    try:
        yield
    except chroma_error() as error:
        raise stopped_by(run, error) or StoppedError(
            f"the memories of run {run!r} cannot be read or written: {error}; they are rebuilt "
            "from the history when the run is opened again"
        ) from error


def stopped_by(run: str, error: Exception) -> StoppedError | None:
    """Return the error to raise for a disk that accepts no more data; None for other errors.

    Chroma passes on the errors of SQLite as text, `(code: 778) disk I/O error`.
    """
    text = str(error)
    if "disk is full" in text or "No space left" in text:
        return no_space(run)
    code = _CODE.search(text)
    if code is not None and fails_to_write(int(code[1])):
        return make_write_error(run, "disk I/O error")
    return None


def kept_vectors(
    folder: RunFolder, collection: str, memories: Sequence[Memory]
) -> dict[str, Vectors]:
    """Return the stored vectors of memories by their ids, as far as the store holds them.

    Opening Chroma on a folder that another process has open would damage it, so a temporary copy is
    opened. Vectors that a write garbled during the copy are detected by their check sums. Empty if
    the store is missing or damaged, or was made by another embedder.
    """
    found: dict[str, Vectors] = {}
    if not memories or not (folder.memories_path / DATABASE).is_file():
        return found
    with (
        TemporaryDirectory(prefix="smolville-") as place,
        suppress(OSError, sqlite3.Error, StoppedError),
        saying(folder.name),
    ):
        copy = Path(place) / folder.memories_path.name
        _copy(folder.memories_path, copy)
        with closing(opened_chroma(copy)) as client:
            held = client.get_collection(collection, embedding_function=None)
            by_id = {memory.id: memory for memory in memories}
            for one, record in records_in(held, list(by_id)):
                if record.belongs_to(by_id[one]):
                    found[one] = record.vector
    return found


def _copy(source: Path, copy: Path) -> None:
    """Copy a store. The copied index may be newer than the copied records, but never older."""
    copy.mkdir()
    address = f"{(source / DATABASE).absolute().as_uri()}?mode=ro"
    with (
        closing(sqlite3.connect(address, uri=True)) as old,
        closing(sqlite3.connect(copy / DATABASE)) as new,
    ):
        old.backup(new, pages=-1)
    for index in source.glob("*-*-*-*-*"):
        shutil.copytree(index, copy / index.name)
