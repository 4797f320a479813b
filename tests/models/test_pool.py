"""Several servers as one model: who may share calls, and what is one for all of them."""

from collections.abc import Mapping
from typing import Any

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import HumanMessage

from smolville.models.chat import Chat, PromptTokens
from smolville.models.errors import ConnectionRefused, SpecError, TransportError
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


class Counter:
    """Counts of one server, which may be gone."""

    def __init__(self, tokens: int) -> None:
        self.tokens, self.asked, self.error = tokens, 0, None

    error: TransportError | None

    async def __call__(self, _: object) -> PromptTokens:
        """Count, or fail."""
        self.asked += 1
        if self.error is not None:
            raise self.error
        return PromptTokens(self.tokens, is_exact=True)


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


@pytest.mark.parametrize("differs", [{"system_role": False}, {"constrains": True}])
def test_servers_that_treat_a_prompt_differently_are_refused(differs: dict[str, bool]) -> None:
    with pytest.raises(SpecError, match=r"treat tiny\.gguf differently"):
        pool([chat_at(0), chat_at(1, **differs)], "llamacpp:x")


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


def test_other_quantisations_and_contexts_are_told() -> None:
    found = {
        "llamacpp:8080": chat_at(0, "tiny.Q4_0.gguf", quantization="Q4_0"),
        "llamacpp:8081": chat_at(1, "tiny.Q8_0.gguf", quantization="Q8_0", num_ctx=4096, slots=1),
    }
    _, lines = open_pool(tuple(found), lambda spec: (found[spec], f"{spec}: chosen by you."))
    assert lines[1:] == (
        "llamacpp:8081: chosen by you, 1 slot.",
        "The servers' files differ (Q4_0, Q8_0), so an answer depends on which server gives it; "
        "the same seed need not give the same day.",
        "The servers' contexts differ (4,096 and 8,192 tokens); prompts fit the smaller one.",
    )


async def test_tokens_are_counted_by_the_server_that_counted_last() -> None:
    counters = [Counter(31), Counter(31)]
    chats = [chat_at(place, counter=counter) for place, counter in enumerate(counters)]
    both, asked = pool(chats, "llamacpp:x"), [HumanMessage("Good morning.")]
    assert (await both.count_tokens(asked)).tokens == 31
    counters[0].error = TransportError("it hung up.")
    for _ in range(2):
        assert (await both.count_tokens(asked)).tokens == 31
    assert [counter.asked for counter in counters] == [2, 2], "not the lost one first"
    counters[1].error = TransportError("it hung up too.")
    with pytest.raises(TransportError, match="it hung up"):
        await both.count_tokens(asked)
    counters[0].error = None
    assert (await both.count_tokens(asked)).tokens == 31


async def test_a_pool_closes_every_server() -> None:
    closed: list[int] = []

    def close_of(place: int) -> Any:
        async def close() -> None:
            closed.append(place)

        return close

    await pool([chat_at(place, close=close_of(place)) for place in range(3)], "x").aclose()
    assert closed == [0, 1, 2]
