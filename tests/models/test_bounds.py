"""What a server may send is bounded: size, nesting, silence, tokens, and where a call goes."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from smolville.models.embedding.embedder import open_embedder
from smolville.models.errors import ModelError, TransportError, UnreadableReply
from smolville.models.open import open_chat
from smolville.models.reply import Reply
from smolville.models.request import ModelSettings
from tests.fixtures.faulty_server import PROPS, SHOWN
from tests.fixtures.loopback import serve

LIMIT = 8
SILENCE = 0.6
"""Seconds of silence after which a call is given up here."""
STREAMED = ("ollama", "llamacpp")
KINDS = (*STREAMED, "openai")
DEEP = "[" * 200_000


@dataclass
class Hostile:
    """A server of three protocols; the path says what is wrong with its answer."""

    url: str = ""
    elsewhere: str = ""
    got: list[bytes] = field(default_factory=list)
    """What arrived at the server that it redirects to."""
    sent: int = 0
    """Number of pieces sent of an endless reply."""

    async def chat(self, request: Request) -> Response:
        """Answer a chat, except OpenAI's trial call, which is answered well."""
        kind = "ollama" if request.url.path.endswith("/api/chat") else "llamacpp"
        asked = await request.json()
        way = request.path_params["way"]
        if asked.get("max_tokens") == 48 and way != "other":
            return JSONResponse(whole('{"ok": true}'))
        if way == "redirect":
            return RedirectResponse(f"{self.elsewhere}{request.url.path}", 307)
        if way == "moved":
            return RedirectResponse(str(request.url).replace("/moved/", "/good/"), 307)
        if way == "nested":
            return Response(DEEP, media_type="application/json")
        if way == "long":
            return Response(LONG, media_type="application/json")
        if way == "packed":
            return Response(gzip.compress(b"{}"), headers=GZIP)
        if kind == "llamacpp" and not asked.get("stream"):
            text = "word " * 500 if way == "endless" else "Good morning."
            return JSONResponse(whole(text)) if way != "drips" else drip()
        media = "application/x-ndjson" if kind == "ollama" else "text/event-stream"
        return StreamingResponse(self.pieces(kind, way), media_type=media)

    async def pieces(self, kind: str, way: str) -> AsyncIterator[str]:
        """Yield what is streamed."""
        if way == "deep":
            yield DEEP if kind == "ollama" else f"data: {DEEP}\n\n"
        if way == "silent":
            yield piece(kind, "Good ")
        while way == "silent":
            yield piece(kind, "")
            await asyncio.sleep(SILENCE / 5)
        words = 5 if way == "slow" else 3
        while way == "endless" or words:
            self.sent, words = self.sent + 1, words - 1
            yield piece(kind, "word ")
            await asyncio.sleep(SILENCE / 2 if way == "slow" else 0.001)
        yield piece(kind, "", ends=True)

    async def collect(self, request: Request) -> Response:
        """Remember what was redirected."""
        self.got.append(await request.body())
        return JSONResponse({})

    async def embed(self, request: Request) -> Response:
        """Answer packed."""
        return Response(gzip.compress(b"{}"), headers=GZIP)


LONG = b" " * (9 << 20)
GZIP = {"content-encoding": "gzip", "content-type": "application/json"}


def whole(text: str) -> dict[str, Any]:
    """Return an answer of OpenAI's protocol."""
    message = {"role": "assistant", "content": text}
    return {"model": "m", "choices": [{"index": 0, "finish_reason": "stop", "message": message}]}


def piece(kind: str, text: str, *, ends: bool = False) -> str:
    """Return a piece of a streamed reply, by a model that calls itself another."""
    if kind == "ollama":
        message = {"role": "assistant", "content": text}
        told: dict[str, Any] = {"model": "other", "message": message, "done": ends}
        return json.dumps({**told, "done_reason": "stop"} if ends else told) + "\n"
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": "stop" if ends else None}
    return f"data: {json.dumps({'model': 'other', 'choices': [choice]})}\n\n"


def drip() -> Response:
    """Return an answer of which a byte comes now and then."""

    async def bytes_of() -> AsyncIterator[bytes]:
        while True:
            yield b" "
            await asyncio.sleep(SILENCE / 5)

    return StreamingResponse(bytes_of(), media_type="text/plain")


@pytest.fixture(scope="module")
def server() -> Iterator[Hostile]:
    """The server, and the one that it redirects to."""
    hostile = Hostile()
    post = ["POST"]
    routes = [
        Route("/{way}/", lambda _: JSONResponse({})),
        Route("/{way}/props", lambda _: JSONResponse(PROPS)),
        Route("/{way}/apply-template", lambda _: JSONResponse({"prompt": ""}), methods=post),
        Route("/{way}/api/show", lambda _: JSONResponse(SHOWN), methods=post),
        Route("/{way}/v1/models", lambda _: JSONResponse({"data": [{"id": "m"}]})),
        Route("/{way}/api/chat", hostile.chat, methods=post),
        Route("/{way}/api/embed", hostile.embed, methods=post),
        Route("/{way}/v1/embeddings", hostile.embed, methods=post),
        Route("/{way}/v1/chat/completions", hostile.chat, methods=post),
    ]
    other = Starlette(routes=[Route("/{path:path}", hostile.collect, methods=["GET", "POST"])])
    with serve(Starlette(routes=routes)) as hostile.url, serve(other) as hostile.elsewhere:
        yield hostile


async def asked(kind: str, url: str) -> Reply:
    """Return a chat's reply."""
    specs = {"ollama": "ollama:m", "llamacpp": f"llamacpp:{url}", "openai": f"openai:{url}/v1#m"}
    settings = ModelSettings(timeout=SILENCE)
    chat, _ = open_chat(specs[kind], env={"OLLAMA_HOST": url}, settings=settings)
    try:
        return await chat.ask([HumanMessage("A secret.")], max_tokens=LIMIT)
    finally:
        await chat.aclose()


@pytest.mark.parametrize("kind", KINDS)
async def test_a_reply_goes_on_to_no_other_server(server: Hostile, kind: str) -> None:
    server.got.clear()
    with pytest.raises(TransportError) as caught:
        await asked(kind, f"{server.url}/redirect")
    assert not caught.value.retryable
    assert not server.got


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("way", "told"), [("long", "too long"), ("packed", "compresses")])
async def test_an_answer_too_long_or_packed_is_not_read(
    server: Hostile, kind: str, way: str, told: str
) -> None:
    with pytest.raises(UnreadableReply, match=told):
        await asked(kind, f"{server.url}/{way}")


@pytest.mark.parametrize("spec", ["ollama", "llamacpp", "openai"])
def test_packed_vectors_are_not_unpacked(server: Hostile, spec: str) -> None:
    url = f"{server.url}/packed"
    told = {"ollama": "ollama:m", "llamacpp": f"llamacpp:{url}", "openai": f"openai:{url}/v1#m"}
    with pytest.raises(ModelError, match="compresses"):
        open_embedder(told[spec], env={"OLLAMA_HOST": url})


@pytest.mark.parametrize("kind", KINDS)
async def test_a_deeply_nested_answer_is_unreadable(server: Hostile, kind: str) -> None:
    with pytest.raises(UnreadableReply, match="nested too deeply"):
        await asked(kind, f"{server.url}/nested")


@pytest.mark.parametrize("kind", STREAMED)
async def test_silence_after_a_token_ends_a_call_even_if_bytes_come(
    server: Hostile, kind: str
) -> None:
    with pytest.raises(TransportError, match="did not answer in time"):
        await asked(kind, f"{server.url}/silent")


@pytest.mark.parametrize("kind", STREAMED)
async def test_a_reply_without_end_is_cut_at_its_limit(server: Hostile, kind: str) -> None:
    server.sent = 0
    reply = await asked(kind, f"{server.url}/endless")
    assert (reply.text, reply.finish) == ("word " * LIMIT, "length")
    await asyncio.sleep(0.1)
    sent = server.sent
    await asyncio.sleep(0.1)
    assert server.sent == sent, "the server still writes"


async def test_a_whole_reply_far_beyond_its_limit_is_cut(server: Hostile) -> None:
    reply = await asked("openai", f"{server.url}/endless")
    assert reply.finish == "length"
    assert reply.text
    assert len(reply.text.split()) <= 2 * LIMIT
