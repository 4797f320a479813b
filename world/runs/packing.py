"""Large texts kept small: compressed against an earlier text of the same kind.

Prompts of one step, and one agent's minds, are nearly alike. Each is compressed (zlib, level 3)
with such an earlier one as dictionary: a call of 7 kB becomes 1 kB, in 50 microseconds, less than
without. A dictionary is a row of its own that nothing ever changes or removes, so every packed
text can be read alone, whatever is cut away around it.
"""

import sqlite3
import struct
import zlib

from agents.errors import RunError

_HEAD = struct.Struct(">I")
_WINDOW = 32_000
"""zlib looks back this far: more of a dictionary is of no use."""
_RENEW_AFTER = 24
"""Texts before a dictionary may be renewed; one is renewed when it has ceased to fit."""
_FITS = 6
"""A dictionary fits when it makes a text this many times smaller."""


class Packer:
    """Writes packed texts; the dictionaries lie in the same transaction as their first use."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._current: dict[str, tuple[int, bytes, int]] = {}

    def forget(self) -> None:
        """Forget the dictionaries held: the transaction that wrote one was rolled back."""
        self._current.clear()

    def pack(self, kind: str, data: bytes) -> bytes:
        """Return `data` packed against the present dictionary of its kind."""
        number, dictionary, uses = self._current.get(kind) or self._latest(kind, data)
        squeezer = zlib.compressobj(3, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, dictionary)
        packed = _HEAD.pack(number) + squeezer.compress(data) + squeezer.flush()
        self._current[kind] = (number, dictionary, uses + 1)
        if uses >= _RENEW_AFTER and len(packed) * _FITS > len(data):
            self._current[kind] = self._renewed(kind, data)
        return packed

    def _latest(self, kind: str, data: bytes) -> tuple[int, bytes, int]:
        row = self._connection.execute(
            "SELECT id, body FROM dictionaries WHERE kind = ? ORDER BY id DESC LIMIT 1", (kind,)
        ).fetchone()
        return (row[0], zlib.decompress(row[1]), 0) if row else self._renewed(kind, data)

    def _renewed(self, kind: str, data: bytes) -> tuple[int, bytes, int]:
        body = data[-_WINDOW:]
        cursor = self._connection.execute(
            "INSERT INTO dictionaries (kind, body) VALUES (?, ?)", (kind, zlib.compress(body, 6))
        )
        return int(cursor.lastrowid or 0), body, 0


class Unpacker:
    """Reads packed texts; dictionaries are kept once read."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._known: dict[int, bytes] = {}

    def unpack(self, packed: bytes) -> bytes:
        """Return what was packed; RunError when it is damaged."""
        try:
            (number,) = _HEAD.unpack_from(packed)
            reader = zlib.decompressobj(-15, self._dictionary(number))
            return reader.decompress(packed[_HEAD.size :]) + reader.flush()
        except (zlib.error, struct.error, ValueError) as error:
            raise RunError(f"a packed text of the history is damaged: {error}") from error

    def _dictionary(self, number: int) -> bytes:
        known = self._known.get(number)
        if known is None:
            row = self._connection.execute(
                "SELECT body FROM dictionaries WHERE id = ?", (number,)
            ).fetchone()
            if row is None:
                raise ValueError(f"dictionary {number} is missing")
            known = self._known[number] = zlib.decompress(row[0])
        return known
