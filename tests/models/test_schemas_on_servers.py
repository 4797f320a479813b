"""Every step's schema is taken by the real grammar engine, whatever names its choices hold."""

import json
from typing import Any

import pytest
from langchain_core.messages import BaseMessage, HumanMessage

from smolville.graphs.catalogue import SAMPLES, STEPS
from smolville.graphs.loop.step import AnyStep
from smolville.models.chat import Chat
from smolville.models.open import open_chat
from tests.fixtures.ollama_server import OllamaFake

ASKED: list[BaseMessage] = [HumanMessage("Answer.")]
ODD = (
    'the "Blue" Door',
    "Müller's café",
    "C:\\attic [#1] {a|b}",
    "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL} house \N{FISH}",
    "東京",
    "a/b: c\td",
)
"""Names with everything that JSON and the grammar's own notation give a meaning to."""


def odd_schema(step: AnyStep) -> dict[str, Any]:
    """Return a step's schema for one call in a town whose every name is odd."""
    choices = {
        path: [*values, *ODD] if any(isinstance(value, str) for value in values) else values
        for path, values in step.choices(SAMPLES[step.name]).items()
    }
    return step.answer.call_schema(choices)


def chats(llamacpp_url: str, fake: OllamaFake) -> tuple[Chat, Chat]:
    """Return the model through both protocols."""
    return (
        open_chat(f"llamacpp:{llamacpp_url}", env={})[0],
        open_chat("ollama:tiny", env={"OLLAMA_HOST": fake.url})[0],
    )


async def test_every_steps_schema_becomes_a_grammar(
    llamacpp_url: str, ollama_server: OllamaFake
) -> None:
    for chat in chats(llamacpp_url, ollama_server):
        for step in STEPS:
            reply = await chat.ask(ASKED, schema=odd_schema(step), seed=3, max_tokens=6)
            assert reply.text.lstrip().startswith("{"), step.name
        await chat.aclose()


@pytest.mark.parametrize("name", ODD[:4:3])
async def test_an_odd_name_comes_back_as_it_is(
    llamacpp_url: str, ollama_server: OllamaFake, name: str
) -> None:
    schema = {
        "type": "object",
        "properties": {"place": {"enum": [name]}},
        "required": ["place"],
        "additionalProperties": False,
    }
    for chat in chats(llamacpp_url, ollama_server):
        reply = await chat.ask(ASKED, schema=schema, seed=3, max_tokens=200)
        await chat.aclose()
        assert json.loads(reply.text) == {"place": name}
