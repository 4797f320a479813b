"""Gemini through LangChain, against Google's API as a server on this machine speaks it."""

import contextlib
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from smolville.models.errors import SpecError, TransportError
from smolville.models.open import open_chat
from tests.fixtures.loopback import serve

pytestmark = [
    pytest.mark.skipif(
        find_spec("langchain_google_genai") is None,
        reason="Gemini's package is not installed: uv sync --extra gemini",
    ),
    # Its classes use typing's and asyncio's deprecated parts.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
TEXT = '{"place": "the park"}'
KEY = "sk-test-0123456789abcdef0123"
ASKED: list[BaseMessage] = [SystemMessage("You are in a town."), HumanMessage("Where to?")]
SPEC = "langchain:google_genai/gemini-2.5-flash"


class GeminiFake:
    """Google's API: one answer, and what was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []

    async def answer(self, request: Request) -> Response:
        """Answer a chat; a wrong key is refused."""
        self.asked.append((request.url.path, await request.json()))
        if request.headers.get("x-goog-api-key") != KEY:
            message = "API key not valid. Please pass a valid API key."
            error = {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}
            return JSONResponse({"error": error}, 400)
        content = {"role": "model", "parts": [{"text": TEXT}]}
        usage = {"promptTokenCount": 31, "candidatesTokenCount": 17, "totalTokenCount": 48}
        return JSONResponse(
            {
                "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
                "usageMetadata": usage,
                "modelVersion": "gemini-2.5-flash",
            }
        )


@contextlib.contextmanager
def serve_gemini() -> Iterator[tuple[GeminiFake, str]]:
    """Serve the API."""
    fake = GeminiFake()
    route = Route("/{path:path}", fake.answer, methods=["POST"])
    with serve(Starlette(routes=[route])) as url:
        yield fake, url


async def test_a_call_reaches_gemini_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve_gemini() as (fake, url):
        monkeypatch.setenv("GOOGLE_API_KEY", KEY)
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", url)
        chat, _ = open_chat(SPEC)
        reply = await chat.ask(ASKED, seed=7, temperature=0.5, max_tokens=40)
        await chat.aclose()
    assert (reply.text, reply.finish) == (TEXT, "stop")
    assert (reply.prompt_tokens, reply.completion_tokens) == (31, 17)
    ((path, body),) = fake.asked
    assert path.endswith("/models/gemini-2.5-flash:generateContent")
    assert body["systemInstruction"]["parts"][0]["text"] == "You are in a town."
    assert [each["role"] for each in body["contents"]] == ["user"]
    asked = body["generationConfig"]
    assert (asked["temperature"], asked["maxOutputTokens"], asked["seed"]) == (0.5, 40, 7)


async def test_a_wrong_key_is_told_once_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = "sk-wrong-0123456789"
    with serve_gemini() as (fake, url):
        monkeypatch.setenv("GOOGLE_API_KEY", wrong)
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", url)
        chat, _ = open_chat(SPEC)
        with pytest.raises(TransportError) as caught:
            await chat.ask(ASKED, max_tokens=40)
        await chat.aclose()
    assert len(fake.asked) == 1
    assert wrong not in str(caught.value) and wrong not in repr(chat)


def test_a_missing_key_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SpecError, match=r"does not open: .*API key required") as caught:
        open_chat(SPEC)
    assert "\n" not in str(caught.value)
