"""A chat with a real model, through llama.cpp's own server and through Ollama's protocol."""

from collections.abc import AsyncIterator, Callable
from enum import Enum
from pathlib import Path
from typing import Any

import ollama
import pytest
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, ConfigDict, Field

from smolville.models.chat import Chat
from smolville.models.errors import PromptCut
from smolville.models.open import open_chat
from smolville.models.request import ModelSettings
from tests.fixtures.llamacpp import serve_gguf
from tests.fixtures.ollama_server import THOUGHT, OllamaFake
from tests.fixtures.tiny_gguf import NO_SYSTEM_TEMPLATE, write_tiny_gguf

PROTOCOLS = ("llamacpp", "ollama")
ASKED: list[BaseMessage] = [SystemMessage("You are in a town."), HumanMessage("Where to?")]


class Place(Enum):
    """Where one may go."""

    PARK = "the park"
    CAFE = "Hobbs Cafe: counter"


class Choice(BaseModel):
    """An answer with the bounds that servers have to hold."""

    model_config = ConfigDict(extra="forbid")

    place: Place
    minutes: int = Field(ge=1, le=60)
    numbers: list[int] = Field(min_length=2, max_length=3)
    object: Place | None


@pytest.fixture(params=PROTOCOLS)
async def chat(request: pytest.FixtureRequest) -> AsyncIterator[Chat]:
    """The tiny model, opened through each protocol."""
    opened = open_on(request.getfixturevalue, request.param)
    yield opened
    await opened.aclose()


def open_on(get: Callable[[str], Any], protocol: str, **settings: Any) -> Chat:
    """Return the tiny model through one protocol."""
    if protocol == "llamacpp":
        spec, env = f"llamacpp:{get('llamacpp_url')}", {}
    else:
        spec, env = "ollama:tiny", {"OLLAMA_HOST": get("ollama_url")}
    return open_chat(spec, settings=ModelSettings(**settings), env=env)[0]


async def test_a_constrained_reply_is_valid_whatever_the_model_is(chat: Chat) -> None:
    for seed in range(8):
        reply = await chat.ask(
            ASKED, schema=Choice.model_json_schema(), seed=seed, temperature=1.0, max_tokens=400
        )
        assert reply.finish == "stop"
        Choice.model_validate_json(reply.text)


async def test_the_same_seed_gives_the_same_text(chat: Chat) -> None:
    asked = {"temperature": 1.0, "max_tokens": 40}
    first, again, other = [await chat.ask(ASKED, seed=seed, **asked) for seed in (7, 7, 8)]
    assert first.text == again.text
    assert first.text != other.text


async def test_a_seed_of_64_bits_is_taken(chat: Chat) -> None:
    assert (await chat.ask(ASKED, seed=2**63 + 5, max_tokens=4)).text


async def test_a_reply_that_runs_into_its_allowance_is_cut(chat: Chat) -> None:
    reply = await chat.ask(
        ASKED, schema=Choice.model_json_schema(), seed=1, temperature=1.0, max_tokens=5
    )
    assert reply.is_cut
    assert reply.completion_tokens == 5


async def test_counts_and_time_are_told(chat: Chat) -> None:
    reply = await chat.ask(ASKED, seed=1, max_tokens=8)
    assert reply.prompt_tokens is not None
    assert 20 < reply.prompt_tokens < 200
    assert reply.completion_tokens == 8
    assert reply.milliseconds > 0


async def test_a_prompt_that_does_not_fit_is_noticed(chat: Chat) -> None:
    too_long = [HumanMessage("The town sleeps. " * 4000)]
    with pytest.raises(PromptCut) as caught:
        await chat.ask(too_long, seed=1, max_tokens=16, step="plan_day")
    assert caught.value.available == chat.num_ctx
    assert caught.value.needed is not None
    assert caught.value.needed > caught.value.available
    assert caught.value.exit_code == 1


async def test_a_prompt_that_just_fits_is_answered(chat: Chat) -> None:
    assert chat.num_ctx is not None
    messages = [HumanMessage("z" * (chat.num_ctx - 200))]
    reply = await chat.ask(messages, seed=1, max_tokens=16)
    assert reply.prompt_tokens is not None
    assert reply.prompt_tokens > chat.num_ctx - 200


async def test_a_talk_of_several_turns_goes_through(chat: Chat) -> None:
    turns = [*ASKED, AIMessage("{}"), HumanMessage("`place` is missing. Answer again.")]
    assert (await chat.ask(turns, seed=1, max_tokens=8)).text


async def test_the_call_shows_in_a_trace(chat: Chat) -> None:
    class Trace(AsyncCallbackHandler):
        def __init__(self) -> None:
            self.seen: list[list[BaseMessage]] = []

        async def on_chat_model_start(self, serialized: Any, messages: Any, **told: Any) -> None:
            self.seen.extend(messages)

    trace = Trace()
    await chat.ask(ASKED, max_tokens=4, config={"callbacks": [trace]})
    assert [m.content for m in trace.seen[-1]] == [m.content for m in ASKED]


async def test_both_protocols_reach_the_same_model(request: pytest.FixtureRequest) -> None:
    texts = []
    for protocol in PROTOCOLS:
        chat = open_on(request.getfixturevalue, protocol)
        texts.append((await chat.ask(ASKED, seed=3, temperature=1.0, max_tokens=30)).text)
        await chat.aclose()
    assert texts[0] == texts[1]


async def test_llamacpp_tells_what_came_from_its_cache(llamacpp_url: str) -> None:
    chat, _ = open_chat(f"llamacpp:{llamacpp_url}")
    asked = [SystemMessage("The rules of the game. " * 10), HumanMessage("Go.")]
    await chat.ask(asked, max_tokens=4)
    again = await chat.ask(asked, max_tokens=4)
    await chat.aclose()
    assert again.cached_tokens is not None
    assert again.prompt_tokens is not None
    assert again.cached_tokens > 0.9 * again.prompt_tokens


async def test_ollama_is_sent_one_context_and_the_whole_schema(ollama_server: OllamaFake) -> None:
    chat, _ = open_chat(
        "ollama:tiny",
        settings=ModelSettings(num_ctx=2048, top_p=0.9, min_p=0.05, stop=("\n\n",)),
        env={"OLLAMA_HOST": ollama_server.url},
    )
    schema = Choice.model_json_schema()
    await chat.ask(ASKED, schema=schema, seed=5, temperature=0.5, max_tokens=300, step="say")
    await chat.ask(ASKED, seed=6, max_tokens=20)
    await chat.aclose()
    first, second = ollama_server.requests[-2:]
    assert first["format"] == schema
    assert first["options"] == {
        "num_ctx": 2048,
        "num_predict": 300,
        "seed": 5,
        "temperature": 0.5,
        "top_p": 0.9,
        "min_p": 0.05,
        "stop": ["\n\n"],
    }
    assert second["options"]["num_ctx"] == 2048
    assert "format" not in second


async def test_a_model_trained_for_less_gets_its_own_context(ollama_url: str) -> None:
    env = {"OLLAMA_HOST": ollama_url}
    chat, _ = open_chat("ollama:tiny", settings=ModelSettings(num_ctx=65536), env=env)
    assert chat.num_ctx == 32768


@pytest.mark.parametrize(("name", "thought"), [("thinker", ""), ("stubborn", THOUGHT)])
async def test_thinking_is_turned_off_and_kept_where_it_comes_anyway(
    ollama_server: OllamaFake, name: str, thought: str
) -> None:
    chat, _ = open_chat(f"ollama:{name}", env={"OLLAMA_HOST": ollama_server.url})
    reply = await chat.ask(ASKED, max_tokens=4)
    await chat.aclose()
    assert ollama_server.requests[-1]["think"] is False
    assert reply.thinking == thought
    assert bool(reply.thinking_tokens) == bool(thought)


async def test_a_model_that_cannot_think_is_not_told_to_stop(ollama_server: OllamaFake) -> None:
    chat, _ = open_chat("ollama:tiny", env={"OLLAMA_HOST": ollama_server.url})
    await chat.ask(ASKED, max_tokens=4)
    await chat.aclose()
    assert "think" not in ollama_server.requests[-1]


async def test_ollama_templates_without_a_system_text_get_it_folded(
    ollama_server: OllamaFake,
) -> None:
    chat, _ = open_chat("ollama:plain", env={"OLLAMA_HOST": ollama_server.url})
    await chat.ask(ASKED, max_tokens=4)
    await chat.aclose()
    sent = ollama_server.requests[-1]["messages"]
    assert [(m["role"], m["content"]) for m in sent] == [
        ("user", "You are in a town.\n\nWhere to?")
    ]


async def test_llamacpp_templates_that_refuse_the_system_role_get_it_folded(
    llamacpp_url: str, tmp_path: Path
) -> None:
    path = tmp_path / "no_system.gguf"
    write_tiny_gguf(path, NO_SYSTEM_TEMPLATE)
    with serve_gguf(path) as url:
        chat, _ = open_chat(f"llamacpp:{url}")
        reply = await chat.ask(ASKED, max_tokens=4)
        await chat.aclose()
    assert not chat.system_role
    assert reply.text
    assert open_chat(f"llamacpp:{llamacpp_url}")[0].system_role


def test_the_official_client_drives_the_ollama_fixture(ollama_url: str) -> None:
    with ollama.Client(host=ollama_url, trust_env=False) as client:
        lines = list(client.chat("tiny", [{"role": "user", "content": "Hi"}], stream=True))
        whole = client.chat("tiny", [{"role": "user", "content": "Hi"}], options={"seed": 1})
        assert lines[-1].done_reason in ("stop", "length")
        assert whole.message.content
        with pytest.raises(ollama.ResponseError, match="not found"):
            client.chat("mistral", [{"role": "user", "content": "Hi"}])
