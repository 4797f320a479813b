"""An error that a server sends as if all were well, with status 200, keeps the server's words."""

from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from smolville.models.embedding.embedder import open_embedder
from smolville.models.errors import ModelError, TransportError
from smolville.models.open import open_chat
from smolville.models.servers.odd_answer import words_in
from tests.fixtures.faulty_server import PROPS, SHOWN
from tests.fixtures.loopback import serve

WORDS = "CUDA error: out of memory"
BODIES: dict[str, dict[str, Any]] = {
    "text": {"error": WORDS},
    "object": {"error": {"message": WORDS, "code": 500}},
    "fastapi": {"detail": WORDS},
    "beside": {"error": {"message": WORDS}, "choices": [], "data": []},
}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Servers of every protocol that open, and then answer as the path says."""

    async def fail(request: Request) -> Response:
        return JSONResponse(BODIES[request.path_params["way"]])

    post = ["POST"]
    routes = [
        Route("/{way}/", lambda _: PlainTextResponse("Hello.")),
        Route("/{way}/props", lambda _: JSONResponse(PROPS)),
        Route("/{way}/apply-template", lambda _: JSONResponse({"prompt": "x"}), methods=post),
        Route("/{way}/api/show", lambda _: JSONResponse(SHOWN), methods=post),
        Route("/{way}/v1/models", lambda _: JSONResponse({"data": [{"id": "m"}]})),
        *(
            Route(f"/{{way}}/{path}", fail, methods=post)
            for path in ("api/chat", "api/embed", "v1/chat/completions", "v1/embeddings")
        ),
    ]
    with serve(Starlette(routes=routes)) as found:
        yield found


@pytest.mark.parametrize("way", BODIES)
@pytest.mark.parametrize("kind", ["ollama", "llamacpp", "openai"])
async def test_of_a_chat(url: str, kind: str, way: str) -> None:
    at = f"{url}/{way}"
    spec = {"ollama": "ollama:m", "llamacpp": f"llamacpp:{at}", "openai": f"openai:{at}/v1#m"}[kind]
    with pytest.raises(TransportError) as caught:
        chat, _ = open_chat(spec, env={"OLLAMA_HOST": at})
        try:
            await chat.ask([HumanMessage("Hello.")])
        finally:
            await chat.aclose()
    assert str(caught.value).endswith(f" answered with an error: {WORDS}")
    assert caught.value.retryable


@pytest.mark.parametrize("way", BODIES)
@pytest.mark.parametrize("kind", ["ollama", "llamacpp", "openai"])
def test_of_an_embedder(url: str, kind: str, way: str) -> None:
    at = f"{url}/{way}"
    spec = {"ollama": "ollama:m", "llamacpp": f"llamacpp:{at}", "openai": f"openai:{at}/v1#m"}[kind]
    with pytest.raises(ModelError, match=WORDS):
        open_embedder(spec, env={"OLLAMA_HOST": at})


@pytest.mark.parametrize(
    "body", [{}, [], "error", {"error": None}, {"choices": [1], "detail": "brief"}, {"data": [1]}]
)
def test_an_answer_without_an_error_holds_none(body: object) -> None:
    assert words_in(body) == ""
