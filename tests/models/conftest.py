"""The servers that these tests ask."""

from tests.fixtures.embedding_server import embedding_url, unpooled_url
from tests.fixtures.llamacpp import llamacpp_url, tiny_gguf
from tests.fixtures.ollama_server import ollama_server, ollama_url
from tests.fixtures.witness import witness

__all__ = [
    "embedding_url",
    "llamacpp_url",
    "ollama_server",
    "ollama_url",
    "tiny_gguf",
    "unpooled_url",
    "witness",
]
