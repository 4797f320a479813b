"""Opening a model: which one is found, and what is said when there is none."""

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from smolville.models.errors import KeyRefused, SpecError, TransportError, UnknownModel
from smolville.models.keys import UserSpec
from smolville.models.open import find_model, open_chat
from tests.fixtures.loopback import free_port, serve


@pytest.fixture
def nowhere() -> str:
    """The URL of a port on which nothing listens."""
    return f"http://127.0.0.1:{free_port()}"


def test_ollama_comes_first(ollama_url: str, llamacpp_url: str) -> None:
    chat, why = open_chat(env={"OLLAMA_HOST": ollama_url}, llamacpp_url=llamacpp_url)
    assert chat.spec == "ollama:tiny:latest"
    assert why.startswith(
        f"ollama:tiny:latest (0.1M, F32): Ollama at {ollama_url} answers, "
        "and this is the newest of its 4 chat models."
    )


def test_a_llamacpp_server_comes_second(nowhere: str, llamacpp_url: str) -> None:
    chat, why = open_chat(env={"OLLAMA_HOST": nowhere}, llamacpp_url=llamacpp_url)
    assert chat.spec == f"llamacpp:{llamacpp_url}"
    assert chat.name == "tiny.gguf"
    assert chat.slots == 2
    assert chat.num_ctx == 16384
    assert f"no Ollama answers at {nowhere}" in why


def test_the_standin_comes_last_and_says_so(nowhere: str) -> None:
    found = find_model({"OLLAMA_HOST": nowhere}, nowhere)
    assert found.spec.kind == "standin"
    assert "stand-in" in found.why
    assert nowhere in found.why


@contextlib.contextmanager
def serve_props(status: int, told: dict[str, Any]) -> Iterator[str]:
    """Serve llama.cpp's `/props` with this answer, and a list of two models."""
    rows = {"data": [{"id": "qwen3-4b"}, {"id": "gemma-3-1b"}]}
    routes = [
        Route("/props", lambda _: JSONResponse(told, status)),
        Route("/v1/models", lambda _: JSONResponse(rows)),
    ]
    with serve(Starlette(routes=routes)) as url:
        yield url


@pytest.mark.parametrize(
    ("status", "told"), [(503, "is still loading its model: try again"), (401, "wants a key: set")]
)
def test_the_standin_s_line_says_when_a_server_was_there_but_not_ready(
    nowhere: str, status: int, told: str
) -> None:
    with serve_props(status, {}) as url:
        chat, why = open_chat(env={"OLLAMA_HOST": nowhere}, llamacpp_url=url)
    assert chat.wants_inputs
    assert told in why
    assert ".." not in why


def test_an_unknown_model_says_what_is_installed_and_what_to_pull(ollama_url: str) -> None:
    with pytest.raises(UnknownModel) as caught:
        open_chat("ollama:mistral", env={"OLLAMA_HOST": ollama_url})
    assert str(caught.value) == (
        f"Ollama at {ollama_url} has no model 'mistral'. Installed: tiny:latest, thinker:latest, "
        "stubborn:latest, plain:latest. To get it: ollama pull mistral"
    )
    assert caught.value.exit_code == 2


def test_a_model_for_embeddings_cannot_chat(ollama_url: str) -> None:
    with pytest.raises(SpecError, match=r"for embeddings and cannot chat\. Installed: tiny:latest"):
        open_chat("ollama:nomic-embed-text", env={"OLLAMA_HOST": ollama_url})


def test_an_unreachable_server_says_where_it_was_looked_for(nowhere: str) -> None:
    with pytest.raises(TransportError) as ollama:
        open_chat("ollama:tiny", env={"OLLAMA_HOST": nowhere})
    assert str(ollama.value) == f"Ollama at {nowhere} refuses the connection: is it running?"
    assert ollama.value.exit_code == 1
    with pytest.raises(TransportError, match=rf"llama\.cpp's server at {nowhere} refuses"):
        open_chat(f"llamacpp:{nowhere}")


def test_an_unknown_provider_or_a_missing_package_is_told() -> None:
    with pytest.raises(SpecError, match=r"anthropic/claude-x' needs a package: .*anthro"):
        open_chat("langchain:anthropic/claude-x")
    with pytest.raises(SpecError, match="'langchain:nobody/model' does not open"):
        open_chat("langchain:nobody/model")


def test_a_spec_with_a_host_opens_the_model_there(ollama_url: str) -> None:
    nowhere = {"OLLAMA_HOST": f"http://127.0.0.1:{free_port()}", "OLLAMA_NUM_PARALLEL": "7"}
    host = ollama_url.removeprefix("http://")
    chat, why = open_chat(f"ollama:tiny?host={ollama_url}", env=nowhere)
    assert (chat.spec, chat.slots) == (f"ollama:tiny?host={host}", 7)
    assert why.startswith(f"ollama:tiny?host={host} (0.1M, F32)")
    assert open_chat(f"ollama:tiny?host={host},slots=3", env=nowhere)[0].slots == 3


def test_ollamas_key_goes_only_to_a_host_that_the_user_names(
    ollama_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = f"ollama:tiny?host={ollama_url}"
    monkeypatch.setenv("OLLAMA_API_KEY", "a-key-of-ollamas")
    with pytest.raises(KeyRefused, match="OLLAMA_API_KEY"):
        open_chat(spec, env={})
    assert open_chat(UserSpec(spec), env={})[0].name == "tiny"
    assert open_chat(spec, env={}, may_send=lambda sending: "OLLAMA_API_KEY" in sending.variables)
    monkeypatch.delenv("OLLAMA_API_KEY")
    assert open_chat(spec, env={})[0].name == "tiny"
