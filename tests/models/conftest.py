"""The servers that these tests ask."""

from tests.fixtures.llamacpp import llamacpp_url, tiny_gguf
from tests.fixtures.ollama_server import ollama_server, ollama_url

__all__ = ["llamacpp_url", "ollama_server", "ollama_url", "tiny_gguf"]
