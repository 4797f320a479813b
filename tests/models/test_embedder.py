"""Opening an embedder."""

import numpy as np
import pytest

from models.embedding.embedder import open_embedder
from models.errors import SpecError, TransportError, UnknownModel
from tests.fixtures.loopback import free_port
from tests.fixtures.ollama_server import DIMENSION


def test_words_is_there_without_a_server() -> None:
    embedder = open_embedder("words")
    assert (embedder.name, embedder.dimension) == ("words", 384)


def test_ollama_s_embedding_models_are_asked_in_batches(ollama_url: str) -> None:
    embedder = open_embedder("ollama:nomic-embed-text", env={"OLLAMA_HOST": ollama_url})
    texts = [f"memory {number}" for number in range(130)]
    rows = embedder.embed(texts)
    assert embedder.name == "ollama:nomic-embed-text"
    assert rows.shape == (130, DIMENSION) == (130, embedder.dimension)
    assert rows.dtype == np.float32
    assert (rows[7] == embedder.embed(["memory 7"])[0]).all()
    assert embedder.embed([]).shape == (0, DIMENSION)


def test_an_embedding_model_that_is_not_installed_is_told(ollama_url: str) -> None:
    with pytest.raises(UnknownModel, match="To get it: ollama pull mxbai-embed-large"):
        open_embedder("ollama:mxbai-embed-large", env={"OLLAMA_HOST": ollama_url})


def test_a_server_that_is_not_there_is_told() -> None:
    with pytest.raises(TransportError, match="refuses the connection"):
        open_embedder("ollama:nomic-embed-text", env={"OLLAMA_HOST": f":{free_port()}"})


@pytest.mark.parametrize("spec", ["", "minilm", "ollama:", "words:en"])
def test_an_unknown_embedder_says_which_there_are(spec: str) -> None:
    with pytest.raises(SpecError) as caught:
        open_embedder(spec)
    assert str(caught.value) == (
        f"The embedder {spec!r} is unknown: write words (built in) or ollama:<name>."
    )
