"""Measures how much space the memories of a run take in the memory of a process, part by part.

    python benchmarks/memories.py RUNS NAME [--copies N]

The run's memories are put into streams as when the run is opened, `--copies` times (ids and texts
differ), each copy some days later than the previous one. Bytes are those allocated by Python and
numpy (`tracemalloc`), including the space that arrays reserve for later memories.
"""

import argparse
import gc
import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import benchmarks.here  # noqa: F401 - for a script run by its path
from benchmarks.table import machine, print_figures, print_table

if TYPE_CHECKING:
    from smolville.agents.memory import Memory
    from smolville.history.folder import RunFolder


def copies_of(memories: "Sequence[Memory]", copies: int) -> "list[Memory]":
    """Return memories, followed by copies with other ids and texts."""
    again = [
        replace(one, id=f"{one.id}/{n}", text=f"{one.text} ({n})")
        for n in range(1, copies)
        for one in memories
    ]
    return [*memories, *again]


class RowsOf:
    """Reads copies of memories from the history's rows of the original memories."""

    def __init__(self, source: Any) -> None:
        self._source = source

    def append(self, memory: "Memory") -> None:
        """Add a memory or a copy."""
        self._source.append(replace(memory, id="/".join(memory.id.split("/")[:5])))

    def read(self, places: Sequence[int]) -> "list[Memory]":
        """Return the memories at `places`; a copy is returned as its original."""
        found: list[Memory] = self._source.read(places)
        return found


def measured(folder: "RunFolder", copies: int, *, is_read: bool) -> dict[str, float]:
    """Fill the streams of a run, and return the bytes that they take."""
    from smolville.history.history import History
    from smolville.models.embedding.embedder import open_embedder
    from smolville.world.streams import Streams, word_vectors

    embedder = open_embedder(folder.spec.models.embedder)
    words = word_vectors(folder.spec.models.keywords)
    with History(folder) as history:
        texts = [one.text for one in copies_of(history.memories_of_all(), copies)]
        vectors = np.asarray(embedder.embed(texts), np.float32)
        del texts
        gc.collect()
        tracemalloc.start()

        def source() -> Any:
            return RowsOf(history.memory_source()) if is_read else None

        memories = copies_of(history.memories_of_all(), copies)
        streams = Streams(folder.spec.cast, embedder, words=words, source=source)
        for memory, vector in zip(memories, vectors, strict=True):
            streams.add([memory], [vector])
        count = len(memories)
        del memories, memory
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return {
            "memories": count,
            "people": len(folder.spec.cast),
            "different words": 0 if words is None else len(words),
            "bytes a memory": taken / count,
            "of which its vector": 4 * embedder.dimension,
        }


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    from smolville.history.folder import RunFolder

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("runs", type=Path)
    parser.add_argument("name")
    parser.add_argument("--copies", type=int, default=4)
    asked = parser.parse_args(arguments)
    folder = RunFolder.open(asked.runs, asked.name)
    found = [measured(folder, asked.copies, is_read=each) for each in (False, True)]
    print_table(
        f"Memories of {asked.name}, {asked.copies} times ({machine()})",
        ("figure", "all at hand", "read when needed"),
        [(name, *(each[name] for each in found)) for name in found[0]],
    )
    print_figures({"all at hand": found[0], "read": found[1]})


if __name__ == "__main__":
    main()
