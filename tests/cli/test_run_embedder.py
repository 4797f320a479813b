"""What compares a run's memories: what is taken, what the run says of it, and what it keeps."""

from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from smolville.models.embedding import wordllama
from tests.cli.conftest import Command
from tests.fixtures.llamacpp import llamacpp_url, tiny_gguf
from tests.fixtures.ollama_server import OllamaFake, ollama_server

__all__ = ["llamacpp_url", "ollama_server", "tiny_gguf"]


@pytest.fixture
def damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package wordllama, without its files."""
    monkeypatch.setattr(wordllama, "package_folder", lambda: tmp_path / "wordllama")


def kept(command: Command) -> str:
    return RunFolder.open(command.runs, "amber").spec.models.embedder


def test_an_embedder_that_is_asked_for_is_taken_and_kept(smolville: Command) -> None:
    said = smolville.live("amber", "--for", "10m", "--embedder", "words")
    assert "memory words: chosen by you." in said.err
    said = smolville("run", "amber", "--resume", "--for", "10m")
    assert "memory words: as the run was begun." in said.err
    assert kept(smolville) == "words"


def test_a_run_on_ollama_takes_its_embedding_model(
    smolville: Command, ollama_server: OllamaFake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", ollama_server.url)
    town = ("--town", str(smolville.town), "--cast", "1", "--model", "ollama:tiny")
    said = smolville("run", "amber", *town, "--for", "10s", "--set", "num_ctx=4096")
    server = f"Ollama at {ollama_server.url}"
    assert f"memory ollama:nomic-embed-text:latest: {server} has it." in said.err
    assert kept(smolville) == "ollama:nomic-embed-text:latest"


def test_damaged_files_are_one_sentence_and_words_are_there(
    smolville: Command, damaged: None
) -> None:
    said = smolville.live("amber", "--for", "10m")
    assert said.code != 0
    assert "The embedder wordllama cannot be used: " in said.err
    assert "or compare memories by their words with --embedder words." in " ".join(said.err.split())
    assert not (smolville.runs / "amber").exists()
    assert smolville.live("amber", "--for", "10m", "--embedder", "words").code == 0
