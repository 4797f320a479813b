"""Any server with OpenAI's protocol: here llama.cpp's own, behind one that refuses what it may."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route

from smolville.models.chat import Chat
from smolville.models.errors import ModelError, SpecError, UnknownModel
from smolville.models.open import open_chat
from smolville.models.request import ModelSettings
from smolville.models.servers.compatible import CompatibleServer
from tests.fixtures.loopback import serve
from tests.fixtures.witness import Witness

ASKED: list[BaseMessage] = [SystemMessage("You are in a town."), HumanMessage("How long?")]
REPAIR = [*ASKED, AIMessage("{}"), HumanMessage("minutes is missing.")]
SCHEMA = {
    "type": "object",
    "properties": {"minutes": {"type": "integer", "minimum": 5, "maximum": 60}},
    "required": ["minutes"],
    "additionalProperties": False,
}


def opened(witness: Witness, **settings: Any) -> Chat:
    """Return the model that the witness stands in front of."""
    return open_chat(f"openai:{witness.url}", settings=ModelSettings(**settings), env={})[0]


async def test_the_first_model_is_taken_and_its_reply_held_to_the_schema(witness: Witness) -> None:
    chat = opened(witness)
    assert chat.spec == f"openai:{witness.url}/v1#{chat.name}"
    assert chat.constrains
    assert chat.num_ctx == 16384
    for messages in (ASKED, REPAIR):
        reply = await chat.ask(messages, schema=SCHEMA, seed=2, temperature=1.0, max_tokens=300)
        assert 5 <= json.loads(reply.text)["minutes"] <= 60
    await chat.aclose()
    assert reply.prompt_tokens is not None
    again, _ = open_chat(chat.spec, env={})
    assert again.spec == chat.spec


async def test_sampling_goes_into_the_body(witness: Witness) -> None:
    chat = opened(witness, top_p=0.9, min_p=0.05, stop=("\n\n",))
    await chat.ask(ASKED, seed=2**40 + 3, temperature=0.5, max_tokens=7)
    await chat.aclose()
    body = witness.bodies[-1]
    told = {name: body[name] for name in ("temperature", "seed", "top_p", "min_p", "stop")}
    assert told == {
        "temperature": 0.5,
        "seed": (2**40 + 3) % 2**31,
        "top_p": 0.9,
        "min_p": 0.05,
        "stop": ["\n\n"],
    }
    assert body["max_tokens"] == 7
    assert "max_completion_tokens" not in body


async def test_a_server_that_refuses_what_openai_does_not_know_is_not_sent_it(
    witness: Witness,
) -> None:
    witness.refused = {"chat_template_kwargs": "Unrecognized request argument supplied"}
    chat = opened(witness, min_p=0.05)
    assert chat.constrains
    await chat.ask(ASKED, max_tokens=4)
    await chat.aclose()
    assert not {"chat_template_kwargs", "min_p"} & set(witness.bodies[-1])


async def test_a_server_that_refuses_the_system_role_gets_it_merged(witness: Witness) -> None:
    witness.refused = {"system": "Only user and assistant roles are supported!"}
    chat = opened(witness)
    assert chat.constrains
    assert (await chat.ask(ASKED, max_tokens=4)).text
    await chat.aclose()
    assert [m["role"] for m in witness.bodies[-1]["messages"]] == ["user"]


@pytest.mark.parametrize("how", ["refused", "ignored"])
async def test_a_server_without_schemas_is_asked_without(witness: Witness, how: str) -> None:
    if how == "refused":
        witness.refused = {"response_format": "'response_format.type' must be 'text'"}
    else:
        witness.ignored = ("response_format",)
    chat = opened(witness)
    assert not chat.constrains
    await chat.ask(ASKED, schema=SCHEMA, max_tokens=4)
    await chat.aclose()
    assert "response_format" not in witness.bodies[-1]
    with pytest.raises(SpecError, match="to a schema: take --set constrain=none"):
        opened(witness, constrain="schema")


def test_an_unknown_name_lists_what_is_there(witness: Witness) -> None:
    with pytest.raises(
        UnknownModel, match=r"has no model 'mistral'\. It has: .*tiny\.gguf"
    ) as told:
        open_chat(f"openai:{witness.url}/v1#mistral", env={})
    assert told.value.exit_code == 2


def test_the_settings_of_the_spec_come_first(witness: Witness) -> None:
    chat, _ = open_chat(f"openai:{witness.url}/v1?num_ctx=2048,slots=9", env={})
    assert (chat.num_ctx, chat.slots) == (2048, 9)
    assert chat.spec.endswith("?num_ctx=2048,slots=9")


def test_ollama_s_own_v1_is_refused_and_the_right_way_told(ollama_url: str) -> None:
    with pytest.raises(SpecError) as told:
        open_chat(f"openai:{ollama_url}/v1#mistral", env={})
    assert "is Ollama: write ollama:<name> and set OLLAMA_HOST" in str(told.value)


@pytest.fixture
def odd() -> Iterator[str]:
    """A server that lists its models in odd ways."""
    rows = [{"id": "text-embedding-x"}, {"id": "big", "max_model_len": 4096}, {"no": "id"}]
    routes = [
        Route("/v1/models", lambda _: JSONResponse({"data": rows})),
        Route("/page/models", lambda _: HTMLResponse("<p>Hello</p>")),
        Route("/object/models", lambda _: JSONResponse({"detail": "no"})),
        Route("/empty/models", lambda _: JSONResponse({"data": []})),
    ]
    with serve(Starlette(routes=routes)) as url:
        yield url


def test_a_model_for_embeddings_is_not_taken_for_a_chat(odd: str) -> None:
    assert CompatibleServer(f"{odd}/v1", "none").pick("") == ("big", 4096)


@pytest.mark.parametrize("path", ["page", "object"])
def test_another_kind_of_server_is_told(odd: str, path: str) -> None:
    with pytest.raises(ModelError, match=r"does not answer as|does not speak OpenAI's protocol"):
        CompatibleServer(f"{odd}/{path}", "none").pick("")
