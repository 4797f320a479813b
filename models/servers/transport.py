"""Classify clients' exceptions: lost calls, refused calls, cut prompts and unreadable replies.

The clients below LangChain raise about forty kinds of exception (httpx, httpx2, openai, ollama,
langchain_core). They are recognised by the names of their classes, so that no client has to be
imported to find out that another one failed.
"""

import copy
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from http import HTTPStatus
from math import isfinite
from types import TracebackType
from typing import TYPE_CHECKING, Any

from smolville.models.errors import (
    ConnectionRefused,
    ModelError,
    PromptCut,
    RequestRefused,
    SpecError,
    TransportError,
    UnknownModel,
    UnreadableReply,
)
from smolville.models.keys import NO_KEY, OWN, hide
from smolville.models.servers.odd_answer import (
    NESTED,
    ErrorInside,
    format_error,
    on_a_line,
    short,
    words_of,
)

if TYPE_CHECKING:
    from httpx import Response

TIMEOUTS = frozenset(
    {
        "builtins.TimeoutError",
        "httpx.TimeoutException",
        "httpx2.TimeoutException",
        "openai.APITimeoutError",
        "requests.Timeout",
        "langchain_core.ModelTimeoutError",
    }
)
REFUSALS = frozenset(
    {"builtins.ConnectionRefusedError", "httpx.ConnectError", "httpx2.ConnectError"}
)
NOWHERE = "socket.gaierror"
"""Class of the exception for an unknown host name."""
UNTRUSTED = "ssl.SSLError"
"""Class of the exception if the other side has no TLS, or a certificate that this machine does not
trust."""
BREAKS = frozenset(
    {
        "builtins.ConnectionError",
        "httpx.TransportError",
        "httpx2.TransportError",
        "openai.APIConnectionError",
        "requests.ConnectionError",
        "requests.ChunkedEncodingError",
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
    r"""(?xi)
    \bparse\ input\ at\ pos\b | \bpeg-native\b | \bafter\ accepting\ piece\b
    | \binvalid\ utf-?8\ byte\b | \bXML\ syntax\ error\b
    | \bunexpected\ tokens?\ (?:\S+\ )?(?:remaining\ in|while\ expecting)\b
    | \bjson_validate_failed\b | \btool_use_failed\b | \bfailed\ to\ (?:generate|validate)\ JSON\b
    | \bmodel\ (?:has\ )?(?:produced|generated)\b
    | \b(?:pars|decod|unmarshal|validat)(?:e|ed|ing|ling)?\b[^:='"{]{0,30}?
      \b(?:(?:tool|function)[ _-]?calls?|model(?:'s)?\ (?:reply|response|answer)|generated
      |completion(?!\ request)|output(?!\ (?:schema|format|type|config)))\b
    | \b(?:output|completion|generated\ text|tool[ _-]?call)
      \ (?:could\ not|cannot|can't|does\ not|did\ not|is\ not)\b
    """
)
"""What servers say if they cannot parse what their model wrote: llama.cpp ("Failed to parse input
at pos 21: …", llama.cpp#26381), Ollama ("error parsing tool call: raw='…', err=…", "XML syntax
error on line 8"), vLLM ("unexpected tokens remaining in message header") and Groq
(`json_validate_failed`). No tools are ever sent, so a tool call is always the model's own idea."""
WROTE = re.compile(r"(?s)parsing tool call: raw='(.*)'(?:, err=|\Z)|parse input at pos 0: (.*)\Z")
"""The whole of what the model wrote, in messages of Ollama and llama.cpp. From another position
than 0, llama.cpp tells only the rest."""
SCHEMA = re.compile(r"(?i)\bschema\b|\bgrammar|response_format|invalid format|for format\b")
"""Words in the error of a server that cannot constrain a reply to a schema."""
REQUEST = re.compile(r"(?i)\bmessages\b|\broles?\b|\btemplate\b|\bjinja\b|invalid[_ ]request")
"""Words in a 500 about what was sent. It may be a whim of the server, so it is asked again, but no
longer than `models.pacing` allows."""
OVERFLOWS = ("exceed", "overflow", "maximum context length")
"""Words with which llama.cpp, LM Studio and vLLM report a prompt that is too long, if the message
also has the word `context`."""
NOTHING = ("No data received from Ollama stream", "No generation chunks were returned")
"""Texts of LangChain's ValueErrors for empty streams, which Ollama sends after only loading a
model."""
PHRASED = frozenset(map(int, HTTPStatus))
HINTS = {
    403: " Ollama answers so to a host name or an origin that OLLAMA_HOST or OLLAMA_ORIGINS does "
    "not allow."
}
"""Advice by the status of an answer without a word."""
NO_REPLY = "does not answer as a chat server does: what it sent holds no reply."
"""End of the sentence about an answer without a reply, whatever a client raises about it."""
CLIENTS = frozenset(
    {
        "httpx",
        "httpx2",
        "langchain_community",
        "langchain_core",
        "langchain_ollama",
        "langchain_openai",
        "ollama",
        "openai",
        "requests",
    }
)
"""Packages that raise general exceptions for unexpected answers: a proxy's page, half of a JSON
text, an empty one, another protocol's."""
READERS = frozenset({"codecs", "encodings", "json", "pydantic", "pydantic_core"})
"""Packages that clients use to read an answer, and whose exceptions the clients pass on."""


class TranslatedErrors:
    """Context manager that turns vendors' exceptions into `ModelError`s; others pass unchanged."""

    def __init__(self, server: str, *, key: str = "", foreign: bool = False) -> None:
        """Store the server's name for messages, and the key that no message may contain.

        `foreign` is for classes with unknown exceptions: each of them counts as a lost call.
        """
        self.server = server
        self.key = key
        self.foreign = foreign

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
        if not isinstance(error, Exception):
            return
        meaning = classify(error, self.server)
        if meaning is None and self.foreign:
            told = f"{self.server} cannot be asked: {short(error)}"
            meaning = TransportError(told, retryable=False)
        if meaning is not None:
            told = hide(str(meaning), self.key)
            meaning.args = (told[0].upper() + told[1:] if told.startswith("the ") else told,)
            raise meaning from error


def refuse_keyless(answer: "Response", server: str, key: str, variable: str) -> None:
    """Raise SpecError if a server's answer means that it wants a key, or another one.

    A 403 without a word is about something else.
    """
    told = on_a_line(hide(words_of(answer), key)) if answer.status_code in (401, 403) else ""
    if answer.status_code == 401 or told:
        wish = "wants a key" if key == NO_KEY else "wants another key"
        said = f' It says: "{told}".' if told else ""
        raise SpecError(f"{server[0].upper()}{server[1:]} {wish}: set {variable} or {OWN}.{said}")


def classify(error: Exception, server: str) -> ModelError | None:
    """Return the error about `server` that a client's exception means; None if unknown."""
    if isinstance(error, ModelError):
        return None
    inside = next((link for link in _chain(error) if isinstance(link, ErrorInside)), None)
    if inside is not None:
        return _from_status(inside, inside.status_code, server)
    status = _status(error)
    if status is not None and not 200 <= status < 300:
        return _from_status(error, status, server)
    names = _names(error)
    if names & TIMEOUTS:
        return TransportError(f"{server} did not answer in time.")
    if names & BREAKS:
        return _to_connection_error(error, server)
    is_inside = "openai.APIError" in names and isinstance(getattr(error, "body", None), dict)
    if is_inside and status is None:
        return _from_status(error, ErrorInside.status_code, server)
    if names & VENDORS and status is None:
        again = getattr(error, "retryable", False) is True
        return TransportError(f"{server} cannot be asked: {short(error)}", retryable=again)
    return _from_odd_answer(error, server)


def _from_odd_answer(error: Exception, server: str) -> ModelError | None:
    """Return the error behind a general exception about an odd answer; None for another one."""
    if isinstance(error, json.JSONDecodeError):
        return TransportError(f"{server} answered with something other than JSON.")
    if isinstance(error, ValueError) and any(mark in str(error) for mark in NOTHING):
        return TransportError(f"{server} {NO_REPLY}")
    if not _raised_by_client(error):
        return None
    if isinstance(error, RecursionError):
        return UnreadableReply(NESTED)
    if isinstance(error, LookupError | AttributeError):
        return TransportError(f"{server} {NO_REPLY}")
    if isinstance(error, ValueError | TypeError):
        if told := format_error(error):
            return TransportError(f"{server} answered with an error: {told}")
        return TransportError(f"{server} does not answer as a chat server does: {short(error)}")
    return None


def _raised_by_client(error: Exception) -> bool:
    """Return True when a client failed to interpret an answer."""
    packages = []
    trace = error.__traceback__
    while trace is not None:
        packages.append(str(trace.tb_frame.f_globals.get("__name__", "")).partition(".")[0])
        trace = trace.tb_next
    while packages and packages[-1] in READERS:
        packages.pop()
    return bool(packages) and packages[-1] in CLIENTS


def _to_connection_error(error: Exception, server: str) -> ModelError:
    """Return the error for a connection that could not be made, or that ended early.

    It may be one of ours, with which a client was stopped (`models.servers.http_client`).
    """
    links = list(_chain(error))
    ours = next((link for link in links if isinstance(link, ModelError)), None)
    if ours is not None:
        return copy.copy(ours)  # An error must not become its own cause.
    untrusted = next((link for link in links if UNTRUSTED in _names(link)), None)
    if untrusted is not None:
        told = f"{server} cannot be reached over https ({short(untrusted)}): does it speak https?"
        return TransportError(told, retryable=False)
    names = set().union(*map(_names, links))
    if NOWHERE in names:
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
    text = on_a_line(whole)
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
    if status != 429 and SCHEMA.search(text):
        with_what = status if status > 0 else "an error"
        return TransportError(
            f"{server} turned the answer's schema down with {with_what}: {text} Ask without it: "
            "--set constrain=none.",
            retryable=False,
        )
    if TOO_LARGE in text:
        told = f"{server} cannot load the model: {text}. Take a smaller one, or a smaller num_ctx."
        return TransportError(told, retryable=False)
    name = f" {HTTPStatus(status).phrase}" if status in PHRASED else ""
    rest = f": {text}" if text else f"{name} and says no more.{HINTS.get(status, '')}"
    if status in TRY_AGAIN or status < 0:
        code = f"with status {status}" if status > 0 else "with an error"
        told = f"{server} answered {code}{rest}"
        if status in (500, -1) and REQUEST.search(text):
            return RequestRefused(told)
        return TransportError(told, retry_after=_wait(error))
    return TransportError(f"{server} turned the call down with {status}{rest}", retryable=False)


def _words(error: Exception, body: dict[str, Any]) -> str:
    """Return the server's own words, in full; empty if it sent none."""
    if body.get("message") is not None:
        return str(body["message"])
    for link in _chain(error):
        # A stream that nobody has read raises a RuntimeError.
        with suppress(AttributeError, RuntimeError):
            return words_of(getattr(link, "response", None))
    return short(error)


def _names(error: BaseException) -> set[str]:
    return {f"{c.__module__.partition('.')[0]}.{c.__name__}" for c in type(error).__mro__}


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield the exception and its causes; ollama's client hides its cause with `from None`."""
    link: BaseException | None = error
    while link is not None:
        yield link
        link = link.__cause__ or link.__context__


def _status(error: Exception) -> int | None:
    status = getattr(error, "status_code", None)
    if status is None:
        status = getattr(getattr(error, "response", None), "status_code", None)
    return status if isinstance(status, int) else None


def _body(error: Exception) -> dict[str, Any]:
    """Return the error object of the server's answer, as far as the client kept it."""
    body: Any = getattr(error, "body", None)
    if not isinstance(body, dict):
        body = {"error": getattr(error, "error", None)}
    inner = body.get("error", body)
    return inner if isinstance(inner, dict) else {"message": inner}


def _wait(error: Exception) -> float | None:
    """Return the seconds of a `retry-after` header; None if there is no readable one."""
    for link in _chain(error):
        headers = getattr(getattr(link, "response", None), "headers", None)
        told = headers.get("retry-after") if headers is not None else None
        if told is not None:
            return _seconds(str(told))
    return None


def _seconds(told: str) -> float | None:
    """Return the seconds to wait, given as a number or as a date (RFC 9110, 10.2.3)."""
    from email.utils import parsedate_to_datetime

    try:
        seconds = float(told)
    except ValueError:
        try:
            when = parsedate_to_datetime(told)
        except ValueError:
            return None
        now = datetime.now(UTC) if when.tzinfo else datetime.now(UTC).replace(tzinfo=None)
        seconds = (when - now).total_seconds()
    return max(0.0, seconds) if isfinite(seconds) else None
