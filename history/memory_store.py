"""The durable vector store of memories: Chroma, one collection per run and embedder.

It holds each memory with its vector. Later changes (accesses, ratings) are written to the history
at once, and to the store at each pause and at the end: a single update costs 9 ms, but 0.2 ms in a
batch. Two processes on one folder would damage it, so only a run's owner opens it.
"""

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from smolville.agents.errors import RunError
from smolville.agents.memory import Memory
from smolville.history.chroma import chroma_error, forget_opened, opened_chroma, saying, stopped_by
from smolville.history.folder import RunFolder
from smolville.history.memory_rows import (
    MadeBy,
    ReembeddingMark,
    StoredMemories,
    VectorRecord,
    Vectors,
    cells_of,
    changed_cells,
    is_current,
    is_same_memory,
    made_by,
    memory_of,
    refusal,
)
from smolville.history.trouble import explain_storage_errors

if TYPE_CHECKING:
    from smolville.history.chroma import Client, Collection

Item = TypeVar("Item")
Embed = Callable[[Sequence[str]], Vectors]

BATCH = 500
"""Number of records written at once, because each write waits for the disk, however small."""
_PAGE = 5_000


class MemoryStore:
    """A run's memories with their vectors, in Chroma; nothing is opened before it is needed.

    With a `mark`, a new collection is built beside the current one, which stays unchanged.
    """

    def __init__(
        self,
        folder: RunFolder,
        embedder_name: str,
        dimension: int,
        mark: ReembeddingMark | None = None,
    ) -> None:
        self._folder = folder
        self._made_by = MadeBy(embedder_name, dimension, mark)
        self._client: Client | None = None
        self._waiting: list[tuple[Memory, Vectors]] = []
        self._changed: dict[str, Memory] = {}
        self._read: dict[str, VectorRecord] | None = None

    def add(self, memories: Sequence[Memory], vectors: Vectors) -> None:
        """Add committed memories with their vectors; they are written in batches, or by `flush`."""
        self._waiting += zip(memories, vectors, strict=True)
        if len(self._waiting) >= BATCH:
            with self._saying():
                self._write_waiting()

    def change(self, memories: Iterable[Memory]) -> None:
        """Register changed memories as they are now; they are written by `flush`."""
        self._changed.update((memory.id, memory) for memory in memories)

    def flush(self) -> None:
        """Write added and changed memories that are not yet in the store."""
        if self._waiting or self._changed:
            with self._saying():
                self._write_waiting()
                self._update(list(self._changed.values()))
            self._changed = {}

    def load(self, ids: Sequence[str]) -> StoredMemories:
        """Return the memories with these ids, in the order of `ids`; all must be in the store."""
        self.flush()
        with self._saying():
            records = self._read if self._read is not None else self._records()
        self._read = None
        vectors = np.zeros((len(ids), self._made_by.dimension), np.float32)
        for row, one in enumerate(ids):
            vectors[row] = records[one].vector
        return StoredMemories(tuple(memory_of(one, records[one]) for one in ids), vectors)

    def reconcile(self, rows: Sequence[Memory], embed: Embed) -> list[str]:
        """Make the store agree with the last commit; return a sentence for each thing done.

        `rows` are all committed memories as they are now. Memories that the store lacks are
        embedded again. Records in no commit are dropped, and differing ones rewritten. A missing
        or damaged folder is rebuilt. Raises RunError when another embedder made the store.
        """
        there = self._folder.memories_path.exists()
        try:
            done = self._bring_up(rows, embed)
        except chroma_error() as error:
            stopped = stopped_by(self._folder.name, error)
            if stopped is not None:
                raise stopped from error
            self._clear()
            with self._saying():
                self._bring_up(rows, embed)
            return [f"rebuilt {_memories(len(rows))}: the memories' folder was damaged"]
        if not there and rows:
            return [f"rebuilt {_memories(len(rows))}: the memories' folder was missing"]
        return done

    def count(self) -> int:
        """Return how many memories the store holds."""
        with self._saying():
            return int(self._collection().count())

    def unfinished(self) -> ReembeddingMark | None:
        """Return the mark of an unfinished re-embedding; normally None."""
        with self._saying():
            return made_by(self._collection().metadata).mark

    def settle(self) -> None:
        """Drop all other collections, then remove the mark, so that this collection is in use."""
        self._made_by = replace(self._made_by, mark=None)
        with self._saying():
            for other in self._others(self._open_client()):
                self._open_client().delete_collection(other.name)
            self._collection().modify(metadata=self._made_by.cells())
        self._sweep()

    def close(self) -> None:
        """Write pending records, and close Chroma."""
        try:
            self.flush()
        finally:
            self._let_go()

    def _bring_up(self, rows: Sequence[Memory], embed: Embed) -> list[str]:
        have = self._records()
        committed = {memory.id for memory in rows}
        ahead = [one for one in have if one not in committed]
        behind = [memory for memory in rows if memory.id not in have]
        known = [memory for memory in rows if memory.id in have]
        altered = [memory for memory in known if not is_same_memory(memory, have[memory.id])]
        stale = [memory for memory in known if not is_current(memory, have[memory.id])]
        for ids in _chunks(ahead):
            self._collection().delete(ids=list(ids))
            for one in ids:
                del have[one]
        for part in _chunks([*behind, *altered]):
            vectors = np.asarray(embed([memory.text for memory in part]), np.float32)
            self._write(list(zip(part, vectors, strict=True)))
            for memory, vector in zip(part, vectors, strict=True):
                have[memory.id] = VectorRecord(memory.text, cells_of(memory, vector), vector)
        self._update(stale)
        for memory in stale:
            record = have[memory.id]
            have[memory.id] = replace(record, cells=cells_of(memory, record.vector))
        self._read = have
        notes = (
            (len(behind), "added {} that the store did not have yet"),
            (len(altered), "wrote {} again: the store's record differed"),
            (len(stale), "brought {} up to date"),
            (len(ahead), "dropped {} that no commit holds"),
        )
        return [text.format(_memories(count)) for count, text in notes if count]

    def _records(self) -> dict[str, VectorRecord]:
        found: dict[str, VectorRecord] = {}
        collection = self._collection()
        for offset in range(0, collection.count(), _PAGE):
            page = collection.get(
                limit=_PAGE, offset=offset, include=["documents", "metadatas", "embeddings"]
            )
            vectors = np.asarray(page["embeddings"], np.float32)
            cells = zip(page["documents"] or (), page["metadatas"] or (), vectors, strict=True)
            for one, (text, metadata, vector) in zip(page["ids"], cells, strict=True):
                found[one] = VectorRecord(text or "", metadata or {}, vector)
        return found

    def _write_waiting(self) -> None:
        self._read = None
        self._write(self._waiting)
        self._waiting = []

    def _update(self, memories: Sequence[Memory]) -> None:
        for part in _chunks(memories):
            self._collection().update(
                ids=[memory.id for memory in part],
                metadatas=[changed_cells(memory) for memory in part],
            )

    def _write(self, pairs: Sequence[tuple[Memory, Vectors]]) -> None:
        for part in _chunks(pairs):
            self._collection().upsert(
                ids=[memory.id for memory, _ in part],
                documents=[memory.text for memory, _ in part],
                embeddings=np.stack([vector for _, vector in part]),
                metadatas=[cells_of(memory, vector) for memory, vector in part],
            )

    def _collection(self) -> "Collection":
        return self._open_client().get_or_create_collection(
            self._made_by.collection(),
            embedding_function=None,
            metadata=self._made_by.cells(),
            configuration={"hnsw": {"space": "ip"}},
        )

    def _open_client(self) -> "Client":
        if self._client is None:
            self._client = opened_chroma(self._folder.memories_path)
            self._clear_away(self._client)
        return self._client

    def _others(self, client: "Client") -> "list[Collection]":
        return [one for one in client.list_collections() if one.name != self._made_by.collection()]

    def _clear_away(self, client: "Client") -> None:
        """Drop leftovers of a re-embedding.

        Raises RunError if the run's collection was made by another embedder.
        """
        others = self._others(client)
        has_own = len(client.list_collections()) > len(others)
        is_new = self._made_by.mark is not None
        for other in others:
            made = made_by(other.metadata)
            if made.mark is None and not has_own and not is_new:
                self._let_go()
                raise RunError(refusal(self._folder.name, made, self._made_by))
            if made.mark is not None or not is_new:
                client.delete_collection(other.name)

    def _sweep(self) -> None:
        """Remove the index folders of dropped collections, which Chroma leaves behind."""
        path = self._folder.memories_path
        with closing(sqlite3.connect(path / "chroma.sqlite3")) as connection:
            try:
                kept = {row[0] for row in connection.execute("SELECT id FROM segments")}
            except sqlite3.DatabaseError:
                return
        for folder in path.glob("*-*-*-*-*"):
            if kept and folder.is_dir() and folder.name not in kept:
                shutil.rmtree(folder, ignore_errors=True)

    def _clear(self) -> None:
        """Remove a damaged folder."""
        self._let_go()
        forget_opened()
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

    def _saying(self) -> AbstractContextManager[None]:
        return saying(self._folder.name)


def _chunks(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), BATCH):
        yield items[start : start + BATCH]


def _memories(count: int) -> str:
    return f"{count:,} {'memory' if count == 1 else 'memories'}"
