"""Turn texts into vectors: what an embedder is, and which one a spec names."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from models.errors import SpecError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WAYS = "words (built in) or ollama:<name>"
"""Every embedder there is, and how it is written."""


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


def open_embedder(spec: str = "words", *, env: Mapping[str, str] | None = None) -> Embedder:
    """Return the embedder that a spec names. Raises ModelError."""
    kind, _, name = spec.strip().partition(":")
    if kind == "words" and not name:
        from models.embedding.words import Words

        return Words()
    if kind == "ollama" and name:
        from models.embedding.ollama import OllamaEmbedder

        return OllamaEmbedder.open(name, os.environ if env is None else env)
    raise SpecError(f"The embedder {spec!r} is unknown: write {WAYS}.")
