"""Compressed JSON responses."""

import zlib
from typing import Any

import orjson
from fastapi import Request, Response

SMALL = 1000
"""Size in bytes below which compression is not worthwhile."""
_GZIP = 16 + zlib.MAX_WBITS
_LEVEL = 4


def json_reply(request: Request, found: Any, status: int = 200) -> Response:
    """Return a JSON response, compressed if the client accepts it."""
    body = orjson.dumps(found)
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if len(body) >= SMALL and "gzip" in request.headers.get("accept-encoding", ""):
        body = _squeezed(body)
        headers["Content-Encoding"] = "gzip"
    return Response(body, status, headers, "application/json")


def refusal(request: Request, status: int, sentence: str) -> Response:
    """Return an error response: `{"detail": "a sentence"}`."""
    return json_reply(request, {"detail": sentence}, status)


def _squeezed(body: bytes) -> bytes:
    """Return a body compressed with gzip."""
    squeezer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    return squeezer.compress(body) + squeezer.flush()
