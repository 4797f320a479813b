"""Read vectors from a run's store beside its owner, so that nothing is embedded again.

Opening Chroma on a folder that another process has open would damage it, so a temporary copy is
opened. Vectors that a write garbled during the copy are detected by their check sums.
"""

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from agents.errors import StoppedError
from agents.memory import Memory
from history.chroma import opened_chroma, saying
from history.folder import RunFolder
from history.memory_rows import MadeBy, VectorRecord, Vectors, agrees

DATABASE = "chroma.sqlite3"
PAGE = 500
"""Number of records read at once."""


def kept_vectors(
    folder: RunFolder, made_by: MadeBy, memories: Sequence[Memory]
) -> dict[str, Vectors]:
    """Return the stored vectors of memories by their ids, as far as the store holds them.

    Empty where the store is missing or damaged, or was made by another embedder.
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
            collection = client.get_collection(made_by.collection(), embedding_function=None)
            for start in range(0, len(memories), PAGE):
                part = {memory.id: memory for memory in memories[start : start + PAGE]}
                page = collection.get(
                    ids=list(part), include=["documents", "metadatas", "embeddings"]
                )
                vectors = np.asarray(page["embeddings"], np.float32)
                cells = zip(page["documents"] or (), page["metadatas"] or (), vectors, strict=True)
                for one, (text, metadata, vector) in zip(page["ids"], cells, strict=True):
                    if agrees(part[one], VectorRecord(text or "", metadata or {}, vector)):
                        found[one] = vector
    return found


def _copy(source: Path, copy: Path) -> None:
    """Copy a store: the records as of one moment; the index may be newer, but never older."""
    copy.mkdir()
    address = f"{(source / DATABASE).absolute().as_uri()}?mode=ro"
    with (
        closing(sqlite3.connect(address, uri=True)) as old,
        closing(sqlite3.connect(copy / DATABASE)) as new,
    ):
        old.backup(new, pages=-1)
    for index in source.glob("*-*-*-*-*"):
        shutil.copytree(index, copy / index.name)
