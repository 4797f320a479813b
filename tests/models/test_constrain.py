"""Replies held to a schema: where the server can, always, never; and how sampling goes out."""

from typing import Any

import pytest
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from smolville.models.chat import Chat
from smolville.models.errors import TransportError
from smolville.models.open import open_chat
from smolville.models.request import ModelSettings
from tests.fixtures.ollama_server import OllamaFake
from tests.fixtures.witness import Witness

ASKED: list[BaseMessage] = [SystemMessage("You are in a town."), HumanMessage("Where to?")]
SCHEMA = {
    "type": "object",
    "properties": {"place": {"enum": ["park", "well"]}},
    "required": ["place"],
    "additionalProperties": False,
}
SAMPLING = ModelSettings(top_p=0.9, min_p=0.05, stop=("\n\n", "END"), keep_alive="7m")


def on_ollama(fake: OllamaFake, spec: str = "ollama:tiny", **settings: Any) -> Chat:
    """Return a model of the Ollama server."""
    return open_chat(spec, settings=ModelSettings(**settings), env={"OLLAMA_HOST": fake.url})[0]


def on_llamacpp(witness: Witness, **settings: Any) -> Chat:
    """Return the model of the llama.cpp server."""
    return open_chat(f"llamacpp:{witness.url}", settings=ModelSettings(**settings), env={})[0]


@pytest.mark.parametrize(("constrain", "sent"), [("auto", True), ("schema", True), ("none", False)])
async def test_a_schema_goes_out_as_the_settings_say(
    ollama_server: OllamaFake, witness: Witness, constrain: str, sent: bool
) -> None:
    for chat in (
        on_ollama(ollama_server, constrain=constrain),
        on_llamacpp(witness, constrain=constrain),
    ):
        assert chat.constrains is sent
        reply = await chat.ask(ASKED, schema=SCHEMA, seed=1, temperature=1.0, max_tokens=60)
        await chat.aclose()
        assert ('"place"' in reply.text) is sent
    assert (ollama_server.requests[-1].get("format") == SCHEMA) is sent
    held = witness.bodies[-1].get("response_format", {}).get("json_schema", {}).get("schema")
    assert (held == SCHEMA) is sent


async def test_a_schema_that_a_server_turns_down_is_told_with_the_way_out(
    ollama_server: OllamaFake, witness: Witness
) -> None:
    for chat in (on_ollama(ollama_server), on_llamacpp(witness)):
        with pytest.raises(
            TransportError, match=r"schema down .* --set constrain=none\.$"
        ) as caught:
            await chat.ask(ASKED, schema={"type": "nonsense"}, max_tokens=4)
        await chat.aclose()
        assert not caught.value.retryable


async def test_sampling_is_honoured_on_both_protocols(
    ollama_server: OllamaFake, witness: Witness
) -> None:
    env = {"OLLAMA_HOST": ollama_server.url}
    for spec in ("ollama:tiny", f"llamacpp:{witness.url}"):
        chat, _ = open_chat(spec, settings=SAMPLING, env=env)
        await chat.ask(ASKED, seed=5, temperature=0.5, max_tokens=9)
        await chat.aclose()
    ollama, llamacpp = ollama_server.requests[-1], witness.bodies[-1]
    for told in (ollama["options"], llamacpp):
        assert (told["seed"], told["temperature"]) == (5, 0.5)
        assert (told["top_p"], told["min_p"], told["stop"]) == (0.9, 0.05, ["\n\n", "END"])
    assert ollama["keep_alive"] == "7m"
    assert llamacpp["cache_prompt"] is True


@pytest.mark.parametrize(
    ("style", "plain", "tiny"),
    [("auto", False, True), ("system", True, True), ("merged", False, False)],
)
async def test_the_template_style_decides_over_the_system_role(
    ollama_server: OllamaFake, style: str, plain: bool, tiny: bool
) -> None:
    for name, system_role in (("plain", plain), ("tiny", tiny)):
        chat = on_ollama(ollama_server, f"ollama:{name}", template_style=style)
        await chat.ask(ASKED, max_tokens=4)
        await chat.aclose()
        roles = [m["role"] for m in ollama_server.requests[-1]["messages"]]
        assert roles == (["system", "user"] if system_role else ["user"])
