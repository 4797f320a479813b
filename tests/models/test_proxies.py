"""A proxy of the environment does not stand before this machine, and nothing is said about it.

Before any other host it does; one that cannot be used is told in a sentence.
"""

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage

from smolville.models.embedding.embedder import open_embedder
from smolville.models.errors import SpecError
from smolville.models.open import open_chat
from smolville.models.servers.address import trust_settings
from tests.fixtures.loopback import free_port
from tests.fixtures.ollama_server import OllamaFake

VARIABLES = ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy")


OTHER = "http://town.example:8080"
"""A host that is not asked: its clients are only made."""
PROXIES = (
    "http://127.0.0.1:{}",
    "socks5://127.0.0.1:{}",
    "spoon://somebody:secret@there",
    "http://[x",
)
"""A proxy that is not there, one for which a package is missing, and two that are none."""


@pytest.fixture(params=PROXIES)
def proxy(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """An environment that sends everything to a proxy that cannot be used."""
    set_proxies(monkeypatch, str(request.param).format(free_port()))


def set_proxies(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Name a proxy in every variable there is."""
    for variable in VARIABLES:
        monkeypatch.setenv(variable, url)
    for variable in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(variable, raising=False)


@pytest.mark.usefixtures("proxy")
@pytest.mark.parametrize("spec", ["llamacpp:{}", "openai:{}", "ollama:tiny"])
async def test_a_chat_on_this_machine_is_asked_directly(
    llamacpp_url: str, ollama_server: OllamaFake, spec: str, caplog: pytest.LogCaptureFixture
) -> None:
    chat, _ = open_chat(spec.format(llamacpp_url), env={"OLLAMA_HOST": ollama_server.url})
    assert (await chat.ask([HumanMessage("Hello.")], max_tokens=4)).text
    assert (await chat.count_tokens([HumanMessage("Hello.")])).tokens
    await chat.aclose()
    assert not [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]


@pytest.mark.usefixtures("proxy")
@pytest.mark.parametrize("spec", ["llamacpp:{}", "openai:{}#tiny", "ollama:nomic-embed-text"])
def test_an_embedder_on_this_machine_is_asked_directly(
    embedding_url: str, ollama_url: str, spec: str
) -> None:
    embedder = open_embedder(spec.format(embedding_url), env={"OLLAMA_HOST": ollama_url})
    assert embedder.embed(["town"]).shape == (1, embedder.dimension)


@pytest.mark.parametrize("url", ["socks5://127.0.0.1:9", "spoon://there"])
def test_the_first_command_of_the_readme_needs_no_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    set_proxies(monkeypatch, url)
    nowhere = {**os.environ, "OLLAMA_HOST": f"127.0.0.1:{free_port()}"}
    options = ["--for", "10m", "--quiet", "--runs", str(tmp_path)]
    line = [
        sys.executable,
        "-c",
        "from smolville.cli.main import main; main()",
        "run",
        "first",
        *options,
    ]
    done = subprocess.run(line, env=nowhere, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("socks5://127.0.0.1:9", "names a SOCKS proxy, for which the package socksio is missing"),
        ("spoon://somebody:secret@there", "is no address of a proxy that can be used"),
        ("http://[x", "is no address of a proxy that can be used"),
        ("somebody:secret@there:port", "is no address of a proxy that can be used"),
    ],
)
def test_a_proxy_that_cannot_be_used_is_told(
    monkeypatch: pytest.MonkeyPatch, url: str, told: str
) -> None:
    set_proxies(monkeypatch, url)
    for spec in (f"ollama:m?host={OTHER}", f"llamacpp:{OTHER}", f"openai:{OTHER}/v1#m"):
        with pytest.raises(SpecError, match=told) as caught:
            open_chat(spec)
        assert "or name town.example in NO_PROXY" in str(caught.value)
        assert "secret" not in str(caught.value)


def test_a_usable_proxy_stands_before_other_hosts_only(monkeypatch: pytest.MonkeyPatch) -> None:
    set_proxies(monkeypatch, "127.0.0.1:9")
    assert trust_settings(OTHER)["proxy"] == "http://127.0.0.1:9"
    assert "proxy" not in trust_settings("http://localhost:8080")
    monkeypatch.setenv("NO_PROXY", "elsewhere.example,town.example")
    monkeypatch.setenv("no_proxy", "elsewhere.example,town.example")
    told = trust_settings(OTHER)
    assert (told["trust_env"], "proxy" in told) == (False, False)
