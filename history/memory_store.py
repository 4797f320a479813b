"""The durable vector store of memories: Chroma, one collection per run and embedder.

It holds each memory's text, the fields of it that never change, and its vector. Two processes on
one folder would damage it, so only a run's owner opens it.

A collection's metadata names the embedder that made it, so that another one is noticed. When a run
changes its embedder, a second collection is built beside the first, and carries a mark until it is
complete. So a collection that still has its mark was never in use, and may be dropped.
"""

import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from smolville.agents.errors import RunError
from smolville.agents.memory import Memory
from smolville.history.chroma import (
    Vectors,
    cells_of,
    chroma_error,
    forget_opened,
    opened_chroma,
    records_in,
    saying,
    stopped_by,
)
from smolville.history.folder import RunFolder
from smolville.history.trouble import explain_storage_errors

if TYPE_CHECKING:
    from smolville.history.chroma import Client, Collection

Item = TypeVar("Item")
Embed = Callable[[Sequence[str]], Vectors]

BATCH = 500
"""Number of records written at once, because each write waits for the disk, however small."""


@dataclass(frozen=True, slots=True)
class ReembeddingMark:
    """The mark on a collection that a re-embedding is building and has not finished."""

    id: str
    """Id of the intervention that records the re-embedding."""
    text: str
    """The old and the new embedder: `words -> ollama:nomic-embed-text`."""


@dataclass(frozen=True, slots=True)
class MadeBy:
    """The embedder that made a collection: its name, and the dimension of its vectors."""

    name: str
    dimension: int
    mark: ReembeddingMark | None = None

    @classmethod
    def read(cls, metadata: Mapping[str, Any] | None) -> "MadeBy":
        """Return the embedder recorded in a collection's metadata."""
        known = metadata or {}
        mark = None
        if "mark" in known:
            mark = ReembeddingMark(str(known["mark"]), str(known.get("mark_text", "")))
        dimension = known.get("dimension")
        dimension = dimension if isinstance(dimension, int) else 0
        return cls(str(known.get("embedder", "")), dimension, mark)

    def metadata(self) -> dict[str, str | int]:
        """Return the metadata of a collection made by this embedder."""
        plain: dict[str, str | int] = {"embedder": self.name, "dimension": self.dimension}
        return plain | ({"mark": self.mark.id, "mark_text": self.mark.text} if self.mark else {})

    def collection(self) -> str:
        """Return the name of this embedder's collection."""
        plain = re.sub(r"[^a-zA-Z0-9]+", "-", self.name).strip("-")[:40]
        key = blake2b(f"{self.name}|{self.dimension}".encode(), digest_size=4).hexdigest()
        return f"memories-{plain}-{key}"

    def refusal(self, run: str, asked: "MadeBy") -> str:
        """Return why memories made by this embedder cannot be used with another, and what to do."""
        if self.name == asked.name:
            why = (
                f"the model behind {asked.name!r} was changed: it gives {asked.dimension} numbers "
                f"a text, and gave {self.dimension} when the memories of run {run!r} were "
                "embedded; give it the former one again"
            )
        else:
            why = (
                f"the memories of run {run!r} were embedded by {self.name!r} ({self.dimension} "
                f"numbers a text), not by {asked.name!r} ({asked.dimension}); ask for that embedder"
            )
        return (
            f"{why}, or have every text embedded again: "
            f"`smolville reembed {run} --embedder {asked.name}`"
        )


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
        self._read: dict[str, Vectors] | None = None

    def add(self, memories: Sequence[Memory], vectors: Vectors) -> None:
        """Add committed memories with their vectors; they are written in batches, or by `flush`."""
        self._waiting += zip(memories, vectors, strict=True)
        if len(self._waiting) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Write added memories that are not yet in the store."""
        if self._waiting:
            with self._saying():
                self._write(self._waiting)
            self._waiting, self._read = [], None

    def load(self, ids: Sequence[str]) -> Vectors:
        """Return the vectors of the memories with these ids; all must be in the store."""
        self.flush()
        found, self._read = self._read, None
        if found is None:
            with self._saying():
                found = {one: record.vector for one, record in records_in(self._collection())}
        vectors = np.zeros((len(ids), self._made_by.dimension), np.float32)
        for row, one in enumerate(ids):
            vectors[row] = found[one]
        return vectors

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
            return MadeBy.read(self._collection().metadata).mark

    def settle(self) -> None:
        """Drop all other collections, then remove the mark, so that this collection is in use."""
        self._made_by = replace(self._made_by, mark=None)
        with self._saying():
            for other in self._others(self._open_client()):
                self._open_client().delete_collection(other.name)
            self._collection().modify(metadata=self._made_by.metadata())

    def close(self) -> None:
        """Write pending records, and close Chroma."""
        try:
            self.flush()
        finally:
            self._let_go()

    def _bring_up(self, rows: Sequence[Memory], embed: Embed) -> list[str]:
        have = dict(records_in(self._collection()))
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
                metadatas=[cells_of(memory, vector) for memory, vector in part],
            )

    def _collection(self) -> "Collection":
        return self._open_client().get_or_create_collection(
            self._made_by.collection(),
            embedding_function=None,
            metadata=self._made_by.metadata(),
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
            made = MadeBy.read(other.metadata)
            if made.mark is None and not has_own and not is_new:
                self._let_go()
                raise RunError(made.refusal(self._folder.name, self._made_by))
            if made.mark is not None or not is_new:
                client.delete_collection(other.name)

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
