"""What compares a new run's memories where nobody has said."""

import pytest

import smolville.models.embedding.wordllama as wordllama
from smolville.models.embedding.embedder import find_embedder
from tests.fixtures.loopback import free_port
from tests.fixtures.ollama_server import serve_ollama


def test_an_embedding_model_of_the_ollama_that_answers_is_taken(ollama_url: str) -> None:
    specs = {"standin", "ollama:tiny:latest"}
    embedder, why = find_embedder(specs, {"OLLAMA_HOST": ollama_url})
    assert embedder.name == "ollama:nomic-embed-text:latest"
    assert why == f"Ollama at {ollama_url} has it"


def test_without_one_it_is_what_is_built_in_and_the_line_says_so(llamacpp_url: str) -> None:
    with serve_ollama(llamacpp_url) as fake:
        fake.installed = ["tiny:latest", "embed-cloud"]
        embedder, why = find_embedder({"ollama:tiny"}, {"OLLAMA_HOST": fake.url})
    assert embedder.name == "wordllama"
    assert why == f"built in; Ollama at {fake.url} has no embedding model"


def test_an_ollama_that_does_not_answer_is_no_obstacle() -> None:
    embedder, why = find_embedder({"ollama:tiny"}, {"OLLAMA_HOST": f"127.0.0.1:{free_port()}"})
    assert embedder.name == "wordllama"
    assert why.startswith("built in; ") and "refuses the connection" in why


def test_where_the_package_is_not_installed_words_are_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wordllama, "package_folder", lambda: None)
    embedder, why = find_embedder({"standin"}, {})
    assert (embedder.name, why) == ("words", "built in; the package wordllama is not installed")
