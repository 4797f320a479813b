"""The mean colour of every tile of a tileset's image, which is how the tile looks from afar.

Reads PNG files with 8 bits for each channel and without interlacing, like Tiled's tilesets.
"""

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.int64]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_MOST_PIXELS = 16_000_000


def mean_colours(path: Path, tile: tuple[int, int], margin: int, spacing: int) -> list[str]:
    """Return `#rrggbb` for each tile of an image, row by row; empty for a transparent tile.

    `tile` is the width and height of a tile in pixels. Raises ValueError if the image has another
    format, OSError if the file is missing.
    """
    pixels = read_png(path)
    width, height = tile
    return [
        _mean(pixels[top : top + height, left : left + width].reshape(-1, 4))
        for top in range(margin, pixels.shape[0] - height - margin + 1, height + spacing)
        for left in range(margin, pixels.shape[1] - width - margin + 1, width + spacing)
    ]


def read_png(path: Path) -> Pixels:
    """Return an image's pixels, indexed as (row, column, red/green/blue/alpha)."""
    chunks = list(_chunks(path.read_bytes()))
    head = next((body for kind, body in chunks if kind == b"IHDR"), b"")
    if len(head) != 13:
        raise ValueError(f"{path.name} is no PNG image")
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", head)
    if depth != 8 or colour not in _CHANNELS or interlaced or not 0 < width * height < _MOST_PIXELS:
        raise ValueError(f"{path.name} is no plain 8-bit PNG image")
    channels = _CHANNELS[colour]
    size = height * (width * channels + 1)
    packed = b"".join(body for kind, body in chunks if kind == b"IDAT")
    try:
        raw = zlib.decompressobj().decompress(packed, size)
    except zlib.error as error:
        raise ValueError(f"{path.name} is damaged: {error}") from None
    if len(raw) != size:
        raise ValueError(f"{path.name} is damaged: it ends early")
    lines = np.frombuffer(raw, np.uint8).reshape(height, -1)
    values = _undo_filters(lines, channels).reshape(height, width, channels)
    return _as_rgba(values, colour, dict(chunks))


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield (kind, body) of a PNG file's chunks."""
    at = len(_SIGNATURE)
    while data.startswith(_SIGNATURE) and at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        at += length + 12


def _undo_filters(lines: npt.NDArray[np.uint8], channels: int) -> Pixels:
    """Return the bytes of all lines with PNG's filters undone (PNG specification, section 9)."""
    above = [0] * (lines.shape[1] - 1)
    done: list[list[int]] = []
    for line in lines.tolist():
        kind, values = line[0], line[1:]
        if kind == 2:
            values = [(value + up) & 255 for value, up in zip(values, above, strict=True)]
        elif kind:
            for at in range(len(values)):
                left = values[at - channels] if at >= channels else 0
                corner = above[at - channels] if at >= channels else 0
                values[at] = (values[at] + _guess(kind, left, above[at], corner)) & 255
        done.append(values)
        above = values
    return np.array(done, np.int64)


def _guess(kind: int, left: int, up: int, corner: int) -> int:
    """Return the value that a filter predicts for a byte: left, mean, or Paeth's choice."""
    if kind == 1:
        return left
    if kind == 3:
        return (left + up) // 2
    from_left, from_up = abs(up - corner), abs(left - corner)
    from_corner = abs(left + up - corner - corner)
    if from_left <= from_up and from_left <= from_corner:
        return left
    return up if from_up <= from_corner else corner


def _as_rgba(values: Pixels, colour: int, chunks: dict[bytes, bytes]) -> Pixels:
    """Return pixels of any kind as red, green, blue and alpha."""
    if colour == 3:
        table = np.frombuffer(chunks.get(b"PLTE", b""), np.uint8).reshape(-1, 3)
        clear = np.frombuffer(chunks.get(b"tRNS", b""), np.uint8)
        alpha = np.full(len(table), 255, np.int64)
        alpha[: len(clear)] = clear
        palette = np.column_stack([table, alpha])
        if values.max() >= len(palette):
            raise ValueError("the image names a colour that its palette does not have")
        return palette[values[:, :, 0]]
    opaque = np.full((*values.shape[:2], 1), 255, np.int64)
    has_alpha = colour in (4, 6)
    shades = values[:, :, :-1] if has_alpha else values
    shades = np.repeat(shades, 3, axis=2) if shades.shape[2] == 1 else shades
    return np.concatenate([shades, values[:, :, -1:] if has_alpha else opaque], axis=2)


def _mean(pixels: Pixels) -> str:
    """Return the mean colour of pixels, weighted by opacity."""
    weight = int(pixels[:, 3].sum())
    if not weight:
        return ""
    red, green, blue = (
        int((pixels[:, channel] * pixels[:, 3]).sum()) // weight for channel in range(3)
    )
    return f"#{red:02x}{green:02x}{blue:02x}"
