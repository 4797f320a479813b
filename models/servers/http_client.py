"""The arguments of every HTTP client of a model server: proxy, certificates, redirects and bounds.

Ollama's client and our own requests use httpx, OpenAI's client uses httpx2; both take these
arguments. A server may be broken, or somebody else's: so it cannot send a call on to another
server, and no answer is larger than a bound, whatever it is compressed from.
"""

import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache, partial
from importlib import import_module
from typing import Any

from smolville.models.errors import TransportError, UnreadableReply
from smolville.models.keys import origin
from smolville.models.servers.address import trust_settings

MIB = 1 << 20
MOST_BYTES = 8 * MIB
"""Bound of an answer. A streamed reply takes about 300 bytes a token, so it fits 25,000 tokens."""
MOST_VECTOR_BYTES = 64 * MIB
"""Bound of an answer with vectors."""
COMPRESSED = ("gzip", "x-gzip", "deflate")
"""Encodings that are read although every request asks for none."""
EITHER_HEADER = zlib.MAX_WBITS | 32
"""zlib's code for data with the header of gzip or of zlib."""


def client_settings(
    url: str, *hooks: Callable[[Any], None], most: int = MOST_BYTES
) -> dict[str, Any]:
    """Return the arguments of a client for the server at `url`; hooks get every response.

    Raises SpecError when the environment's proxy cannot be used.
    """
    hooked = {"request": [_ask_uncompressed], "response": [partial(_guard, most=most), *hooks]}
    return {**trust_settings(url), "event_hooks": hooked}


def async_client_settings(url: str, *hooks: Callable[[Any], Any]) -> dict[str, Any]:
    """Return the arguments of an asynchronous client, as `client_settings` does."""

    async def ask_uncompressed(request: Any) -> None:
        _ask_uncompressed(request)

    async def guard(response: Any) -> None:
        _guard(response, MOST_BYTES)

    hooked = {"request": [ask_uncompressed], "response": [guard, *hooks]}
    return {**trust_settings(url), "event_hooks": hooked}


def _ask_uncompressed(request: Any) -> None:
    request.headers["accept-encoding"] = "identity"


def _guard(response: Any, most: int) -> None:
    asked = response.request.url
    if response.has_redirect_location:
        here, there = (
            origin(str(url)) for url in (asked, asked.join(response.headers["location"]))
        )
        if here != there:
            raise TransportError(
                f"The server at {here} redirects to {there}, where no prompt is sent unless you "
                "name that server yourself.",
                retryable=False,
            )
    encoding = response.headers.pop("content-encoding", "identity").strip().lower()
    bounded = _bounded_class(type(response).__module__.partition(".")[0])
    response.stream = bounded(response.stream, encoding, most, origin(str(asked)))


class _BoundedStream:
    """A response's body, decompressed, up to a number of bytes."""

    def __init__(self, stream: Any, encoding: str, most: int, server: str) -> None:
        if encoding not in ("identity", *COMPRESSED):
            raise UnreadableReply(f"The server at {server} compresses its answers ({encoding!r}).")
        self._stream = stream
        self._unzip = zlib.decompressobj(EITHER_HEADER) if encoding in COMPRESSED else None
        self._most = self._left = most
        self._server = server

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            yield self._take(chunk)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            yield self._take(chunk)

    def _take(self, chunk: bytes) -> bytes:
        if self._unzip is not None:
            try:
                chunk = self._unzip.decompress(chunk, self._left + 1)
            except zlib.error as error:
                told = f"The answer of the server at {self._server} cannot be decompressed."
                raise UnreadableReply(told) from error
        self._left -= len(chunk)
        if self._left < 0:
            told = f"is longer than {self._most // MIB} MiB and is not read."
            raise UnreadableReply(f"The answer of the server at {self._server} {told}")
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
