"""Specs: what is read, and what is said about the rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import SpecError
from models.spec import LLAMACPP_URL, Spec, parse_spec


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ollama:mistral", Spec("ollama", "mistral")),
        (" ollama:llama3.2:3b ", Spec("ollama", "llama3.2:3b")),
        ("ollama:hf.co/org/model:Q4_K_M", Spec("ollama", "hf.co/org/model:Q4_K_M")),
        ("llamacpp", Spec("llamacpp", LLAMACPP_URL)),
        ("llamacpp:127.0.0.1:9000", Spec("llamacpp", "http://127.0.0.1:9000")),
        ("llamacpp:http://host:9000/v1/", Spec("llamacpp", "http://host:9000")),
        ("langchain:openai/gpt-4o-mini", Spec("langchain", "openai/gpt-4o-mini")),
        ("langchain:groq/org/model", Spec("langchain", "groq/org/model")),
        ("standin", Spec("standin")),
        ("standin:fences=0.1, cut=0.05", Spec("standin", "", (("fences", "0.1"), ("cut", "0.05")))),
    ],
)
def test_a_spec_is_read(text: str, expected: Spec) -> None:
    assert parse_spec(text) == expected
    assert parse_spec(str(expected)) == expected


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty: write ollama:<name>, llamacpp:<url>"),
        ("mistral", "Did you mean ollama:mistral?"),
        ("llama3.2:3b", "Did you mean ollama:llama3.2:3b?"),
        ("olama:mistral", "Did you mean ollama:mistral?"),
        ("http://127.0.0.1:8080", "Did you mean llamacpp:http://127.0.0.1:8080?"),
        ("openai:gpt-4o", "Did you mean langchain:openai/gpt-4o?"),
        ("ollama:", "names no model: write ollama:<name>."),
        ("llamacpp:ftp://x", "needs the address of a llama.cpp server"),
        ("langchain:gpt-4o", "needs a provider and a model"),
        ("langchain:ollama/mistral", "Write ollama:mistral instead"),
        ("standin:fences", "'fences' where a setting belongs"),
    ],
)
def test_what_cannot_be_read_says_what_is_possible(text: str, told: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_spec(text)
    assert told in str(caught.value)
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        spec = parse_spec(text)
    except SpecError:
        return
    assert parse_spec(str(spec)) == spec


def test_an_ollama_spec_may_ask_for_a_context() -> None:
    spec = parse_spec("ollama:qwen3:4b?num_ctx=16384")
    assert (spec.target, spec.options) == ("qwen3:4b", (("num_ctx", "16384"),))
    assert str(spec) == "ollama:qwen3:4b?num_ctx=16384"


@pytest.mark.parametrize("asked", ["num_ctx=many", "temperature=1", "num_ctx=0"])
def test_another_setting_of_an_ollama_model_is_refused(asked: str) -> None:
    with pytest.raises(SpecError, match=r"num_ctx=<tokens>"):
        parse_spec(f"ollama:mistral?{asked}")
