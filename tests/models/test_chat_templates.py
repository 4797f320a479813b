"""Five chat templates in the model's file, each through the real llama.cpp server."""

import json
from collections.abc import AsyncIterator, Iterator

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from smolville.models.chat import Chat
from smolville.models.open import open_chat
from smolville.models.request import ModelSettings
from tests.fixtures.chat_templates import SYSTEM_ROLE
from tests.fixtures.llamacpp import serve_gguf

SCHEMA = {
    "type": "object",
    "properties": {"minutes": {"type": "integer", "minimum": 5, "maximum": 60}},
    "required": ["minutes"],
    "additionalProperties": False,
}
ASKED: list[BaseMessage] = [SystemMessage("You are in a town."), HumanMessage("How long?")]
REPAIR: list[BaseMessage] = [*ASKED, AIMessage('{"hours": 1}'), HumanMessage("minutes is missing.")]


@pytest.fixture(scope="module", params=SYSTEM_ROLE)
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, str]]:
    """The template's name, and the URL of a server with it."""
    pytest.importorskip("gguf", reason="gguf is not installed: no model can be written")
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: no llama.cpp server")
    from tests.fixtures.tiny_gguf import write_tiny_gguf

    path = tmp_path_factory.mktemp("templates") / f"{request.param}.gguf"
    write_tiny_gguf(path, SYSTEM_ROLE[request.param][0])
    with serve_gguf(path) as url:
        yield request.param, url


@pytest.fixture
async def chat(served: tuple[str, str]) -> AsyncIterator[Chat]:
    """The model with each template."""
    opened, _ = open_chat(f"llamacpp:{served[1]}", env={})
    yield opened
    await opened.aclose()


def test_a_missing_system_role_is_detected(served: tuple[str, str]) -> None:
    name, url = served
    assert open_chat(f"llamacpp:{url}", env={})[0].system_role is SYSTEM_ROLE[name][1]


@pytest.mark.parametrize("messages", [ASKED, REPAIR], ids=["asked", "repair"])
async def test_a_constrained_reply_keeps_to_the_schema(
    chat: Chat, messages: list[BaseMessage]
) -> None:
    reply = await chat.ask(messages, schema=SCHEMA, seed=1, temperature=1.0, max_tokens=300)
    assert reply.finish == "stop"
    assert 5 <= json.loads(reply.text)["minutes"] <= 60


@pytest.mark.parametrize("messages", [ASKED, REPAIR], ids=["asked", "repair"])
async def test_the_count_is_the_server_s_own(chat: Chat, messages: list[BaseMessage]) -> None:
    counted = await chat.count_tokens(messages)
    reply = await chat.ask(messages, max_tokens=1)
    assert counted.is_exact
    assert counted.tokens == reply.prompt_tokens


async def test_merged_puts_the_system_text_into_the_first_turn(served: tuple[str, str]) -> None:
    chat, _ = open_chat(
        f"llamacpp:{served[1]}", settings=ModelSettings(template_style="merged"), env={}
    )
    assert not chat.system_role
    assert (await chat.ask(REPAIR, max_tokens=8)).text
    await chat.aclose()
