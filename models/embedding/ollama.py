"""Vectors from an embedding model that Ollama serves."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from models.embedding.rows import rows_of
from models.errors import UnknownModel
from models.servers.address import is_loopback
from models.servers.ollama import OllamaServer
from models.servers.transport import TranslatedErrors

if TYPE_CHECKING:
    from langchain_ollama import OllamaEmbeddings

BATCH = 64
"""Texts per request; Ollama processes them one after another."""
SECONDS = 120.0
"""Seconds that one request may take, including loading the model."""


class OllamaEmbedder:
    """Embedder on an Ollama server: sends texts in batches, blocks while waiting, never retries."""

    def __init__(self, name: str, model: "OllamaEmbeddings", server: str) -> None:
        """Make one request, to learn the dimension."""
        self.name = f"ollama:{name}"
        self._model = model
        self._server = server
        self.dimension = int(self._rows(["town"], None).shape[1])

    @classmethod
    def open(cls, name: str, env: Mapping[str, str]) -> "OllamaEmbedder":
        """Return the embedder for an installed model. Raises ModelError."""
        server = OllamaServer.of(env)
        if server.find(name) is None:
            installed = ", ".join(server.installed()) or "nothing"
            raise UnknownModel(
                f"{server.name} has no model {name!r} (installed: {installed}). "
                f"To get it: ollama pull {name}"
            )
        from httpx import Limits
        from langchain_ollama import OllamaEmbeddings

        # LangChain's class cannot be closed, so no connection is kept open between requests.
        ways = {
            "timeout": SECONDS,
            "trust_env": not is_loopback(server.url),
            "limits": Limits(max_keepalive_connections=0),
        }
        model = OllamaEmbeddings(model=name, base_url=server.url, client_kwargs=ways)
        return cls(name, model, server.name)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text. Raises TransportError when Ollama does not answer."""
        rows = [
            self._rows(list(texts[start : start + BATCH]), self.dimension)
            for start in range(0, len(texts), BATCH)
        ]
        return np.concatenate([np.zeros((0, self.dimension), np.float32), *rows])

    def _rows(self, texts: list[str], dimension: int | None) -> NDArray[np.float32]:
        """Return the vectors of one request."""
        with TranslatedErrors(self._server):
            vectors = self._model.embed_documents(texts)
        return rows_of(vectors, len(texts), dimension, self._server)
