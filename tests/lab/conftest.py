"""The servers that the lab examines."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.llamacpp import llamacpp_url, serve_gguf, tiny_gguf
from tests.fixtures.ollama_server import ollama_server
from tests.lab.careless import CONTEXT, SLOTS

__all__ = ["llamacpp_url", "ollama_server", "tiny_gguf"]


@pytest.fixture(scope="session")
def short_url(tiny_gguf: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a real llama.cpp server whose context is soon filled; skips without xllamacpp."""
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: no llama.cpp server")
    path = tmp_path_factory.mktemp("short") / "tiny.gguf"
    shutil.copy(tiny_gguf, path)
    with serve_gguf(path, slots=SLOTS, context=CONTEXT) as url:
        yield url
