"""Replies come in pieces, so that a call is given up for silence; its end has to be said."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from smolville.models.chat import Chat
from smolville.models.errors import TransportError
from smolville.models.open import open_chat
from smolville.models.reply import Reply
from smolville.parsers.reader import AnswerParser
from smolville.parsers.say import Utterance
from tests.fixtures.faulty_server import PEG, PROPS, SHOWN
from tests.fixtures.loopback import serve

Body = dict[str, Any]
TEXT = ("Good ", "morning", ", Ada.")
ENDS: dict[str, dict[str, Body]] = {
    "ollama": {
        "whole": {
            "message": {"role": "assistant", "content": ""},
            "done": True,
            "done_reason": "length",
            "prompt_eval_count": 20,
            "prompt_eval_duration": 3_000_000,
            "eval_count": 4,
            "eval_duration": 2_000_000,
        },
        "crash": {"error": "llama runner process has terminated"},
    },
    "llamacpp": {
        "whole": {
            "choices": [{"index": 0, "delta": {}, "finish_reason": "length"}],
            "usage": {"prompt_tokens": 20, "completion_tokens": 4, "total_tokens": 24},
            "timings": {"prompt_ms": 3.0, "predicted_ms": 2.0, "cache_n": 7},
        },
        "crash": {"error": {"code": 500, "message": "llama runner process has terminated"}},
        "peg": {"error": {"code": 500, "message": PEG}},
    },
}
"""What comes behind the pieces; with "cut" nothing does."""
STOPS: dict[str, Body] = {
    "ollama": ENDS["ollama"]["whole"] | {"done_reason": "stop"},
    "llamacpp": {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
}
ANSWER = Utterance(text="Good morning, Ada.", ends=False)
CALL = {"name": "answer", "arguments": ANSWER.model_dump()}
UNSAID: dict[str, dict[str, list[Body]]] = {
    "ollama": {
        "tool_calls": [{"tool_calls": [{"function": CALL}]}],
    },
    "llamacpp": {
        "tool_calls": [
            {
                "tool_calls": [
                    {
                        "index": 0,
                        "id": "1",
                        "type": "function",
                        "function": CALL | {"arguments": ANSWER.model_dump_json()},
                    }
                ]
            }
        ],
    },
}
"""Replies without content whose answer is somewhere else, by the name of the place."""


class Streaming:
    """A server of both protocols that streams, and remembers what it was asked."""

    def __init__(self) -> None:
        """Begin with nothing asked."""
        self.asked: list[Body] = []
        self.url = ""

    def app(self) -> Starlette:
        """Return the application; the path says how a stream ends."""
        post = ["POST"]
        return Starlette(
            routes=[
                Route("/{way}/props", lambda _: JSONResponse(PROPS)),
                Route(
                    "/{way}/apply-template", lambda _: JSONResponse({"prompt": ""}), methods=post
                ),
                Route("/{way}/api/show", lambda _: JSONResponse(SHOWN), methods=post),
                Route("/{way}/api/chat", self.ollama, methods=post),
                Route("/{way}/v1/chat/completions", self.llamacpp, methods=post),
            ]
        )

    async def ollama(self, request: Request) -> Response:
        """Answer line by line."""
        self.asked.append(await request.json())
        said: list[Body] = [{"content": text} for text in TEXT]
        said = UNSAID["ollama"].get(request.path_params["way"], said)
        pieces: list[Body] = [
            {"message": {"role": "assistant", "content": ""} | each, "done": False} for each in said
        ]
        pieces += _ends("ollama", request)
        return _sent((json.dumps(piece) + "\n" for piece in pieces), "application/x-ndjson")

    async def llamacpp(self, request: Request) -> Response:
        """Answer event by event: how much of the prompt is read, thinking, text."""
        self.asked.append(await request.json())
        thought = [{"content": None}, {"reasoning_content": "Hm"}, {"reasoning_content": "m."}]
        said: list[Body] = [*thought, *({"content": text} for text in TEXT)]
        said = UNSAID["llamacpp"].get(request.path_params["way"], said)
        pieces: list[Body] = [
            {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in said
        ]
        pieces[0]["prompt_progress"] = {"total": 20, "cache": 7, "processed": 9, "time_ms": 1}
        pieces += _ends("llamacpp", request)
        return _sent((f"data: {json.dumps(piece)}\n\n" for piece in pieces), "text/event-stream")


def _ends(protocol: str, request: Request) -> list[Body]:
    way = request.path_params["way"]
    end = STOPS[protocol] if way in UNSAID[protocol] else ENDS[protocol].get(way)
    return [] if end is None else [end]


def _sent(pieces: Iterator[str], kind: str) -> Response:
    async def one_by_one() -> AsyncIterator[str]:
        for piece in pieces:
            yield piece

    return StreamingResponse(one_by_one(), media_type=kind)


@pytest.fixture(scope="module")
def server() -> Iterator[Streaming]:
    """The server, served."""
    streaming = Streaming()
    with serve(streaming.app()) as url:
        streaming.url = url
        yield streaming


def open_at(protocol: str, url: str) -> Chat:
    spec = "ollama:m" if protocol == "ollama" else f"llamacpp:{url}"
    return open_chat(spec, env={"OLLAMA_HOST": url})[0]


async def asked(protocol: str, url: str, max_tokens: int = 4) -> Reply:
    chat = open_at(protocol, url)
    try:
        return await chat.ask([HumanMessage("Hello.")], max_tokens=max_tokens)
    finally:
        await chat.aclose()


@pytest.mark.parametrize("protocol", ENDS)
async def test_a_reply_in_pieces_is_put_together(server: Streaming, protocol: str) -> None:
    reply = await asked(protocol, f"{server.url}/whole")
    assert server.asked[-1].get("stream", True) is True
    assert (reply.text, reply.finish) == ("Good morning, Ada.", "length")
    assert (reply.prompt_tokens, reply.completion_tokens) == (20, 4)
    assert (reply.prompt_ms, reply.reply_ms) == (3.0, 2.0)
    if protocol == "llamacpp":
        assert (reply.thinking, reply.cached_tokens) == ("Hmm.", 7)


@pytest.mark.parametrize(
    ("protocol", "way"), [(protocol, way) for protocol in UNSAID for way in UNSAID[protocol]]
)
async def test_a_whole_answer_without_content_is_read_and_not_clean(
    server: Streaming, protocol: str, way: str
) -> None:
    reply = await asked(protocol, f"{server.url}/{way}", max_tokens=64)
    reading = AnswerParser(answer=Utterance).read(reply.text, cut=reply.is_cut)
    assert reading.value == ANSWER
    assert reading.mends


@pytest.mark.parametrize("protocol", ENDS)
async def test_a_reply_without_its_last_piece_is_lost(server: Streaming, protocol: str) -> None:
    with pytest.raises(TransportError, match="broke off in the middle of its reply") as caught:
        await asked(protocol, f"{server.url}/cut")
    assert caught.value.retryable


@pytest.mark.parametrize("protocol", ENDS)
async def test_an_error_in_the_middle_keeps_the_server_s_words(
    server: Streaming, protocol: str
) -> None:
    with pytest.raises(TransportError) as caught:
        await asked(protocol, f"{server.url}/crash")
    assert "answered with an error: llama runner process has terminated" in str(caught.value)
    assert caught.value.retryable
