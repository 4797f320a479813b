"""Vectors from `/v1/embeddings`: the real llama.cpp server, and servers that fail."""

import contextlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from smolville.models.embedding.embedder import open_embedder
from smolville.models.errors import ModelError, SpecError, TransportError
from smolville.models.keys import UserSpec
from smolville.models.pacing import ask_blocking
from tests.fixtures.embedding_server import WIDTH
from tests.fixtures.loopback import serve
from tests.models.test_embedder import keeps_its_promises

KEY = "sk-hunter22-hunter22"


@dataclass
class Fake:
    """A server like OpenAI's: it answers as it is told to, and remembers what it was asked."""

    url: str = ""
    dimension: int = 4
    failures: list[Response] = field(default_factory=list)
    """Answers that come before the right ones."""
    bodies: list[Any] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    async def embed(self, request: Request) -> Response:
        """Answer one request; the rows come in the wrong order, as they may."""
        body = await request.json()
        self.bodies.append(body)
        self.keys.append(request.headers.get("authorization", ""))
        if self.failures:
            return self.failures.pop(0)
        rows = [
            {"object": "embedding", "index": n, "embedding": [float(len(text))] * self.dimension}
            for n, text in enumerate(body["input"])
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        data = {"object": "list", "data": rows[::-1], "model": body["model"], "usage": usage}
        return JSONResponse(data)


def refusal(status: int, message: str, **headers: str) -> Response:
    """An error as OpenAI-like servers write it."""
    return JSONResponse({"error": {"message": message}}, status, headers=headers)


@pytest.fixture
def fake() -> Iterator[Fake]:
    """A server like OpenAI's."""
    with serving(Fake()) as fake:
        yield fake


@contextlib.contextmanager
def serving(fake: Fake) -> Iterator[Fake]:
    """Serve it while the block runs."""
    app = Starlette(routes=[Route("/v1/embeddings", fake.embed, methods=["POST"])])
    with serve(app) as url:
        fake.url = url
        yield fake


def test_llama_cpp_s_server_gives_a_vector_a_text(embedding_url: str) -> None:
    embedder = open_embedder(f"llamacpp:{embedding_url}")
    assert (embedder.name, embedder.dimension) == (f"llamacpp:{embedding_url}", WIDTH)
    keeps_its_promises(embedder)


def test_a_llama_cpp_server_that_only_chats_is_told_how_to_start(llamacpp_url: str) -> None:
    with pytest.raises(SpecError, match=r"without --embeddings: start it with `llama-server .*"):
        open_embedder(f"llamacpp:{llamacpp_url}")


def test_a_text_too_long_for_a_llama_cpp_server_is_told(embedding_url: str) -> None:
    embedder = open_embedder(f"llamacpp:{embedding_url}")
    with pytest.raises(SpecError, match="--ubatch-size"):
        embedder.embed(["the town " * 800])


def test_rows_are_put_into_the_order_of_the_texts_whatever_the_order_they_come_in(
    fake: Fake,
) -> None:
    embedder = open_embedder(f"openai:{fake.url}#m", env={})
    rows = embedder.embed(["a" * length for length in range(1, 131)])
    assert rows[:, 0].tolist() == list(range(1, 131))
    assert [len(body["input"]) for body in fake.bodies] == [1, 64, 64, 2]
    assert {body["model"] for body in fake.bodies} == {"m"}


@pytest.mark.parametrize("status", [401, 500])
def test_a_key_is_neither_told_nor_logged_even_when_the_server_repeats_it(
    fake: Fake, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    fake.failures = [refusal(status, f"Incorrect key provided: {KEY}")]
    with pytest.raises(ModelError) as caught:
        open_embedder(UserSpec(f"openai:{fake.url}#m"), env={"OPENAI_API_KEY": KEY})
    assert KEY not in str(caught.value)
    if status in (401, 403):
        assert "set OPENAI_API_KEY or SMOLVILLE_API_KEY" in str(caught.value)
    assert KEY not in caplog.text.replace(f"key provided: {KEY}", "")


def test_a_lost_request_is_left_to_the_caller_who_asks_again(fake: Fake) -> None:
    embedder = open_embedder(f"openai:{fake.url}#m", env={})
    fake.failures = [refusal(503, "Loading model")]
    with pytest.raises(TransportError, match="503") as caught:
        embedder.embed(["a"])
    assert caught.value.retryable
    heard: list[float] = []
    fake.failures = [
        refusal(503, "Loading model", **{"retry-after": "0"}),
        refusal(429, "too many requests", **{"retry-after": "0"}),
    ]
    rows = ask_blocking(
        lambda: embedder.embed(["aaa"]), on_retry=lambda error, seconds: heard.append(seconds)
    )
    assert rows[0].tolist() == [3.0] * 4
    assert len(heard) == 2


def test_a_model_that_was_changed_under_way_is_told(fake: Fake) -> None:
    embedder = open_embedder(f"openai:{fake.url}#m", env={})
    fake.dimension = 8
    with pytest.raises(ModelError, match=r"vectors of 8 numbers now, and sent 4 before.*reembed"):
        embedder.embed(["a", "b"])


@pytest.mark.parametrize(
    "answer",
    [
        HTMLResponse("<html>a proxy's page</html>"),
        JSONResponse({"data": []}),
        JSONResponse({"data": [{"index": 0, "embedding": None}]}),
        JSONResponse({"data": [{"index": 0, "embedding": ["a"]}]}),
        JSONResponse([1, 2]),
        Response(
            '{"data": [{"index": 0, "embedding": [NaN, 1.0]}]}', media_type="application/json"
        ),
    ],
)
def test_what_is_no_embedding_is_told_in_a_sentence(fake: Fake, answer: Response) -> None:
    fake.failures = [answer]
    with pytest.raises(ModelError, match="The server for embeddings at http"):
        open_embedder(f"openai:{fake.url}#m", env={})
