"""The arguments of every HTTP client of a model server: proxy, certificates, redirects and bounds.

Ollama's client and our own requests use httpx, OpenAI's client uses httpx2; both take these
arguments. A server may be broken, or somebody else's: so no redirect is followed, and no answer is
larger than a bound.
"""

import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache, partial
from importlib import import_module
from typing import Any

from smolville.models.errors import UnreadableReply
from smolville.models.servers.address import is_loopback

MOST_BYTES = 8 << 20
"""Bound of an answer. A streamed reply takes about 300 bytes a token, so it fits 25,000 tokens."""
MOST_VECTOR_BYTES = 64 << 20
"""Bound of an answer with vectors."""


def client_settings(
    url: str, *hooks: Callable[[Any], None], most: int = MOST_BYTES
) -> dict[str, Any]:
    """Return the arguments of a client for the server at `url`; hooks get every response."""
    bound = partial(_bound, most=most)
    return {**_ways(url), "event_hooks": {"request": [_ask_plain], "response": [bound, *hooks]}}


def async_client_settings(url: str, *hooks: Callable[[Any], Any]) -> dict[str, Any]:
    """Return the arguments of an asynchronous client, as `client_settings` does."""

    async def ask_plain(request: Any) -> None:
        _ask_plain(request)

    async def bound(response: Any) -> None:
        _bound(response, MOST_BYTES)

    return {**_ways(url), "event_hooks": {"request": [ask_plain], "response": [bound, *hooks]}}


def _ways(url: str) -> dict[str, Any]:
    """Return whether the environment's proxy is used, and which certificates are read.

    This machine is never reached through a proxy, and by plain HTTP without certificates, whose
    reading takes tens of milliseconds for each client.
    """
    if not is_loopback(url):
        return {"follow_redirects": False}
    plain = url.startswith("http:")
    verify = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if plain else True
    return {"follow_redirects": False, "trust_env": False, "verify": verify}


def _ask_plain(request: Any) -> None:
    """Ask for an answer that is not compressed: a small one may unpack to a very large one."""
    request.headers["accept-encoding"] = "identity"


def _bound(response: Any, most: int) -> None:
    where = response.request.url.host
    packed = response.headers.get("content-encoding", "identity").strip().lower()
    if packed != "identity":
        raise UnreadableReply(f"The server at {where} compresses its answers ({packed!r}).")
    bounded = _bounded_class(type(response).__module__.partition(".")[0])
    response.stream = bounded(response.stream, most, where)


class _BoundedStream:
    """A response's body, up to a number of bytes."""

    def __init__(self, stream: Any, most: int, where: str) -> None:
        self._stream, self._left, self._where = stream, most, where

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            yield self._take(chunk)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            yield self._take(chunk)

    def _take(self, chunk: bytes) -> bytes:
        self._left -= len(chunk)
        if self._left < 0:
            raise UnreadableReply(f"The answer of the server at {self._where} is too long to read.")
        return chunk

    def close(self) -> None:
        self._stream.close()

    async def aclose(self) -> None:
        await self._stream.aclose()


@cache
def _bounded_class(package: str) -> type:
    """Return the class for httpx or httpx2, each of which takes only streams of its own classes."""
    http = import_module(package)
    bases = (_BoundedStream, http.SyncByteStream, http.AsyncByteStream)
    return type("BoundedStream", bases, {})
