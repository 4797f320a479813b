"""Several servers as one model: who may share calls, and what is one for all of them."""

from collections.abc import Mapping
from typing import Any

import pytest
from langchain_core.language_models import FakeListChatModel

from smolville.models.chat import Chat
from smolville.models.errors import ConnectionRefused, SpecError
from smolville.models.pool import bare_name, check_specs, open_pool, pool


def chat_at(place: int, name: str = "tiny.gguf", **more: Any) -> Chat:
    """A model on a server of its own."""
    url = f"http://127.0.0.1:808{place}"
    known: Mapping[str, Any] = {
        "spec": f"llamacpp:{url}",
        "name": name,
        "model": FakeListChatModel(responses=["Good morning."]),
        "server": f"llama.cpp's server at {url}",
        "slots": 2,
        "num_ctx": 8192,
    }
    return Chat(**{**known, **more})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mistral-7B-Instruct-v0.3.Q4_K_M.gguf", "mistral-7b-instruct-v0.3.Q8_0.gguf"),
        ("qwen2.5-3b-instruct-q4_k_m.gguf", "models/Qwen2.5-3B-Instruct-F16.gguf"),
        ("mistral", "mistral:latest"),
        ("Qwen/Qwen2.5-3B-Instruct", "qwen2.5-3b-instruct"),
    ],
)
def test_a_model_is_the_same_in_another_quantisation_or_folder(one: str, other: str) -> None:
    assert bare_name(one) == bare_name(other)


def test_a_pool_has_the_slots_of_all_and_the_smallest_context() -> None:
    chats = [chat_at(0), chat_at(1, slots=3, num_ctx=4096), chat_at(2, num_ctx=None)]
    both = pool(chats, chats[0].spec)
    assert (both.spec, both.slots, both.num_ctx) == (chats[0].spec, 7, 4096)
    assert both.servers == tuple(chats)


def test_different_models_are_refused_in_one_sentence() -> None:
    with pytest.raises(SpecError) as caught:
        pool([chat_at(0), chat_at(1, "other.gguf")], "llamacpp:x")
    assert str(caught.value) == (
        "Several servers must have the same model, and llama.cpp's server at http://127.0.0.1:8080 "
        "has tiny.gguf, llama.cpp's server at http://127.0.0.1:8081 has other.gguf: what people "
        "think would depend on which one is free. For two models, give --fast and --strong."
    )


@pytest.mark.parametrize(
    ("specs", "told"),
    [
        (("standin", "llamacpp:8080"), "standin cannot share its calls"),
        (("langchain:openai/gpt-4o", "llamacpp:8080"), "cannot share its calls"),
        (("llamacpp:8080", "llamacpp:http://127.0.0.1:8080/v1"), "is given more than once"),
        (("llamacpp:8080", "openai:http://a/v1#m"), "count tokens in different ways"),
    ],
)
def test_specs_that_cannot_share_are_refused_before_anything_is_asked(
    specs: tuple[str, ...], told: str
) -> None:
    with pytest.raises(SpecError, match=told):
        check_specs(specs)


def test_a_server_that_does_not_answer_is_not_used_and_the_name_stays() -> None:
    def opened(spec: str) -> tuple[Chat, str]:
        if spec.endswith("8080"):
            raise ConnectionRefused("llama.cpp's server refuses the connection: is it running?")
        return chat_at(1), f"{spec}: chosen by you."

    specs = ("llamacpp:http://127.0.0.1:8080", "llamacpp:http://127.0.0.1:8081")
    chat, lines = open_pool(specs, opened)
    assert chat.spec == specs[0]
    assert [each.spec for each in chat.servers] == [specs[1]]
    assert lines == (
        f"{specs[0]}: not used, llama.cpp's server refuses the connection: is it running?",
        f"{specs[1]}: chosen by you, 2 slots.",
    )
