"""`smolville reembed`: another embedder for a run's memories, and what it says in vain."""

from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.fixtures.tiny_onnx import write_tiny_minilm


@pytest.fixture
def minilm(tmp_path: Path) -> str:
    """The spec of another embedder, run for real."""
    return f"minilm:{write_tiny_minilm(tmp_path / 'minilm')}"


def test_a_run_is_embedded_anew_and_goes_on(lived: Command, minilm: str) -> None:
    said = lived("reembed", "amber", "--embedder", minilm)
    assert said.code == 0, said.err
    assert f"memories embedded by {minilm} (24 numbers a text) instead of wordllama." in said.out
    assert "smolville run amber --resume" in said.out
    assert " memories\n" in said.err
    assert lived("recall", "amber", "Ada", "bread").code == 0
    assert lived("run", "amber", "--resume", "--for", "30m", "--quiet").code == 0
    told = lived("timeline", "amber").out
    assert "memories are compared by another embedder: wordllama" in told
    assert lived("reembed", "amber", "--embedder", "wordllama").code == 0


def test_the_sentence_that_offers_it_can_be_followed(lived: Command, minilm: str) -> None:
    resume = ("run", "amber", "--resume", "--for", "30m", "--quiet", "--embedder", minilm)
    said = lived(*resume)
    assert said.code == 2
    assert "smolville reembed amber --embedder" in said.err
    assert lived("reembed", "amber", "--embedder", minilm).code == 0
    assert lived(*resume).code == 0


def test_a_folder_may_be_named_from_where_one_stands(
    lived: Command, minilm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(minilm.partition(":")[2])
    monkeypatch.chdir(folder.parent)
    assert lived("reembed", "amber", "--embedder", f"minilm:{folder.name}").code == 0
    monkeypatch.chdir(folder)
    said = lived("run", "amber", "--resume", "--for", "30m", "--quiet")
    assert said.code == 0, said.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("amber", "--embedder", "word"), "The embedder 'word' is unknown: write wordllama, words"),
        (("amber", "--embedder", "wordllama"), "are embedded by wordllama already"),
        (("umber", "--embedder", "words"), "There is no run 'umber'"),
        (("amber", "--embedder", "minilm:/nowhere"), "needs model.onnx and tokenizer.json"),
        (("amber",), "Missing option '--embedder'"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(
    morning: Command, words: tuple[str, ...], said: str
) -> None:
    found = morning("reembed", *words)
    assert found.code == 2
    assert said in found.err
    assert found.out == ""
