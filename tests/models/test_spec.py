"""Specs: what is read, and what is said about the rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.models.errors import SpecError
from smolville.models.servers.address import LLAMACPP_URL
from smolville.models.spec import Spec, parse_spec


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ollama:mistral", Spec("ollama", "mistral")),
        (" ollama:llama3.2:3b ", Spec("ollama", "llama3.2:3b")),
        ("ollama:hf.co/org/model:Q4_K_M", Spec("ollama", "hf.co/org/model:Q4_K_M")),
        ("llamacpp", Spec("llamacpp", LLAMACPP_URL)),
        ("llamacpp:127.0.0.1:9000", Spec("llamacpp", "http://127.0.0.1:9000")),
        ("llamacpp:http://host:9000/v1/", Spec("llamacpp", "http://host:9000")),
        ("llamacpp:9000", Spec("llamacpp", "http://127.0.0.1:9000")),
        ("llamacpp:localhost", Spec("llamacpp", "http://localhost:8080")),
        ("llamacpp:[::1]", Spec("llamacpp", "http://[::1]:8080")),
        ("llamacpp:https://host/llm/", Spec("llamacpp", "https://host/llm")),
        ("llamacpp:http://h:1/v1/chat/completions", Spec("llamacpp", "http://h:1")),
        ("openai:http://h:1/v1/chat/completions#m", Spec("openai", "http://h:1/v1#m")),
        ("openai:[::1]:8000#m", Spec("openai", "http://[::1]:8000/v1#m")),
        ("openai:http://h:1/v1#m@q4_k_m", Spec("openai", "http://h:1/v1#m@q4_k_m")),
        ("langchain:openai/gpt-4o-mini", Spec("langchain", "openai/gpt-4o-mini")),
        ("langchain:groq/org/model", Spec("langchain", "groq/org/model")),
        ("gguf:models/m.gguf", Spec("gguf", "models/m.gguf")),
        (
            "gguf:~/m.gguf?num_ctx=8192, slots=4,threads=6,gpu_layers=0",
            Spec(
                "gguf",
                "~/m.gguf",
                (("num_ctx", "8192"), ("slots", "4"), ("threads", "6"), ("gpu_layers", "0")),
            ),
        ),
        ("openai:http://host:8000/v1#org/m:tag", Spec("openai", "http://host:8000/v1#org/m:tag")),
        ("openai:localhost:8000", Spec("openai", "http://localhost:8000/v1")),
        ("openai:https://host/api/v1/#", Spec("openai", "https://host/api/v1")),
        (
            "openai:http://[::1]:80/v1?slots=8",
            Spec("openai", "http://[::1]:80/v1", (("slots", "8"),)),
        ),
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
        ("", "write ollama:<name>, llamacpp:<url>"),
        ("llama3.2:3b", "Did you mean ollama:llama3.2:3b?"),
        ("olama:mistral", "Did you mean ollama:mistral?"),
        ("http://127.0.0.1:8080", "Did you mean llamacpp:http://127.0.0.1:8080?"),
        ("models/m.gguf", "Did you mean gguf:models/m.gguf?"),
        ("http://h:8000/v1", "Did you mean openai:http://h:8000/v1?"),
        ("ollama:", "names no model: write ollama:<name>."),
        ("gguf:?slots=2", "names no model: write gguf:<path/to/model.gguf>."),
        ("gguf:m.gguf?slots=0", "has slots=0 where only num_ctx=<number>, slots=<number>"),
        ("openai:gpt-4o", "needs a server's address: write openai:<url>#<name>"),
        ("openai:ftp://h/v1", "needs a server's address"),
        ("openai:http://h:99999/v1", "needs a server's address"),
        ("openai:http://h/v1?temperature=1", "has temperature=1 where only num_ctx=<number>"),
        ("llamacpp:http://h:1#m", "needs a server's address: write llamacpp:<url>"),
        ("ollama:http://h:11434", "write ollama:<name>?host=<address>, or where Ollama listens"),
        ("ollama:m?host=ftp://h", "is 'ftp://h', which is no address"),
        ("ollama:m?hots=h", "has hots=h where only num_ctx=<number>"),
        ("langchain:gpt-4o", "needs both: write langchain:<provider>/<model>"),
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


@pytest.mark.parametrize(
    ("host", "told"),
    [
        ("192.168.1.5", "192.168.1.5:11434"),
        ("http://192.168.1.5:11434/", "192.168.1.5:11434"),
        ("[::1]:9999", "[::1]:9999"),
        ("https://ollama.example.org", "https://ollama.example.org:443"),
    ],
)
def test_a_model_of_ollama_may_name_the_address_of_its_server(host: str, told: str) -> None:
    spec = parse_spec(f"ollama:qwen2.5:3b?num_ctx=4096,host={host},slots=4")
    assert (spec.target, spec.host, spec.count("slots", 1)) == ("qwen2.5:3b", told, 4)
    assert str(spec) == f"ollama:qwen2.5:3b?host={told},num_ctx=4096,slots=4"
    assert parse_spec(str(spec)) == spec
    assert parse_spec("ollama:qwen2.5:3b").host == ""
