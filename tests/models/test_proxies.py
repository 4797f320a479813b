"""A proxy of the environment does not stand before this machine, and nothing is said about it."""

import logging

import pytest
from langchain_core.messages import HumanMessage

from models.embedding.embedder import open_embedder
from models.open import open_chat
from tests.fixtures.loopback import free_port
from tests.fixtures.ollama_server import OllamaFake

VARIABLES = ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy")


@pytest.fixture(autouse=True)
def proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that sends everything to a proxy that is not there."""
    url = f"http://127.0.0.1:{free_port()}"
    for variable in VARIABLES:
        monkeypatch.setenv(variable, url)
    for variable in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(variable, raising=False)


@pytest.mark.parametrize("spec", ["llamacpp:{}", "openai:{}", "ollama:tiny"])
async def test_a_chat_on_this_machine_is_asked_directly(
    llamacpp_url: str, ollama_server: OllamaFake, spec: str, caplog: pytest.LogCaptureFixture
) -> None:
    chat, _ = open_chat(spec.format(llamacpp_url), env={"OLLAMA_HOST": ollama_server.url})
    assert (await chat.ask([HumanMessage("Hello.")], max_tokens=4)).text
    assert (await chat.count_tokens([HumanMessage("Hello.")])).tokens
    await chat.aclose()
    assert not [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]


@pytest.mark.parametrize("spec", ["llamacpp:{}", "openai:{}#tiny", "ollama:nomic-embed-text"])
def test_an_embedder_on_this_machine_is_asked_directly(
    embedding_url: str, ollama_url: str, spec: str
) -> None:
    embedder = open_embedder(spec.format(embedding_url), env={"OLLAMA_HOST": ollama_url})
    assert embedder.embed(["town"]).shape == (1, embedder.dimension)
