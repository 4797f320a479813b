"""A key goes where the user says, and a spec that anybody may have written sends none."""

import pytest

from smolville.models.embedding.embedder import open_embedder, parse_embedder
from smolville.models.errors import KeyRefused
from smolville.models.keys import (
    KeysToSend,
    UserSpec,
    check_keys,
    forbid_all,
    sending_of,
)
from smolville.models.open import open_chat
from smolville.models.spec import parse_spec

ENV = {"OPENAI_API_KEY": "a-key", "LLAMA_API_KEY": "b-key"}


@pytest.fixture(autouse=True)
def no_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without what OpenAI's client would send by itself."""
    for name in ("OPENAI_CUSTOM_HEADERS", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("spec", "where"),
    [
        ("openai:http://gpu:8000/v1#m", "http://gpu:8000"),
        ("openai:https://LLM.example.org:443/v1#m", "https://llm.example.org"),
        ("openai:http://[::1]:9/v1", "http://[::1]:9"),
        ("openai:http://api.openai.com/v1#gpt-4o", "http://api.openai.com"),
        ("llamacpp:gpu", "http://gpu:8080"),
    ],
)
def test_a_spec_that_names_a_server_sends_the_key_there(spec: str, where: str) -> None:
    asked: list[KeysToSend] = []
    with pytest.raises(KeyRefused, match="your own settings do not name") as caught:
        open_chat(spec, env=ENV, may_send=lambda sending: bool(asked.append(sending)))
    assert [each.where for each in asked] == [where]
    assert f"SMOLVILLE_KEY_HOSTS={where}" in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    "spec",
    [
        "openai:https://api.openai.com/v1#gpt-4o",
        "llamacpp",
        "langchain:openai/gpt-4o",
        "langchain:groq/llama-3.3-70b",
        "ollama:mistral",
        "gguf:model.gguf",
        "standin",
    ],
)
def test_a_spec_that_leaves_the_server_to_the_user_or_its_provider_is_no_question(
    spec: str,
) -> None:
    assert sending_of(parse_spec(spec), ENV) is None


def test_a_name_that_may_choose_the_server_is_a_question_about_the_whole_spec() -> None:
    spec = "langchain:litellm/huggingface/https://host"
    sending = sending_of(parse_spec(spec), {})
    assert sending is not None
    assert (sending.where, sending.is_server) == (spec, False)
    assert "SMOLVILLE_KEY_HOSTS" not in sending.refusal()


def test_our_own_key_is_not_at_home_at_openai() -> None:
    env = {**ENV, "SMOLVILLE_API_KEY": "own"}
    sending = sending_of(parse_spec("openai:https://api.openai.com/v1#gpt-4o"), env)
    assert sending is not None
    assert sending.variables == ("SMOLVILLE_API_KEY",)


def test_only_a_spec_that_is_named_sends_its_key_unasked() -> None:
    spec = "openai:http://gpu:8000/v1#m"
    check_keys(UserSpec(spec), parse_spec(spec), ENV, forbid_all)
    for text in (spec, UserSpec(spec).strip(), f"{UserSpec(spec)}"):
        with pytest.raises(KeyRefused):
            check_keys(text, parse_spec(text), ENV, forbid_all)
    with pytest.raises(KeyRefused, match=r"This run names 'openai:.*OPENAI_API_KEY"):
        open_embedder(spec, env=ENV)
    assert sending_of(parse_embedder(spec), {}) is None
