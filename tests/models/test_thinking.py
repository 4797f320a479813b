"""Models that think aloud: switched off, or switched on and capped, and counted apart."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from smolville.models.open import open_chat
from smolville.models.reply import read_reply
from smolville.models.request import ModelSettings
from smolville.models.servers.ollama import thinking_switch
from smolville.models.tokens import estimate_tokens
from tests.fixtures.chat_templates import STUBBORN, THINKING
from tests.fixtures.llamacpp import serve_gguf
from tests.fixtures.witness import Witness, serve_witness

ASKED: list[BaseMessage] = [HumanMessage("Where to?")]
SCHEMA = {
    "type": "object",
    "properties": {"sure": {"type": "boolean"}},
    "required": ["sure"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module", params=["thinking", "stubborn"])
def thinker(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Witness]:
    """A server with a model that thinks, one that can be told not to and one that cannot."""
    pytest.importorskip("gguf", reason="gguf is not installed: no model can be written")
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: no llama.cpp server")
    from tests.fixtures.tiny_gguf import write_tiny_gguf

    path: Path = tmp_path_factory.mktemp("thinkers") / "thinker.gguf"
    write_tiny_gguf(path, THINKING if request.param == "thinking" else STUBBORN)
    with serve_gguf(path) as url, serve_witness(url) as witness:
        yield witness


async def test_thinking_is_off_by_default(thinker: Witness) -> None:
    chat, _ = open_chat(f"llamacpp:{thinker.url}", env={})
    reply = await chat.ask(ASKED, schema=SCHEMA, seed=1, temperature=1.0, max_tokens=100)
    await chat.aclose()
    assert thinker.bodies[-1]["chat_template_kwargs"] == {"enable_thinking": False}
    assert "sure" in reply.text
    assert reply.thinking_tokens <= 2


async def test_thinking_is_capped_and_comes_on_top_of_the_allowance(thinker: Witness) -> None:
    settings = ModelSettings(thinking=True, thinking_tokens=20)
    chat, _ = open_chat(f"llamacpp:{thinker.url}", settings=settings, env={})
    reply = await chat.ask(ASKED, schema=SCHEMA, seed=1, temperature=1.0, max_tokens=100)
    await chat.aclose()
    body = thinker.bodies[-1]
    assert body["chat_template_kwargs"] == {"enable_thinking": True}
    assert body["thinking_budget_tokens"] == 20
    assert body["max_completion_tokens"] == 120
    assert reply.thinking
    assert 0 < reply.thinking_tokens <= 40
    assert reply.text.startswith("{")


@pytest.mark.parametrize(
    ("text", "thought"),
    [
        ("<think>Is it noon? It is.</think>yes", "Is it noon? It is."),
        ("<think>Is it noon? It is.", "Is it noon? It is."),
        ("Is it noon? It is.\n</think>\nyes", "Is it noon? It is.\n"),
        ("<Thinking>Is it noon? It is.</Thinking>yes", "Is it noon? It is."),
        ("2 < 3 and 3 > 2", ""),
        ("yes", ""),
    ],
)
def test_thinking_inside_the_text_is_counted_and_stays(text: str, thought: str) -> None:
    reply = read_reply(AIMessage(text), 1.0)
    assert reply.text == text
    assert reply.thinking == ""
    assert reply.thinking_tokens == estimate_tokens(thought)


@pytest.mark.parametrize(
    ("name", "thinking", "told"),
    [
        ("qwen3:4b", False, False),
        ("qwen3:4b", True, True),
        ("gpt-oss:20b", False, "low"),
        ("gpt-oss:20b", True, "medium"),
    ],
)
def test_a_model_that_thinks_in_levels_is_told_the_lowest(
    name: str, thinking: bool, told: bool | str
) -> None:
    assert thinking_switch(name, ModelSettings(thinking=thinking)) == told
