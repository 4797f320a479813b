"""A chat with a real model, through llama.cpp's own server and through Ollama's protocol."""

from collections.abc import AsyncIterator, Callable
from enum import Enum
from typing import Any

import pytest
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, ConfigDict, Field

from smolville.models.chat import Chat
from smolville.models.errors import PromptCut
from smolville.models.open import open_chat
from smolville.models.request import ModelSettings
from tests.fixtures.ollama_server import OllamaFake

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
    for seed in range(3):
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


async def test_a_reply_that_runs_into_its_allowance_is_cut(chat: Chat) -> None:
    reply = await chat.ask(
        ASKED, schema=Choice.model_json_schema(), seed=1, temperature=1.0, max_tokens=5
    )
    assert reply.is_cut
    assert reply.completion_tokens == 5


async def test_a_prompt_that_does_not_fit_is_noticed(chat: Chat) -> None:
    too_long = [HumanMessage("The town sleeps. " * 4000)]
    with pytest.raises(PromptCut) as caught:
        await chat.ask(too_long, seed=1, max_tokens=16, step="plan_day")
    assert caught.value.available == chat.num_ctx
    assert caught.value.needed is not None
    assert caught.value.needed > caught.value.available
    assert caught.value.exit_code == 1


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
