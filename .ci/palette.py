"""Write a picture as a PNG of at most 256 colours: a page's flat drawing looks the same in it."""

import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

COLOURS = 256
STEP = 3
"""Bits of a channel that are left aside when colours are counted."""
SIGNATURE = b"\x89PNG\r\n\x1a\n"
Pixels = NDArray[np.uint8]


def write_png(path: Path, pixels: Pixels) -> None:
    """Write pixels, an array of rows of red, green and blue."""
    high, wide, _ = pixels.shape
    palette, numbers = _painted(pixels.reshape(-1, 3))
    # Every row begins with the number of its filter; flat colours need none.
    rows = np.pad(numbers.reshape(high, wide), ((0, 0), (1, 0))).tobytes()
    head = struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)
    parts = (
        (b"IHDR", head),
        (b"PLTE", palette.tobytes()),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    )
    path.write_bytes(SIGNATURE + b"".join(_chunk(kind, body) for kind, body in parts))


def _painted(pixels: Pixels) -> tuple[Pixels, Pixels]:
    """Return a palette, and for every pixel the number of its colour there (median cut)."""
    coarse = (pixels >> STEP).astype(np.int64)
    keys = (coarse[:, 0] << 16) | (coarse[:, 1] << 8) | coarse[:, 2]
    _, where, many = np.unique(keys, return_inverse=True, return_counts=True)
    sums = [np.bincount(where, weights=pixels[:, channel]) for channel in range(3)]
    colours = np.stack(sums, axis=1) / many[:, None]
    boxes = _boxes(colours, many.astype(np.float64))
    palette = np.zeros((len(boxes), 3))
    number_of = np.zeros(len(colours), np.uint8)
    for number, box in enumerate(boxes):
        palette[number] = np.average(colours[box], axis=0, weights=many[box])
        number_of[box] = number
    return palette.round().astype(np.uint8), number_of[where]


def _boxes(colours: NDArray[np.float64], many: NDArray[np.float64]) -> list[NDArray[np.int64]]:
    """Return the colours in groups, cut in two where they differ most until there are enough."""
    boxes = [np.arange(len(colours))]
    errors = [_error(colours[boxes[0]], many[boxes[0]])]
    while len(boxes) < min(COLOURS, len(colours)):
        worst = int(np.argmax([error.max() for error in errors]))
        box, channel = boxes.pop(worst), int(errors.pop(worst).argmax())
        values, weights = colours[box, channel], many[box]
        is_low = values <= np.average(values, weights=weights)
        for part in (box[is_low], box[~is_low]):
            boxes.append(part)
            errors.append(_error(colours[part], many[part]))
    return boxes


def _error(colours: NDArray[np.float64], many: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how much a group differs from its mean, a channel each."""
    # The square root keeps small things, a face or a mark, from being outvoted by lawns.
    weights = np.sqrt(many)[:, None]
    mean = (colours * weights).sum(axis=0) / weights.sum()
    return np.asarray((weights * (colours - mean) ** 2).sum(axis=0))


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
