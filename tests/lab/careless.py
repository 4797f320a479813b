"""Servers that answer, and do not do what they are asked: in front of the real llama.cpp server."""

import contextlib
import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.fixtures.completion import answered
from tests.fixtures.loopback import serve
from tests.fixtures.ollama_server import OllamaFake
from tests.fixtures.waiting import HANGING

Body = dict[str, Any]
SLOTS, CONTEXT = 2, 8192
"""Of the short server."""
KEPT = 1200
"""Characters of a prompt that the cutting server reads."""
SMALL = 700
"""Tokens of context of an Ollama that does not heed `num_ctx`."""


def without_schema(body: Body) -> Body:
    """The body as a server reads it that knows no schema."""
    return {name: value for name, value in body.items() if name != "response_format"}


def as_it_is(body: Body) -> Body:
    """The body as any server reads or writes it."""
    return body


def saying(text: str) -> Callable[[Body], Body]:
    """Return what makes every answer say this and nothing else."""

    def said(answer: Body) -> Body:
        choices = [
            {**each, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
            for each in answer["choices"]
        ]
        return {**answer, "choices": choices}

    return said


def cut(body: Body) -> Body:
    """The body as a server reads it that drops the front of long prompts."""
    messages = [{**each, "content": each["content"][-KEPT:]} for each in body["messages"]]
    return {**body, "messages": messages}


@contextlib.contextmanager
def serve_careless(
    backend: str, reads: Callable[[Body], Body], writes: Callable[[Body], Body] = as_it_is
) -> Iterator[str]:
    """Serve llama.cpp's protocol, with chats read or answered carelessly; gives the URL."""

    async def pass_on(request: Request) -> Response:
        url = f"{backend}{request.url.path}"
        body = await request.body()
        asked: Body = {}
        if request.url.path.endswith("/chat/completions"):
            asked = json.loads(body)
            whole = {**reads(asked), "stream": False, "stream_options": None}
            body = json.dumps(whole).encode()
        async with httpx.AsyncClient(timeout=HANGING, trust_env=False) as client:
            got = await client.request(request.method, url, content=body)
        if request.url.path.endswith("/chat/completions") and got.is_success:
            return answered(asked, writes(got.json()))
        return Response(got.content, got.status_code, media_type=got.headers["content-type"])

    with serve(Starlette(routes=[Route("/{path:path}", pass_on, methods=["GET", "POST"])])) as url:
        yield url


class Small(OllamaFake):
    """An Ollama with a context of its own."""

    async def chat(self, request: Request) -> Response:
        """Answer a chat within the server's own context."""
        body = await request.json()
        body["options"] = {**body.get("options", {}), "num_ctx": SMALL}
        request._json = body
        return await super().chat(request)


@contextlib.contextmanager
def serve_small(backend: str) -> Iterator[Small]:
    """Serve the small Ollama; gives its state."""
    fake = Small(backend)
    with serve(fake.app()) as url:
        fake.url = url
        yield fake
