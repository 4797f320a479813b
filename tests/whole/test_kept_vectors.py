"""Recall beside a run takes vectors from its store, and embeds only what is not in it."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.models.embedding.embedder import Embedder, open_embedder
from smolville.world.run_request import RunRequest
from smolville.world.simulation import open_simulation
from smolville.world.streams import stream_of
from tests.fixtures.tiny_onnx import write_tiny_minilm
from tests.whole.lives import HOUR, begin, live, standin


class Counting:
    """An embedder that notes what it embeds."""

    def __init__(self, embedder: Embedder) -> None:
        self.name, self.dimension = embedder.name, embedder.dimension
        self.embedder = embedder
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return self.embedder.embed(texts)


@pytest.fixture
def counting(tmp_path: Path) -> Counting:
    return Counting(open_embedder(f"minilm:{write_tiny_minilm(tmp_path / 'minilm')}"))


@pytest.fixture
def amber(small: RunRequest, tmp_path: Path, counting: Counting) -> RunFolder:
    """A run until nine, its memories compared by an embedder that takes its time."""
    folder = begin(tmp_path, "amber", replace(small, embedder=counting.name))
    live(folder, 9 * HOUR)
    return folder


def read(folder: RunFolder, counting: Counting) -> tuple[int, list[str]]:
    """How many memories somebody has, and which texts were embedded for it; vectors are right."""
    counting.asked.clear()
    with RunReader(folder) as reader:
        name = folder.spec.cast[0]
        done = reader.watermark()
        assert done is not None
        stream = stream_of(reader, name, done, counting)
        memories = reader.memories(name)
    assert list(stream) == memories
    wanted = counting.embedder.embed([memory.text for memory in memories])
    assert np.allclose(stream._vectors[: len(stream)], wanted, atol=1e-6)
    return len(memories), list(counting.asked)


def test_nothing_is_embedded_again(amber: RunFolder, counting: Counting) -> None:
    count, asked = read(amber, counting)
    assert count > 10
    assert asked == []


def test_beside_the_owner_only_what_is_not_written_yet_is_embedded(
    amber: RunFolder, counting: Counting
) -> None:
    before, _ = read(amber, counting)
    chat = standin()
    with open_simulation(amber, (chat, chat)) as simulation:
        asyncio.run(simulation.run(12 * HOUR))
        count, asked = read(amber, counting)
        assert before < count == before + len(asked)
        simulation.engine.runner.store.flush()
        assert read(amber, counting) == (count, [])


@pytest.mark.parametrize("size", [None, 5_000])
def test_a_damaged_store_is_no_obstacle(
    amber: RunFolder, counting: Counting, size: int | None
) -> None:
    database = amber.memories_path / "chroma.sqlite3"
    if size is None:
        database.unlink()
    else:
        database.write_bytes(database.read_bytes()[:size])
    count, asked = read(amber, counting)
    assert len(asked) == count
