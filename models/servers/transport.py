"""Classify clients' exceptions: lost calls, refused calls, cut prompts and unreadable replies.

The clients below LangChain raise about forty kinds of exception (httpx, httpx2, openai, ollama,
langchain_core). They are recognised by the names of their classes, so that no client has to be
imported to find out that another one failed.
"""

import copy
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from math import isfinite
from types import TracebackType
from typing import TYPE_CHECKING, Any

from smolville.models.errors import (
    ConnectionRefused,
    ModelError,
    PromptCut,
    SpecError,
    TransportError,
    UnknownModel,
    UnreadableReply,
)
from smolville.models.keys import NO_KEY, OWN, hide

if TYPE_CHECKING:
    from httpx import Response

LONGEST = 400
"""Characters of a server's or a client's message that are shown."""
TIMEOUTS = frozenset(
    {
        "builtins.TimeoutError",
        "httpx.TimeoutException",
        "httpx2.TimeoutException",
        "openai.APITimeoutError",
        "langchain_core.ModelTimeoutError",
    }
)
REFUSALS = frozenset(
    {"builtins.ConnectionRefusedError", "httpx.ConnectError", "httpx2.ConnectError"}
    | {"aiohttp.ClientConnectorError", "urllib3.NewConnectionError"}
)
BREAKS = frozenset(
    {
        "builtins.ConnectionError",
        "httpx.TransportError",
        "httpx2.TransportError",
        "openai.APIConnectionError",
        "aiohttp.ClientError",
        "requests.RequestException",
        "langchain_core.ModelConnectionError",
    }
)
VENDORS = frozenset({"openai.OpenAIError", "ollama.RequestError", "langchain_core.ModelError"})
"""Base classes of the clients' other errors, such as one for a missing key."""
TRY_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses after which the same call may succeed."""
TOO_LARGE = "requires more system memory"
"""Text in Ollama's 500 for a model that is too large for the machine: waiting does not help."""
UNPARSED = re.compile(
    r"(?i)parse input at pos|peg-native|pars\w+ tool call|XML syntax error"
    r"|unexpected tokens? remaining in|json_validate_failed|tool_use_failed"
    r"|failed to (?:generate|validate) JSON"
)
"""What llama.cpp, Ollama, vLLM and Groq say if they cannot parse what their model wrote. No tools
are ever sent, so a tool call is always the model's own idea."""
WROTE = re.compile(r"(?s)parsing tool call: raw='(.*)'(?:, err=|\Z)|parse input at pos 0: (.*)\Z")
"""The whole of what the model wrote, in messages of Ollama and llama.cpp."""
SCHEMA = re.compile(r"(?i)\bschema\b|\bgrammar|response_format|invalid format")
"""Words in the error of a server that cannot constrain a reply to a schema."""
OVERFLOWS = ("exceed", "overflow", "maximum context length")
"""Words with which llama.cpp, LM Studio and vLLM report a prompt that is too long, if the message
also has the word `context`."""
CLIENTS = frozenset(
    {"httpx", "httpx2", "langchain_core", "langchain_ollama", "langchain_openai", "ollama"}
    | {"langchain_community", "openai", "json", "pydantic", "codecs"}
)
"""Packages that raise general exceptions for unexpected answers: a proxy's page, half of a JSON
text, an empty one, another protocol's."""


class ErrorInside(Exception):
    """An error that a server sent as an answer with status 200, with the server's message."""

    status_code = -1

    def __init__(self, body: Mapping[str, Any]) -> None:
        """Store the answer's body beside the message."""
        told = words_in(body)
        super().__init__(_on_a_line(told))
        inner = body.get("error")
        self.body = {"error": {**(inner if isinstance(inner, dict) else {}), "message": told}}


class TranslatedErrors:
    """Context manager that turns vendors' exceptions into `ModelError`s; others pass unchanged."""

    def __init__(self, server: str, *, key: str = "") -> None:
        """Store the server's name for messages, and the key that no message may contain."""
        self.server = server
        self.key = key

    def __enter__(self) -> "TranslatedErrors":
        """Enter the context."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Raise the error that the exception means, if that is known."""
        meaning = classify(error, self.server) if isinstance(error, Exception) else None
        if meaning is not None:
            told = hide(str(meaning), self.key)
            meaning.args = (told[0].upper() + told[1:] if told.startswith("the ") else told,)
            raise meaning from error


def refuse_keyless(answer: "Response", server: str, key: str, variable: str) -> None:
    """Raise SpecError if a server's answer means that it wants a key, or another one."""
    told = _on_a_line(hide(_words_of(answer), key)) if answer.status_code in (401, 403) else ""
    if answer.status_code == 401 or told:
        wish = "wants a key" if key == NO_KEY else "wants another key"
        said = f' It says: "{told}".' if told else ""
        raise SpecError(f"{server[0].upper()}{server[1:]} {wish}: set {variable} or {OWN}.{said}")


def look_inside(response: "Response") -> None:
    """Raise ErrorInside if an answer with status 200 holds an error; a hook for httpx clients."""
    if _may_hold_one(response):
        response.read()
        _look_at(response)


async def look_inside_async(response: "Response") -> None:
    """Do the same for async clients."""
    if _may_hold_one(response):
        await response.aread()
        _look_at(response)


def _may_hold_one(response: "Response") -> bool:
    kind = response.headers.get("content-type", "")
    return response.is_success and kind.startswith("application/json")


def _look_at(response: "Response") -> None:
    try:
        body = response.json()
    except RecursionError as error:
        raise UnreadableReply("The server sent an answer nested too deeply to be read.") from error
    except ValueError:
        return
    if words_in(body):
        raise ErrorInside(body)


def words_in(body: object) -> str:
    """Return the error message in an answer's body; empty if it contains none."""
    if not isinstance(body, Mapping):
        return ""
    told: Any = body.get("error")
    if told is None and not any(body.get(name) for name in ("choices", "data", "embeddings")):
        # FastAPI uses `detail`, and vLLM has sent the error object itself.
        told = body.get("detail") or (body if body.get("object") == "error" else None)
    if isinstance(told, Mapping):
        told = told.get("message") or told.get("type") or told.get("code")
    return str(told or "")


def short(error: BaseException) -> str:
    """Return an exception's text on one line, shortened."""
    return _on_a_line(str(error)) or type(error).__name__


def _on_a_line(text: str) -> str:
    return " ".join(text.split())[:LONGEST]


def classify(error: Exception, server: str) -> ModelError | None:
    """Return the error about `server` that a client's exception means; None if unknown."""
    if isinstance(error, ModelError):
        return None
    links = list(_chain(error))
    inside = next((link for link in links if isinstance(link, ErrorInside)), None)
    if inside is not None:
        return _from_status(inside, inside.status_code, server)
    status = _status(error)
    if status is not None and not 200 <= status < 300:
        return _from_status(error, status, server)
    if _names(error) & BREAKS and not _names(error) & TIMEOUTS:
        return _from_connection(error, links, server)
    return _from_client(error, server)


def _from_client(error: Exception, server: str) -> ModelError | None:
    """Return the error behind a client's exception about an answer without a status."""
    names = _names(error)
    if names & TIMEOUTS:
        return TransportError(f"{server} did not answer in time.")
    if "openai.APIError" in names and isinstance(getattr(error, "body", None), dict):
        return _from_status(error, ErrorInside.status_code, server)
    if names & VENDORS:
        again = getattr(error, "retryable", False) is True
        return TransportError(f"{server} cannot be asked: {short(error)}", retryable=again)
    if isinstance(error, RecursionError):
        return UnreadableReply("The server sent an answer nested too deeply to be read.")
    is_general = isinstance(error, ValueError | TypeError | LookupError | AttributeError)
    if is_general and _raised_by_client(error):
        return TransportError(f"{server} does not answer as a chat server does: {short(error)}")
    return None


def _raised_by_client(error: Exception) -> bool:
    """Return True when a client failed to interpret an answer."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    module = str(trace.tb_frame.f_globals.get("__name__", "")) if trace else ""
    return module.partition(".")[0] in CLIENTS


def _from_connection(error: Exception, links: list[BaseException], server: str) -> ModelError:
    """Return the error for a connection that could not be made, or that ended early."""
    ours = next((link for link in links if isinstance(link, ModelError)), None)
    if ours is not None:
        return copy.copy(ours)  # An error must not become its own cause.
    names = set().union(*map(_names, links))
    if "ssl.SSLError" in names:
        told = f"{server} cannot be reached over https: does it speak https? ({short(links[-1])})"
        return TransportError(told, retryable=False)
    if "socket.gaierror" in names:
        return TransportError(f"{server} cannot be found: is the name of the host right?")
    if names & REFUSALS:
        return ConnectionRefused(f"{server} refuses the connection: is it running?")
    return TransportError(f"{server} broke the connection off ({short(error)}).")


def _from_status(error: Exception, status: int, server: str) -> ModelError:
    body = _body(error)
    whole = _words(error, body)
    if UNPARSED.search(f"{whole} {body.get('code')}"):
        wrote = WROTE.search(whole)
        raw = str(body.get("failed_generation") or (wrote and (wrote[1] or wrote[2])) or "")
        return UnreadableReply(f"{server} could not read its model's reply: {whole}", raw=raw)
    text = _on_a_line(whole)
    told = f"{body.get('type')} {body.get('code')} {text}".lower()
    if "context" in told and any(mark in told for mark in OVERFLOWS):
        needed, available = body.get("n_prompt_tokens"), body.get("n_ctx")
        return PromptCut(
            f"{server} cannot fit the prompt into its context: {text}",
            needed=needed if isinstance(needed, int) else None,
            available=available if isinstance(available, int) else None,
        )
    if status == 404 and "model" in text.lower():
        return UnknownModel(f"{server} does not have the model: {text}")
    said = f"{f'status {status}' if status > 0 else 'an error'}: {text or 'it says no more'}"
    if status != 429 and SCHEMA.search(text):
        told = f"{server} turned the answer's schema down with {said}. Ask without it: "
        return TransportError(f"{told}--set constrain=none.", retryable=False)
    if TOO_LARGE in text:
        told = f"{server} cannot load the model: {text}. Take a smaller one, or a smaller num_ctx."
        return TransportError(told, retryable=False)
    if status in TRY_AGAIN or status < 0:
        return TransportError(f"{server} answered with {said}", retry_after=_wait(error))
    return TransportError(f"{server} turned the call down with {said}", retryable=False)


def _words(error: Exception, body: dict[str, Any]) -> str:
    """Return the server's own words, in full; empty if it sent none."""
    if body.get("message") is not None:
        return str(body["message"])
    for link in _chain(error):
        # A stream that nobody has read raises a RuntimeError.
        with suppress(AttributeError, RuntimeError):
            return _words_of(getattr(link, "response", None))
    return short(error)


def _words_of(response: Any) -> str:
    """Return an error answer's message, or else its whole text."""
    try:
        body = response.json()
    except ValueError:
        return str(response.text)
    told = body.get("message") if isinstance(body, Mapping) else None
    return words_in(body) or str(told or (response.text if body else ""))


def _names(error: BaseException) -> set[str]:
    return {f"{c.__module__.partition('.')[0]}.{c.__name__}" for c in type(error).__mro__}


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield the exception and its causes; ollama's client hides its cause with `from None`."""
    link: BaseException | None = error
    while link is not None:
        yield link
        link = link.__cause__ or link.__context__


def _status(error: Exception) -> int | None:
    response = getattr(error, "response", None)
    status = getattr(error, "status_code", getattr(response, "status_code", None))
    return status if isinstance(status, int) else None


def _body(error: Exception) -> dict[str, Any]:
    """Return the error object of the server's answer, as far as the client kept it."""
    body: Any = getattr(error, "body", None)
    if not isinstance(body, dict):
        body = {"error": getattr(error, "error", None)}
    inner = body.get("error", body)
    return inner if isinstance(inner, dict) else {"message": inner}


def _wait(error: Exception) -> float | None:
    """Return the seconds of a `retry-after` header; None if there is none."""
    for link in _chain(error):
        headers = getattr(getattr(link, "response", None), "headers", None) or {}
        with suppress(KeyError, ValueError):
            seconds = float(headers["retry-after"])
            return max(0.0, seconds) if isfinite(seconds) else None
    return None
