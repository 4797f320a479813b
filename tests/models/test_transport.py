"""What a faulty server does, as the town's own errors."""

from collections.abc import Iterator

import pytest
from langchain_core.messages import HumanMessage
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from smolville.models.chat import Chat
from smolville.models.errors import (
    ModelError,
    PromptCut,
    TransportError,
    UnknownModel,
    UnreadableReply,
)
from smolville.models.open import open_chat
from smolville.models.request import ModelSettings
from smolville.models.servers.transport import TranslatedErrors, classify
from tests.fixtures.faulty_server import RETRY_AFTER, WROTE, serve_faults
from tests.fixtures.loopback import serve
from tests.fixtures.waiting import HANGING

PROTOCOLS = ("llamacpp", "ollama")


@pytest.fixture(scope="module")
def faults() -> Iterator[str]:
    """The URL of the faulty server."""
    with serve_faults() as url:
        yield url


def open_at(protocol: str, url: str, timeout: float = HANGING) -> Chat:
    """Return a chat with the server at `url`."""
    settings = ModelSettings(timeout=timeout)
    if protocol == "llamacpp":
        return open_chat(f"llamacpp:{url}", settings=settings)[0]
    return open_chat("ollama:m", settings=settings, env={"OLLAMA_HOST": url})[0]


async def failure(chat: Chat) -> ModelError:
    """Return what one call to a faulty server raises."""
    try:
        with pytest.raises(ModelError) as caught:
            await chat.ask([HumanMessage("Hello.")], max_tokens=8)
    finally:
        await chat.aclose()
    return caught.value


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("way", "retryable", "told"),
    [
        ("busy", True, "answered with status 429"),
        ("crashed", True, "answered with an error: CUDA error: out of memory"),
        ("locked", False, "turned the call down with status 401: Invalid API Key"),
    ],
)
async def test_a_lost_call_says_whether_to_try_again(
    faults: str, protocol: str, way: str, retryable: bool, told: str
) -> None:
    chat = open_at(protocol, f"{faults}/{way}", timeout=HANGING)
    error = await failure(chat)
    assert isinstance(error, TransportError)
    assert told in str(error)
    assert error.retryable is retryable
    assert error.retry_after == (RETRY_AFTER if way == "busy" else None)
    assert error.exit_code == 1


@pytest.mark.parametrize(
    ("protocol", "way", "raw"),
    [
        *((protocol, way, "") for protocol in PROTOCOLS for way in ("peg", "position")),
        *((protocol, way, WROTE) for protocol in PROTOCOLS for way in ("tool", "start")),
        *((protocol, "tool_inside", WROTE) for protocol in PROTOCOLS),
        ("llamacpp", "groq", WROTE),
    ],
)
async def test_a_reply_that_the_server_could_not_parse_is_unreadable(
    faults: str, protocol: str, way: str, raw: str
) -> None:
    error = await failure(open_at(protocol, f"{faults}/{way}"))
    assert isinstance(error, UnreadableReply)
    assert error.raw == raw


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_an_overflow_that_the_server_tells_is_a_cut_prompt(
    faults: str, protocol: str
) -> None:
    error = await failure(open_at(protocol, f"{faults}/overflow"))
    assert isinstance(error, PromptCut)
    if protocol == "llamacpp":
        assert (error.needed, error.available) == (9000, 4096)


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_model_that_was_removed_meanwhile_is_unknown(faults: str, protocol: str) -> None:
    error = await failure(open_at(protocol, f"{faults}/lost"))
    assert isinstance(error, UnknownModel)


@pytest.mark.parametrize("spec", ["llamacpp:{}", "openai:{}/v1#m", "ollama:m"])
def test_https_where_none_is_spoken_is_told_as_such(faults: str, spec: str) -> None:
    url = faults.replace("http://", "https://")
    with pytest.raises(TransportError, match=r"reached over https: does it speak") as told:
        open_chat(spec.format(url), env={"OLLAMA_HOST": url})
    assert not told.value.retryable


@pytest.mark.parametrize("protocol", ["openai", "llamacpp", "ollama"])
@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (
            400,
            '{"error": {"message": "Accept the licence first."}}',
            "status 400: Accept the licence first.",
        ),
        (422, "Accept the licence\nfirst.", "status 422: Accept the licence first."),
        (403, "", "status 403: it says no more"),
    ],
)
def test_what_a_server_says_at_the_first_question_is_told_as_it_is(
    protocol: str, status: int, body: str, told: str
) -> None:
    async def refuse(_: Request) -> Response:
        return Response(body, status)

    app = Starlette(routes=[Route("/{path:path}", refuse, methods=["GET", "POST"])])
    with serve(app) as url:
        spec = {"openai": f"openai:{url}/v1#m", "llamacpp": f"llamacpp:{url}"}
        with pytest.raises(TransportError, match=f"turned the call down with {told}") as caught:
            open_chat(spec.get(protocol, "ollama:m"), env={"OLLAMA_HOST": url})
    assert "http" not in str(caught.value).replace(url, "")
    assert not body or "licence" in str(caught.value)


async def test_an_answer_without_choices_holds_no_reply() -> None:
    async def choose(_: Request) -> Response:
        return JSONResponse({"choices": [], "data": [{"id": "m"}]})

    app = Starlette(routes=[Route("/v1/{path:path}", choose, methods=["GET", "POST"])])
    with serve(app) as url:
        error = await failure(open_chat(f"openai:{url}/v1#m")[0])
    assert "does not answer as a chat server does" in str(error)


def test_exceptions_of_our_own_code_leave_as_they_are() -> None:
    assert classify(KeyError("sector"), "the server") is None
    with pytest.raises(KeyError, match="sector"), TranslatedErrors("the server"):
        raise KeyError("sector")


class Answered(Exception):
    """A client's exception with the server's answer in it."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status_code = status


@pytest.mark.parametrize(
    ("kind", "status", "text"),
    [
        (UnreadableReply, 500, "XML syntax error on line 8: element <parameter> closed by </f>"),
        (UnreadableReply, 500, 'unexpected tokens remaining in message header: Some("x")'),
        (TransportError, 400, "max output tokens is invalid: 0"),
        (TransportError, 400, "JSON schema error at #: unrecognized type"),
        (TransportError, 400, "failed to parse grammar"),
        (TransportError, 400, "'response_format.type' must be 'text'"),
        (TransportError, 500, "model requires more system memory (5.6 GiB) than is available"),
        (PromptCut, 400, "the request exceeds the available context size"),
        (
            PromptCut,
            400,
            "This model's maximum context length is 4096 tokens, you ask 5000",
        ),
        (PromptCut, 400, "Trying to keep the first 5000 tokens when context the overflows"),
    ],
)
def test_what_servers_say_is_understood(kind: type[ModelError], status: int, text: str) -> None:
    meaning = classify(Answered(status, text), "X")
    assert type(meaning) is kind
    if isinstance(meaning, TransportError):
        assert not meaning.retryable
    assert ("--set constrain=none" in str(meaning)) == (
        kind is TransportError and any(word in text for word in ("schema", "grammar", "format"))
    )
