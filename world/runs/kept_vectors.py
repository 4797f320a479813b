"""Vectors from a run's store, for whoever reads beside its owner: nothing is embedded again.

Chroma on a folder that another process has open would damage it, so a copy is opened, which is
thrown away. What a write tore meanwhile shows in the check sums.
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
from world.runs.chroma import opened_chroma, saying
from world.runs.folder import RunFolder
from world.runs.memory_rows import MadeBy, Record, Vectors, agrees

DATABASE = "chroma.sqlite3"
PAGE = 500
"""Records that are asked for at once."""


def kept_vectors(
    folder: RunFolder, made_by: MadeBy, memories: Sequence[Memory]
) -> dict[str, Vectors]:
    """Return the vectors of memories by their ids, as far as the store holds them.

    None of them where the store is missing or damaged, or where another embedder made it.
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
                    if agrees(part[one], Record(text or "", metadata or {}, vector)):
                        found[one] = vector
    return found


def _copy(source: Path, copy: Path) -> None:
    """Copy a store as of one moment: its index may be newer than its records, never older."""
    copy.mkdir()
    address = f"{(source / DATABASE).absolute().as_uri()}?mode=ro"
    with (
        closing(sqlite3.connect(address, uri=True)) as old,
        closing(sqlite3.connect(copy / DATABASE)) as new,
    ):
        old.backup(new, pages=-1)
    for index in source.glob("*-*-*-*-*"):
        shutil.copytree(index, copy / index.name)
