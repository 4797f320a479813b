"""Keys come from the environment, and are shown nowhere."""

import logging

import pytest
from langchain_core.messages import BaseMessage, HumanMessage

from smolville.models.errors import ModelError, SpecError
from smolville.models.keys import HIDDEN, UserSpec, hide, key_for
from smolville.models.open import open_chat
from smolville.models.spec import parse_spec
from tests.fixtures.witness import Witness, serve_witness

ASKED: list[BaseMessage] = [HumanMessage("Where to?")]
KEY = "town-5ecret-0123456789"


@pytest.mark.parametrize(
    "text",
    [
        "llamacpp:http://user:pass@host:8080",
        "llamacpp:user:pass@host:8080",
        "openai:https://user@host/v1#name",
        "openai:http://host/v1?api_key=abc#name",
        "langchain:openai/gpt-4o?key=abc",
        "olama:http://user:pass@host",
        "openai:sk-0123456789abcdefghij",
        "ollama:mistral?apikey=abc",
    ],
)
def test_a_key_in_a_spec_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(SpecError, match="holds a key or a password") as caught:
        parse_spec(text)
    told = str(caught.value)
    assert "OPENAI_API_KEY, LLAMA_API_KEY or SMOLVILLE_API_KEY" in told
    assert not any(part in told for part in ("abc", "pass@", "user", "sk-"))


@pytest.mark.parametrize(
    "text",
    [
        "ollama:mistral@sha256:0123abcd",
        "ollama:hf.co/org/model:tag@sha256:0123abcd",
        "gguf:models/keys/monkey-2.gguf",
    ],
)
def test_what_only_looks_a_little_like_one_is_read(text: str) -> None:
    assert str(parse_spec(text)) == text


def test_our_own_variable_comes_first_and_serves_both() -> None:
    assert key_for("LLAMA_API_KEY", {}) == "none"
    assert key_for("LLAMA_API_KEY", {"LLAMA_API_KEY": "a"}) == "a"
    for variable in ("LLAMA_API_KEY", "OPENAI_API_KEY"):
        assert key_for(variable, {variable: "a", "SMOLVILLE_API_KEY": "b"}) == "b"


@pytest.mark.parametrize("key", [f"{KEY}\nsecond", f"{KEY} x", f"{KEY}é"])
@pytest.mark.parametrize("spec", ["llamacpp:127.0.0.1:1", "openai:127.0.0.1:1#m"])
def test_what_no_header_can_carry_is_refused_before_anything_is_asked(spec: str, key: str) -> None:
    with pytest.raises(SpecError, match="What SMOLVILLE_API_KEY holds cannot be a key") as caught:
        open_chat(spec, env={"SMOLVILLE_API_KEY": key})
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "variable"),
    [
        ("llamacpp", "LLAMA_API_KEY"),
        ("llamacpp", "SMOLVILLE_API_KEY"),
        ("openai", "OPENAI_API_KEY"),
        ("openai", "SMOLVILLE_API_KEY"),
    ],
)
async def test_the_key_of_the_environment_opens_the_server_and_is_shown_nowhere(
    llamacpp_url: str, kind: str, variable: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with serve_witness(llamacpp_url, key=KEY) as witness:
        chat, why = open_chat(UserSpec(f"{kind}:{witness.url}"), env={variable: KEY})
        await chat.ask(ASKED, max_tokens=4)
        await chat.count_tokens(ASKED)
        await chat.aclose()
        assert {h.get("authorization") for h in witness.headers} == {f"Bearer {KEY}"}
    shown = [repr(chat), repr(chat.model), str(chat.dialect), chat.spec, why, caplog.text]
    assert not any(KEY in text for text in shown)


@pytest.mark.parametrize("kind", ["llamacpp", "openai"])
async def test_a_server_that_repeats_a_wrong_key_is_quoted_without_it(
    witness: Witness, kind: str
) -> None:
    chat, _ = open_chat(UserSpec(f"{kind}:{witness.url}"), env={"SMOLVILLE_API_KEY": KEY})
    witness.key = "another"
    for asking in (chat.ask(ASKED, max_tokens=4), chat.count_tokens(ASKED)):
        try:
            await asking
        except ModelError as error:
            assert KEY not in str(error)
            assert "401" in str(error)
    await chat.aclose()


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("llamacpp", "wants a key: set LLAMA_API_KEY"),
        ("openai", "wants a key: set OPENAI_API_KEY or SMOLVILLE_API_KEY"),
    ],
)
def test_a_missing_key_names_its_variable(llamacpp_url: str, kind: str, told: str) -> None:
    with serve_witness(llamacpp_url, key=KEY) as witness:
        with pytest.raises(SpecError, match=told):
            open_chat(f"{kind}:{witness.url}", env={})
        with pytest.raises(SpecError, match=told.replace("a key", "another key")):
            open_chat(UserSpec(f"{kind}:{witness.url}"), env={"SMOLVILLE_API_KEY": "not-this-one"})


def test_what_looks_like_a_key_is_hidden_whoever_says_it() -> None:
    assert hide(f"bad key {KEY}!", KEY) == f"bad key {HIDDEN}!"
    assert hide("Incorrect API key provided: sk-abc***xyz1.") == (
        f"Incorrect API key provided: {HIDDEN}."
    )
    assert hide("got Bearer abc.def") == f"got {HIDDEN}"
    assert hide("the key is none of yours", "none") == "the key is none of yours"
