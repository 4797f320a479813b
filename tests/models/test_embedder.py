"""Opening an embedder, and what each way of making vectors promises."""

import os
import traceback

import numpy as np
import pytest

from smolville.models.embedding.embedder import WAYS, Embedder, open_embedder, parse_embedder
from smolville.models.errors import SpecError, TransportError
from tests.fixtures.loopback import free_port
from tests.fixtures.ollama_server import DIMENSION

TEXTS = [f"memory {number} of the town" for number in range(130)]


def keeps_its_promises(embedder: Embedder) -> None:
    """Hold an embedder to what every one of them promises."""
    rows = embedder.embed(TEXTS)
    assert rows.shape == (130, embedder.dimension)
    assert rows.dtype == np.float32
    assert np.allclose(rows[7], embedder.embed([TEXTS[7]])[0], atol=1e-6)
    assert embedder.embed([]).shape == (0, embedder.dimension)
    assert np.isfinite(embedder.embed([""])).all()
    again = open_embedder(embedder.name, env={**os.environ})
    assert (again.name, again.dimension) == (embedder.name, embedder.dimension)


def test_words_keeps_its_promises() -> None:
    keeps_its_promises(open_embedder("words"))


def test_ollama_s_embedding_models_are_asked_in_batches(
    ollama_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", ollama_url)
    embedder = open_embedder("ollama:nomic-embed-text")
    assert (embedder.name, embedder.dimension) == ("ollama:nomic-embed-text", DIMENSION)
    keeps_its_promises(embedder)


@pytest.mark.parametrize("spec", ["ollama:nomic-embed-text", "llamacpp:{}", "openai:{}#nomic"])
def test_a_server_that_is_not_there_is_told(spec: str) -> None:
    port = free_port()
    with pytest.raises(TransportError, match="refuses the connection") as caught:
        open_embedder(spec.format(f"127.0.0.1:{port}"), env={"OLLAMA_HOST": f":{port}"})
    assert caught.value.retryable


def test_an_unknown_embedder_says_which_there_are_and_which_was_meant() -> None:
    with pytest.raises(SpecError) as caught:
        open_embedder("olama:nomic-embed-text")
    assert WAYS in str(caught.value)
    assert str(caught.value).endswith("Did you mean ollama?")


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("ollama:", "names no model: write ollama:<name>"),
        ("openai:", "needs an address and a model"),
        ("openai:ftp://127.0.0.1/v1#nomic", "needs the address of a server"),
        ("llamacpp:http://127.0.0.1:8080#nomic", "needs the address of a server"),
    ],
)
def test_a_spec_that_is_not_whole_says_what_it_lacks(spec: str, said: str) -> None:
    with pytest.raises(SpecError, match=said) as caught:
        parse_embedder(spec)
    assert "for example" in str(caught.value) or "write" in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("words", "words"),
        ("minilm", "minilm"),
        (" ollama: nomic-embed-text ", "ollama:nomic-embed-text"),
        ("llamacpp", "llamacpp:http://127.0.0.1:8080"),
        ("llamacpp:localhost:8081/v1/", "llamacpp:http://localhost:8081"),
        ("llamacpp:8081", "llamacpp:http://127.0.0.1:8081"),
        ("openai:localhost:1234#nomic", "openai:http://localhost:1234/v1#nomic"),
        ("openai:http://host/v1/#a/b:c", "openai:http://host/v1#a/b:c"),
    ],
)
def test_a_spec_is_written_in_one_way_and_read_back_as_itself(spec: str, name: str) -> None:
    read = parse_embedder(spec)
    assert str(read) == name
    assert parse_embedder(name) == read


@pytest.mark.parametrize(
    ("spec", "secret"),
    [
        ("openai:http://ada:hunter2@host/v1#nomic", "hunter2"),
        ("openai:http://host/v1?api_key=hunter2#nomic", "hunter2"),
        ("openai:sk-hunter22hunter22", "hunter22"),
        ("openai:http://host/v1#sk-hunter22hunter22", "hunter22"),
    ],
)
def test_a_spec_with_a_key_or_a_password_is_refused_and_not_repeated(
    spec: str, secret: str
) -> None:
    with pytest.raises(SpecError, match="embedder's spec holds a key or a password") as caught:
        open_embedder(spec, env={})
    assert secret not in "".join(traceback.format_exception(caught.value)).replace(spec, "")
    assert secret not in str(caught.value)
