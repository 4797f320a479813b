"""Hosted providers through LangChain, against a provider's API on this machine."""

from collections.abc import Iterator

import pytest
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from smolville.models.errors import TransportError
from smolville.models.open import open_chat
from smolville.models.request import ModelSettings
from tests.fixtures.hosted_server import KEY, TEXT, HostedFake, serve_hosted

ASKED: list[BaseMessage] = [SystemMessage("You are in a town."), HumanMessage("Where to?")]
SCHEMA = {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]}
PATHS = {
    "openai": "/v1/chat/completions",
    "azure_openai": "/openai/deployments/gpt-4o-mini/chat/completions?api-version=2024-10-21",
}


@pytest.fixture(params=PATHS)
def provider(request: pytest.FixtureRequest) -> str:
    """OpenAI, and OpenAI at Azure."""
    name: str = request.param
    return name


@pytest.fixture
def hosted(monkeypatch: pytest.MonkeyPatch) -> Iterator[HostedFake]:
    """The provider's API, named by the variables that people set."""
    with serve_hosted() as fake:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", f"{fake.url}/v1")
        monkeypatch.setenv("OPENAI_API_BASE", f"{fake.url}/v1")
        monkeypatch.setenv("AZURE_OPENAI_API_KEY", KEY)
        monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", fake.url)
        monkeypatch.setenv("OPENAI_API_VERSION", "2024-10-21")
        yield fake


@pytest.fixture
def only(provider: str, hosted: HostedFake, monkeypatch: pytest.MonkeyPatch) -> HostedFake:
    """The API, with the variables of one provider only: Azure's class refuses OpenAI's address."""
    if provider == "azure_openai":
        for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_API_KEY"):
            monkeypatch.delenv(name)
    return hosted


async def test_a_call_reaches_the_provider_and_comes_back(provider: str, only: HostedFake) -> None:
    chat, why = open_chat(f"langchain:{provider}/gpt-4o-mini")
    reply = await chat.ask(ASKED, schema=SCHEMA, seed=7, temperature=0.5, max_tokens=40)
    assert why == f"langchain:{provider}/gpt-4o-mini: chosen by you."
    await chat.aclose()
    assert (reply.text, reply.finish) == (TEXT, "stop")
    assert (reply.prompt_tokens, reply.completion_tokens) == (31, 17)
    assert (reply.cached_tokens, reply.thinking_tokens) == (16, 9)
    path, body = only.asked[-1]
    assert path == PATHS[provider]
    assert [m["role"] for m in body["messages"]] == ["system", "user"]
    assert (body["seed"], body["temperature"]) == (7, 0.5)
    assert 40 in (body.get("max_tokens"), body.get("max_completion_tokens"))
    assert "response_format" not in body


async def test_a_schema_goes_out_only_where_it_is_insisted_on(
    provider: str, only: HostedFake
) -> None:
    chat, _ = open_chat(
        f"langchain:{provider}/gpt-4o-mini", settings=ModelSettings(constrain="schema")
    )
    await chat.ask(ASKED, schema=SCHEMA, max_tokens=40)
    await chat.aclose()
    held = only.asked[-1][1]["response_format"]["json_schema"]
    assert held["schema"] == SCHEMA


async def test_sampling_and_style_are_honoured(provider: str, only: HostedFake) -> None:
    settings = ModelSettings(top_p=0.8, stop=("END",), template_style="merged")
    chat, _ = open_chat(f"langchain:{provider}/gpt-4o-mini", settings=settings)
    await chat.ask(ASKED, max_tokens=40)
    await chat.aclose()
    body = only.asked[-1][1]
    assert (body["top_p"], body["stop"]) == (0.8, ["END"])
    assert [m["role"] for m in body["messages"]] == ["user"]


async def test_a_wrong_key_is_told_without_it(
    provider: str, only: HostedFake, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = "sk-wrong-0123456789abcdef"
    variable = "OPENAI_API_KEY" if provider == "openai" else "AZURE_OPENAI_API_KEY"
    monkeypatch.setenv(variable, wrong)
    chat, _ = open_chat(f"langchain:{provider}/gpt-4o-mini")
    with pytest.raises(TransportError, match="turned the call down with status 401") as caught:
        await chat.ask(ASKED, max_tokens=40)
    await chat.aclose()
    assert not caught.value.retryable
    assert wrong not in str(caught.value)
    assert wrong not in repr(chat)
