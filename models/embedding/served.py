"""Vectors from a server with a `/v1/embeddings` route: llama.cpp's, or an OpenAI-like one."""

import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from models.connecting.limits import CONNECT_SECONDS
from models.embedding.embedder import EmbedderSpec
from models.embedding.rows import rows_of
from models.errors import ModelError, SpecError, TransportError
from models.keys import KEYS, OWN, key_for
from models.servers.address import is_loopback
from models.servers.odd_answer import look_inside
from models.servers.transport import TranslatedErrors

if TYPE_CHECKING:
    from openai import OpenAI

BATCH = 64
"""Texts per request."""
SECONDS = 120.0
"""Seconds that one request may take, including loading the model."""

START = "llama-server -m MODEL.gguf --embeddings --pooling mean"
MEANINGS = (
    ("--embeddings", "was started without --embeddings", f"start it with `{START}`"),
    ("Pooling type", "gives a vector per word, not per text", f"start it with `{START}`"),
    (
        "too large to process",
        "cannot read a text of this length in one piece",
        "start it with a larger --ubatch-size, for example 2048",
    ),
)
"""Part of a llama.cpp server's error when it was not started for embeddings, its meaning, and what
to do."""


class ServedEmbedder:
    """Embedder on a server: sends texts in batches, blocks while waiting, does not retry."""

    def __init__(self, spec: EmbedderSpec, client: "OpenAI", server: str) -> None:
        """Make one request, to learn the dimension."""
        self.name = str(spec)
        self._model = spec.model or "default"
        self._client = client
        self._server = server
        self._variable = KEYS[spec.kind]
        self.dimension = int(self._rows(["town"], None).shape[1])

    @classmethod
    def open(cls, spec: EmbedderSpec, env: Mapping[str, str]) -> "ServedEmbedder":
        """Return the embedder on the server of a spec. Raises ModelError."""
        from openai import DefaultHttpxClient, OpenAI, Timeout

        is_llamacpp = spec.kind == "llamacpp"
        http = DefaultHttpxClient(
            trust_env=not is_loopback(spec.target), event_hooks={"response": [look_inside]}
        )
        client = OpenAI(
            base_url=f"{spec.target}/v1" if is_llamacpp else spec.target,
            api_key=key_for(KEYS[spec.kind], env),
            timeout=Timeout(SECONDS, connect=CONNECT_SECONDS),
            max_retries=0,
            http_client=http,
        )
        who = "llama.cpp's server" if is_llamacpp else "The server for embeddings"
        try:
            made = cls(spec, client, f"{who} at {spec.target}")
        except ModelError:
            http.close()
            raise
        weakref.finalize(made, http.close)
        return made

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text. Raises TransportError when the server does not answer."""
        rows = [
            self._rows(texts[start : start + BATCH], self.dimension)
            for start in range(0, len(texts), BATCH)
        ]
        return np.concatenate([np.zeros((0, self.dimension), np.float32), *rows])

    def _rows(self, texts: Sequence[str], dimension: int | None) -> NDArray[np.float32]:
        """Return the vectors of one request; an empty text is sent as a blank, never refused."""
        try:
            with TranslatedErrors(self._server, key=self._client.api_key):
                answer = self._client.embeddings.create(
                    model=self._model,
                    input=[text or " " for text in texts],
                    encoding_format="float",
                )
        except ModelError as error:
            raise self._told(error) from None
        return rows_of(_vectors(answer), len(texts), dimension, self._server)

    def _told(self, error: ModelError) -> ModelError:
        """Return the error extended by advice on what to do."""
        text = str(error)
        if isinstance(error, TransportError) and (" 401" in text or " 403" in text):
            return SpecError(
                f"{self._server} wants a key, or another one: set {self._variable} or {OWN}."
            )
        for mark, what, todo in MEANINGS:
            if mark in text:
                return SpecError(f"{self._server} {what}: {todo}.")
        return error


def _vectors(answer: object) -> list[list[float]]:
    """Return the vectors of an answer in the order of the texts; empty for other kinds of answers.

    The client does not check what a server sends.
    """
    found = getattr(answer, "data", None)
    try:
        return [one.embedding for one in sorted(found or (), key=lambda one: one.index)]
    except (AttributeError, TypeError):
        return []
