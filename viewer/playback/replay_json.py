"""Parts of a run's replay data as JSON, plain and compressed."""

import zlib
from typing import Any

import orjson

_GZIP = 16 + zlib.MAX_WBITS
_LEVEL = 4


def plain_json(part: Any) -> bytes:
    """Return a part as JSON."""
    return orjson.dumps(part)


def compressed(body: bytes) -> bytes:
    """Return a body compressed with gzip."""
    squeezer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    return squeezer.compress(body) + squeezer.flush()
