"""A run whose memories are embedded anew goes on with the new vectors, wherever it was killed."""

import shutil
import signal
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from smolville.agents.errors import RunError
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.memory_store import MemoryStore
from smolville.history.reader import RunReader
from smolville.models.embedding.embedder import Embedder, open_embedder
from smolville.models.errors import TransportError
from smolville.reports.story import write_story
from smolville.world.reembedding import reembed
from smolville.world.run_request import RunRequest
from smolville.world.streams import recall
from smolville.world.town.town import town_of
from tests.fixtures.tiny_onnx import write_tiny_minilm
from tests.fixtures.warm import run_warm
from tests.whole.lives import HOUR, differing, live, lived, parts

ROOT = Path(__file__).parents[2]
TEN, ELEVEN = 10 * HOUR, 11 * HOUR


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    """Another embedder than the run was begun with, run for real."""
    return open_embedder(f"minilm:{write_tiny_minilm(tmp_path_factory.mktemp('minilm'))}")


@pytest.fixture(scope="module")
def until_ten(tmp_path_factory: pytest.TempPathFactory, small: RunRequest) -> RunFolder:
    """A run that was lived until ten; to be copied."""
    return lived(tmp_path_factory.mktemp("ten"), "amber", small, TEN)


@pytest.fixture
def amber(until_ten: RunFolder, tmp_path: Path) -> RunFolder:
    """A run of one's own that stands at ten."""
    shutil.copytree(until_ten.path, tmp_path / "amber")
    return RunFolder.open(tmp_path, "amber")


@pytest.fixture(scope="module")
def eleven(
    until_ten: RunFolder, other: Embedder, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """The history at eleven of a run that was embedded anew at ten, undisturbed."""
    runs = tmp_path_factory.mktemp("eleven")
    shutil.copytree(until_ten.path, runs / "amber")
    folder = reembed(RunFolder.open(runs, "amber"), other).folder
    live(folder, ELEVEN)
    return parts(folder)


def changes(folder: RunFolder) -> list[tuple[int, str, str]]:
    """What the history knows of embedders."""
    with RunReader(folder) as reader:
        found = [each for each in reader.interventions() if each.kind == "reembedded"]
    return [(each.tick, each.target, each.text) for each in found]


def collections(folder: RunFolder) -> list[dict[str, object]]:
    """What lies in the memories' folder."""
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    client = chromadb.PersistentClient(path=str(folder.memories_path), settings=settings)
    try:
        return [dict(one.metadata or {}) for one in client.list_collections()]
    finally:
        client.close()


def test_the_run_goes_on_with_the_new_embedder(amber: RunFolder, other: Embedder) -> None:
    begun = amber.spec
    with RunReader(amber) as reader:
        done = reader.watermark()
    heard: list[tuple[int, int]] = []
    made = reembed(amber, other, lambda *far: heard.append(far))
    assert (made.was, made.folder.spec.models.embedder) == ("wordllama", other.name)
    assert heard[-1] == (made.memories, made.memories)
    assert len(heard) > 1
    assert done is not None
    assert changes(amber) == [(done + 1, other.name, f"wordllama -> {other.name}")]
    assert collections(amber) == [{"embedder": other.name, "dimension": other.dimension}]
    assert RunFolder.open(amber.path.parent, "amber").spec == begun.model_copy(
        update={"models": begun.models.model_copy(update={"embedder": other.name})}
    )
    assert live(made.folder, ELEVEN) == []
    with RunReader(made.folder) as reader:
        assert reader.watermark() == ELEVEN // 10 - 1
        assert reader.faults() == []
        assert "memories are compared by another embedder: wordllama" in write_story(reader, None)


def test_recall_uses_the_new_vectors(amber: RunFolder, other: Embedder) -> None:
    persona = town_of(amber).personas[amber.spec.cast[0]]
    text = "the bread in the rain"

    def relevances(folder: RunFolder) -> list[float]:
        with RunReader(folder) as reader:
            found = recall(reader, persona, text, 1_000).found
        return [each.relevance for each in sorted(found, key=lambda each: each.memory.id)]

    before = relevances(amber)
    folder = reembed(amber, other).folder
    after = relevances(folder)
    assert len(before) == len(after) > 10
    assert before != after
    with History(folder) as history:
        rows = history.memories_of_all()
        store = MemoryStore(folder, other.name, other.dimension)
        store.reconcile(rows, refuse)
        stored = store.load([row.id for row in rows])
        store.close()
    assert np.array_equal(stored, other.embed([row.text for row in rows]))


def refuse(texts: Sequence[str]) -> NDArray[np.float32]:
    raise AssertionError(f"{len(texts)} texts were embedded again")


@pytest.mark.parametrize("where", ["reembed-unnamed", "reembed-named"])
def test_killed_anywhere_a_run_opens_and_may_be_embedded_anew(
    amber: RunFolder, other: Embedder, eleven: dict[str, str], where: str
) -> None:
    command = ["-m", "tests.whole.reembedding_child", amber.path.parent]
    child = run_warm([*command, "amber", other.name, where], ROOT)
    assert child.returncode == -signal.SIGKILL, child.stderr[-2000:]
    left = amber.path.with_name("left")
    shutil.copytree(amber.path, left)
    opened = RunFolder.open(amber.path.parent, "left")
    live(opened, TEN + 600)
    embedder = open_embedder(opened.spec.models.embedder)
    made_by = {"embedder": embedder.name, "dimension": embedder.dimension}
    assert collections(opened) == [made_by]
    assert len(changes(opened)) == (embedder.name == other.name)
    again = RunFolder.open(amber.path.parent, "amber")
    if again.spec.models.embedder == "wordllama":
        again = reembed(again, other).folder
    live(again, ELEVEN)
    assert len(changes(again)) == 1
    assert differing(eleven, parts(again)) == []


def test_a_server_that_goes_away_changes_nothing(amber: RunFolder, other: Embedder) -> None:
    class Failing:
        """Gives up after a while, as a server does."""

        name, dimension, left = other.name, other.dimension, 1

        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            self.left -= 1
            if self.left < 0:
                raise TransportError("The server is gone.", retryable=False)
            return other.embed(texts)

    with pytest.raises(TransportError, match="gone"):
        reembed(amber, Failing())
    assert RunFolder.open(amber.path.parent, "amber").spec.models.embedder == "wordllama"
    assert changes(amber) == []


def test_the_same_embedder_is_refused_and_nothing_happens(
    amber: RunFolder, other: Embedder
) -> None:
    with pytest.raises(
        RunError, match="are embedded by wordllama already; to embed them with it again"
    ):
        reembed(amber, open_embedder("wordllama"))
    assert changes(amber) == []
    folder = reembed(amber, other).folder
    back = reembed(folder, open_embedder("wordllama")).folder
    assert [text for _, _, text in changes(back)] == [
        f"wordllama -> {other.name}",
        f"{other.name} -> wordllama",
    ]
    live(back, TEN + 600)


def test_a_model_that_was_changed_behind_its_name_is_told_and_can_be_embedded_anew(
    amber: RunFolder, other: Embedder
) -> None:
    folder = reembed(amber, other).folder
    write_tiny_minilm(Path(other.name.partition(":")[2]), dimension=other.dimension + 8)
    try:
        with pytest.raises(RunError, match=r"was changed: it gives 32 .*gave 24 .*smolville reemb"):
            live(folder, ELEVEN)
        again = reembed(folder, open_embedder(other.name)).folder
        assert changes(again)[-1][2] == (f"{other.name} -> {other.name} (32 numbers a text now)")
        live(again, TEN + 600)
        assert collections(again) == [{"embedder": other.name, "dimension": 32}]
    finally:
        write_tiny_minilm(Path(other.name.partition(":")[2]))
