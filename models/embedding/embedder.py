"""Turn texts into vectors: what an embedder is, and which one a spec names."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from models.embedding.spec import BUILT_IN, parse_embedder
from models.keys import MaySend, check_keys, never

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into vectors; the same text gives the same vector."""

    @property
    def name(self) -> str:
        """The spec that opens it again; kept with every store of vectors."""
        ...

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one row per text, shape (len(texts), dimension)."""
        ...


def open_embedder(
    spec: str = BUILT_IN, *, env: Mapping[str, str] | None = None, may_send: MaySend = never
) -> Embedder:
    """Return the embedder that a spec names. Raises ModelError.

    `may_send` decides whether keys go to the server of a spec that is not `Named`.
    """
    read = parse_embedder(spec)
    around = os.environ if env is None else env
    check_keys(spec, read, around, may_send)
    if read.kind == "ollama":
        from models.embedding.ollama import OllamaEmbedder

        return OllamaEmbedder.open(read.target, around)
    if read.kind == "minilm":
        from models.embedding.minilm import MiniLM

        return MiniLM(read)
    if read.kind in ("llamacpp", "openai"):
        from models.embedding.served import ServedEmbedder

        return ServedEmbedder.open(read, around)
    if read.kind == "wordllama":
        from models.embedding.wordllama import WordLlama

        return WordLlama()
    from models.embedding.words import Words

    return Words()
