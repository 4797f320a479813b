"""The durable vector store of memories: Chroma, one collection per run and embedder.

It holds each memory's text, the fields of it that never change, and its vector. Two processes on
one folder would damage it, so only a run's owner opens it; others open a copy. A collection's
metadata names the embedder that made it, so that another one is noticed.

Chroma is imported only in this file, and only when needed: the import takes over a second.
"""

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from hashlib import blake2b
from json import dumps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from smolville.agents.errors import StoppedError
from smolville.agents.memory import Memory
from smolville.history.folder import RunFolder
from smolville.history.trouble import (
    accepts_no_more,
    explain_storage_errors,
    fails_to_write,
)

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection
    from chromadb.config import Settings

Vectors = NDArray[np.float32]
Item = TypeVar("Item")
Embed = Callable[[Sequence[str]], Vectors]

BATCH = 500
"""Number of records written at once, because each write waits for the disk, however small."""
_CODE = re.compile(r"\(code: (\d+)\)")
DATABASE = "chroma.sqlite3"
_PAGE = 5_000
_IDS = 500
"""Number of records read at once, of all and by their ids."""
_PLAIN = ("agent", "kind", "created", "tick", "subject", "predicate", "object", "depth")
_LISTS = ("keywords", "evidence")


class _Record(NamedTuple):
    """One record of the vector store."""

    text: str
    cells: Mapping[str, Any]
    vector: Vectors

    def belongs_to(self, memory: Memory) -> bool:
        """Return whether this is the record of a memory, with its vector intact."""
        own = _cells_of(memory, self.vector).items()
        return self.text == memory.text and own <= dict(self.cells).items()


def _cells_of(memory: Memory, vector: Vectors) -> dict[str, str | int]:
    """Return the fields of a memory that never change, with a check sum of its vector."""
    cells: dict[str, str | int] = {name: getattr(memory, name) for name in _PLAIN}
    cells |= {name: dumps(getattr(memory, name), ensure_ascii=False) for name in _LISTS}
    check = crc32(np.ascontiguousarray(vector, np.float32).tobytes())
    return {**cells, "vector_check": check}


def _records_in(
    collection: "Collection", ids: Sequence[str] | None = None
) -> Iterator[tuple[str, _Record]]:
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
            yield one, _Record(text or "", metadata or {}, vector)


def _opened_chroma(path: Path) -> "Client":
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


def _forget_opened() -> None:
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient.clear_system_cache()


def _chroma_error() -> type[Exception]:
    from chromadb.errors import ChromaError

    return ChromaError


@contextmanager
def _saying(run: str) -> Iterator[None]:
    """Turn Chroma's errors inside the block into a StoppedError with a sentence."""
    try:
        yield
    except _chroma_error() as error:
        raise _stopped_by(run, error) or StoppedError(
            f"the memories of run {run!r} cannot be read or written: {error}; they are rebuilt "
            "from the history when the run is opened again"
        ) from error


def _stopped_by(run: str, error: Exception) -> StoppedError | None:
    """Return the error to raise for a disk that accepts no more data; None for other errors.

    Chroma passes on the errors of SQLite as text, `(code: 778) disk I/O error`.
    """
    text = str(error)
    code = _CODE.search(text)
    is_full = "disk is full" in text or "No space left" in text
    if is_full or (code is not None and fails_to_write(int(code[1]))):
        return accepts_no_more(run, "disk is full" if is_full else "disk I/O error")
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
        _saying(folder.name),
    ):
        copy = Path(place) / folder.memories_path.name
        _copy(folder.memories_path, copy)
        with closing(_opened_chroma(copy)) as client:
            held = client.get_collection(collection, embedding_function=None)
            by_id = {memory.id: memory for memory in memories}
            for one, record in _records_in(held, list(by_id)):
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


class MadeBy(NamedTuple):
    """The embedder that made a collection: its name, and the dimension of its vectors."""

    name: str
    dimension: int

    @classmethod
    def read(cls, metadata: Mapping[str, Any] | None) -> "MadeBy":
        """Return the embedder recorded in a collection's metadata."""
        known = metadata or {}
        dimension = known.get("dimension")
        return cls(str(known.get("embedder", "")), dimension if isinstance(dimension, int) else 0)

    def collection(self) -> str:
        """Return the name of this embedder's collection."""
        plain = re.sub(r"[^a-zA-Z0-9]+", "-", self.name).strip("-")[:40]
        key = blake2b(f"{self.name}|{self.dimension}".encode(), digest_size=4).hexdigest()
        return f"memories-{plain}-{key}"


class MemoryStore:
    """A run's memories with their vectors, in Chroma; nothing is opened before it is needed."""

    def __init__(self, folder: RunFolder, embedder_name: str, dimension: int) -> None:
        self._folder = folder
        self._made_by = MadeBy(embedder_name, dimension)
        self._client: Client | None = None
        self._waiting: list[tuple[Memory, Vectors]] = []
        self._read: dict[str, Vectors] | None = None

    def add(self, memories: Sequence[Memory], vectors: Vectors) -> None:
        """Add committed memories with their vectors; they are written in batches, or by `flush`."""
        self._waiting += zip(memories, vectors, strict=True)
        if len(self._waiting) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Write added memories that are not yet in the store."""
        if self._waiting:
            with _saying(self._folder.name):
                self._write(self._waiting)
            self._waiting, self._read = [], None

    def load(self, ids: Sequence[str]) -> Vectors:
        """Return the vectors of the memories with these ids; all must be in the store."""
        self.flush()
        found, self._read = self._read, None
        if found is None:
            with _saying(self._folder.name):
                found = {one: record.vector for one, record in _records_in(self._collection())}
        vectors = np.zeros((len(ids), self._made_by.dimension), np.float32)
        for row, one in enumerate(ids):
            vectors[row] = found[one]
        return vectors

    def reconcile(self, rows: Sequence[Memory], embed: Embed) -> list[str]:
        """Make the store agree with the last commit; return a sentence for each thing done.

        `rows` are all committed memories as they are now. Memories that the store lacks are
        embedded again. Records in no commit are dropped, and differing ones rewritten. A missing
        or damaged folder is rebuilt. At the end, the vectors of other embedders are dropped.
        """
        there = self._folder.memories_path.exists()
        try:
            done = self._bring_up(rows, embed)
        except _chroma_error() as error:
            stopped = _stopped_by(self._folder.name, error)
            if stopped is not None:
                raise stopped from error
            self._clear()
            with _saying(self._folder.name):
                self._bring_up(rows, embed)
            return [f"rebuilt {_memories(len(rows))}: the memories' folder was damaged"]
        if not there and rows:
            return [f"rebuilt {_memories(len(rows))}: the memories' folder was missing"]
        return done

    def count(self) -> int:
        """Return how many memories the store holds."""
        with _saying(self._folder.name):
            return int(self._collection().count())

    def former(self) -> MadeBy | None:
        """Return the embedder that made the vectors in the store; None if it is this one.

        A missing or damaged store counts as none: it is made anew.
        """
        if not self._folder.memories_path.is_dir():
            return None
        try:
            with _saying(self._folder.name):
                found = [
                    MadeBy.read(one.metadata) for one in self._open_client().list_collections()
                ]
        except StoppedError:
            _forget_opened()
            return None
        return next((made for made in found if made != self._made_by), None)

    def close(self) -> None:
        """Write pending records, and close Chroma."""
        try:
            self.flush()
        finally:
            self._let_go()

    def _bring_up(self, rows: Sequence[Memory], embed: Embed) -> list[str]:
        have = dict(_records_in(self._collection()))
        committed = {memory.id for memory in rows}
        ahead = [one for one in have if one not in committed]
        behind = [memory for memory in rows if memory.id not in have]
        altered = [
            memory
            for memory in rows
            if memory.id in have and not have[memory.id].belongs_to(memory)
        ]
        for ids in _chunks(ahead):
            self._collection().delete(ids=list(ids))
        self._read = {one: have[one].vector for one in have if one in committed}
        for part in _chunks([*behind, *altered]):
            vectors = np.asarray(embed([memory.text for memory in part]), np.float32)
            self._write(list(zip(part, vectors, strict=True)))
            self._read.update(zip((memory.id for memory in part), vectors, strict=True))
        for other in self._open_client().list_collections():
            if other.name != self._made_by.collection():
                self._open_client().delete_collection(other.name)
        notes = (
            (len(behind), "added {} that the store did not have yet"),
            (len(altered), "wrote {} again: the store's record differed"),
            (len(ahead), "dropped {} that no commit holds"),
        )
        return [text.format(_memories(count)) for count, text in notes if count]

    def _write(self, pairs: Sequence[tuple[Memory, Vectors]]) -> None:
        for part in _chunks(pairs):
            self._collection().upsert(
                ids=[memory.id for memory, _ in part],
                documents=[memory.text for memory, _ in part],
                embeddings=np.stack([vector for _, vector in part]),
                metadatas=[_cells_of(memory, vector) for memory, vector in part],
            )

    def _collection(self) -> "Collection":
        return self._open_client().get_or_create_collection(
            self._made_by.collection(),
            embedding_function=None,
            metadata={"embedder": self._made_by.name, "dimension": self._made_by.dimension},
            configuration={"hnsw": {"space": "ip"}},
        )

    def _open_client(self) -> "Client":
        if self._client is None:
            self._client = _opened_chroma(self._folder.memories_path)
        return self._client

    def _clear(self) -> None:
        self._let_go()
        _forget_opened()
        path = self._folder.memories_path
        with explain_storage_errors(self._folder.name):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    def _let_go(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None


def _chunks(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), BATCH):
        yield items[start : start + BATCH]


def _memories(count: int) -> str:
    return f"{count:,} {'memory' if count == 1 else 'memories'}"
