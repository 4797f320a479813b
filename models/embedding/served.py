"""Vectors from a server: Ollama's, llama.cpp's, or an OpenAI-like one."""

import weakref
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from smolville.models.errors import ModelError, SpecError, TransportError, UnknownModel
from smolville.models.keys import KEYS, OWN, key_for
from smolville.models.request import CONNECT_SECONDS
from smolville.models.servers.http_client import MOST_VECTOR_BYTES, client_settings
from smolville.models.servers.ollama import OllamaServer
from smolville.models.servers.transport import TranslatedErrors, look_inside
from smolville.models.spec import Spec

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
"""Parts of the errors of a llama.cpp server that was not started for embeddings, each with its
meaning and what to do."""

AskVectors = Callable[[list[str]], Sequence[Sequence[float]]]


class ServedEmbedder:
    """Embedder on a server: sends texts in batches, blocks while waiting, does not retry."""

    def __init__(self, name: str, server: str, ask: AskVectors, *, key: str = "") -> None:
        """Make one request, to learn the dimension."""
        self.name = name
        self._server = server
        self._ask = ask
        self._key = key
        self.dimension = int(self._rows(["town"], None).shape[1])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text. Raises TransportError when the server does not answer."""
        rows = [
            self._rows(texts[start : start + BATCH], self.dimension)
            for start in range(0, len(texts), BATCH)
        ]
        return np.concatenate([np.zeros((0, self.dimension), np.float32), *rows])

    def _rows(self, texts: Sequence[str], dimension: int | None) -> NDArray[np.float32]:
        """Return the vectors of one request; an empty text is sent as a blank."""
        try:
            with TranslatedErrors(self._server, key=self._key):
                vectors = self._ask([text or " " for text in texts])
        except ModelError as error:
            raise self._explain(error) from None
        return rows_of(vectors, len(texts), dimension, self._server)

    def _explain(self, error: ModelError) -> ModelError:
        """Return the error, with advice on what to do if its cause is known."""
        text = str(error)
        if isinstance(error, TransportError) and (" 401" in text or " 403:" in text):
            variable = KEYS["llamacpp" if self.name.startswith("llamacpp") else "openai"]
            return SpecError(
                f"{text.rstrip('.')}. It wants a key, or another one: set {variable} or {OWN}."
            )
        for mark, what, todo in MEANINGS:
            if mark in text:
                return SpecError(f"{self._server} {what}: {todo}.")
        return error


def open_ollama(name: str, env: Mapping[str, str]) -> ServedEmbedder:
    """Return the embedder of a model installed in Ollama. Raises ModelError."""
    server = OllamaServer.of(env)
    if server.find(name) is None:
        installed = ", ".join(model.name for model in server.models()) or "nothing"
        raise UnknownModel(
            f"{server.name} has no model {name!r} (installed: {installed}). "
            f"To get it: ollama pull {name}"
        )
    from httpx import Limits
    from langchain_ollama import OllamaEmbeddings

    # LangChain's class cannot be closed, so no connection is kept open between requests.
    ways = {
        "timeout": SECONDS,
        **client_settings(server.url, most=MOST_VECTOR_BYTES),
        "limits": Limits(max_keepalive_connections=0),
    }
    model = OllamaEmbeddings(model=name, base_url=server.url, client_kwargs=ways)
    return ServedEmbedder(f"ollama:{name}", server.name, model.embed_documents)


def open_compatible(spec: Spec, env: Mapping[str, str]) -> ServedEmbedder:
    """Return the embedder on the server of a spec. Raises ModelError."""
    from openai import DefaultHttpxClient, OpenAI, Timeout

    is_llamacpp = spec.kind == "llamacpp"
    url, _, model = spec.target.partition("#")
    http = DefaultHttpxClient(**client_settings(url, look_inside, most=MOST_VECTOR_BYTES))
    client = OpenAI(
        base_url=f"{url}/v1" if is_llamacpp else url,
        api_key=key_for(KEYS[spec.kind], env),
        timeout=Timeout(SECONDS, connect=CONNECT_SECONDS),
        max_retries=0,
        http_client=http,
    )

    def ask(texts: list[str]) -> list[list[float]]:
        answer: object = client.embeddings.create(
            model=model or "default", input=texts, encoding_format="float"
        )
        try:
            # The client does not check what a server sends.
            rows = sorted(getattr(answer, "data", None) or (), key=lambda one: one.index)
            return [one.embedding for one in rows]
        except (AttributeError, TypeError):
            return []

    who = "llama.cpp's server" if is_llamacpp else "The server for embeddings"
    try:
        made = ServedEmbedder(str(spec), f"{who} at {url}", ask, key=client.api_key)
    except ModelError:
        http.close()
        raise
    weakref.finalize(made, http.close)
    return made


def rows_of(
    vectors: Sequence[Sequence[float]], count: int, dimension: int | None, server: str
) -> NDArray[np.float32]:
    """Return the vectors of `count` texts as rows. Raises ModelError if they are not as requested.

    `dimension` is the length they must have; None if it is not known yet.
    """
    try:
        rows = np.asarray(vectors, dtype=np.float32)
    except (TypeError, ValueError):
        rows = np.zeros(0, np.float32)
    if rows.ndim != 2 or len(rows) != count or rows.shape[1] == 0:
        raise ModelError(f"{server} did not send one vector of one length for each text.")
    if dimension is not None and rows.shape[1] != dimension:
        raise ModelError(
            f"{server} sends vectors of {rows.shape[1]} numbers now, and sent {dimension} before: "
            "its model was changed; give it the former one again, or have every memory embedded "
            "again with `smolville reembed RUN --embedder SPEC`."
        )
    if not np.isfinite(rows).all():
        raise ModelError(f"{server} sent a vector with something other than numbers in it.")
    return rows
