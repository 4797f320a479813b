"""Vectors from an embedding model that Ollama serves."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from models.errors import UnknownModel
from models.servers.address import is_loopback
from models.servers.ollama import OllamaServer
from models.servers.transport import Translated

if TYPE_CHECKING:
    from langchain_ollama import OllamaEmbeddings

BATCH = 64
"""Texts in one request; Ollama works through them one after another."""
SECONDS = 120.0
"""How long one request may take, loading the model included."""


class OllamaEmbedder:
    """Rows of unit length (or as the model gives them), asked in batches. Blocks while it waits."""

    def __init__(self, name: str, model: "OllamaEmbeddings", server: str) -> None:
        """Ask once, to learn the dimension."""
        self.name = f"ollama:{name}"
        self._model = model
        self._server = server
        self.dimension = len(self._rows(["town"])[0])

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
        rows: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            rows += self._rows(list(texts[start : start + BATCH]))
        return np.asarray(rows, dtype=np.float32).reshape(len(texts), self.dimension)

    def _rows(self, texts: list[str]) -> list[list[float]]:
        """Return the vectors of one request."""
        with Translated(self._server):
            return self._model.embed_documents(texts)
