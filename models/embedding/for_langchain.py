"""An embedder as LangChain's `Embeddings`, to read a run's memories with LangChain's tools."""

from langchain_core.embeddings import Embeddings

from smolville.models.embedding.embedder import Embedder, open_embedder


class LangChainEmbeddings(Embeddings):
    """Vectors of texts, as the run's own embedder makes them."""

    def __init__(self, spec: str) -> None:
        """Open the embedder of a spec. Raises ModelError when it is not available."""
        self._embedder: Embedder = open_embedder(spec)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return a vector for each text."""
        rows: list[list[float]] = self._embedder.embed(texts).tolist()
        return rows

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a query."""
        return self.embed_documents([text])[0]
