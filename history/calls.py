"""Storage of calls, and the compression of their long texts and of minds.

Calls are stored at once under their key. Calls that were given up because the server went away for
good are stored separately, with only the errors of the lost calls. They do not count as calls of a
step; the same question does count when it is asked again after the run is resumed.

Prompts of one step, and the minds of one agent, are nearly alike. Each large text is compressed
(zlib, level 3) with an earlier one of its kind as dictionary: a call of 7 kB becomes 1 kB, in 50
microseconds, less than without a dictionary. A dictionary is a row of its own that is never changed
or removed, so every packed text can be read alone, whatever rows around it are removed.

For models with several servers, a table tells which servers answered or lost a call. It is not part
of the digest: which server was free depends on timing, and changes nothing in the town.
"""

import sqlite3
import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields
from json import dumps, loads
from operator import attrgetter
from typing import Any, NamedTuple

from smolville.graphs.loop.ledger import Call, CallKey

_HEAD = struct.Struct(">I")
_WINDOW = 32_000
"""Maximum size of a dictionary in bytes: zlib does not look back further."""
_RENEW_AFTER = 24
"""Number of texts that a dictionary must have packed before it may be replaced by a better one."""
_FITS = 6
"""Compression factor below which a dictionary is replaced."""


class Packer:
    """Packs texts; a new dictionary is written in the same transaction as its first use."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._current: dict[str, tuple[int, bytes, int]] = {}

    def forget(self) -> None:
        """Forget the current dictionaries; called after their transaction was rolled back."""
        self._current.clear()

    def pack(self, kind: str, data: bytes) -> bytes:
        """Return `data` packed with the current dictionary of its kind."""
        number, dictionary, uses = self._current.get(kind) or self._latest(kind, data)
        squeezer = zlib.compressobj(3, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, dictionary)
        packed = _HEAD.pack(number) + squeezer.compress(data) + squeezer.flush()
        self._current[kind] = (number, dictionary, uses + 1)
        if uses >= _RENEW_AFTER and len(packed) * _FITS > len(data):
            self._current[kind] = self._renew_dictionary(kind, data)
        return packed

    def _latest(self, kind: str, data: bytes) -> tuple[int, bytes, int]:
        row = self._connection.execute(
            "SELECT id, body FROM dictionaries WHERE kind = ? ORDER BY id DESC LIMIT 1", (kind,)
        ).fetchone()
        return (row[0], zlib.decompress(row[1]), 0) if row else self._renew_dictionary(kind, data)

    def _renew_dictionary(self, kind: str, data: bytes) -> tuple[int, bytes, int]:
        body = data[-_WINDOW:]
        cursor = self._connection.execute(
            "INSERT INTO dictionaries (kind, body) VALUES (?, ?)", (kind, zlib.compress(body, 6))
        )
        return int(cursor.lastrowid or 0), body, 0


class Unpacker:
    """Unpacks texts; dictionaries stay in memory once read."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._known: dict[int, bytes] = {}

    def unpack(self, packed: bytes) -> bytes:
        """Return the unpacked data; raise ValueError when it is damaged."""
        try:
            (number,) = _HEAD.unpack_from(packed)
            reader = zlib.decompressobj(-15, self._dictionary(number))
            return reader.decompress(packed[_HEAD.size :]) + reader.flush()
        except (zlib.error, struct.error, ValueError) as error:
            raise ValueError(f"a packed text is damaged: {error}") from error

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


_TEXTS = (
    "messages",
    "inputs",
    "recalled",
    "schema",
    "reply",
    "thinking",
    "examples",
    "lost",
)
_KEY = tuple(item.name for item in fields(CallKey))
_BESIDE = ("server", "lost_by")
"""Fields that are kept in a table of their own."""
_PLAIN = tuple(item.name for item in fields(Call) if item.name not in (*_TEXTS, *_BESIDE, "key"))
_COLUMNS = (*_KEY, *_PLAIN, "texts")

_KEEP = (
    f"INSERT OR REPLACE INTO calls ({', '.join(_COLUMNS)}) "  # noqa: S608
    f"VALUES ({', '.join('?' * len(_COLUMNS))})"
)
LISTING = ", ".join(_COLUMNS)
"""The column list of a SELECT whose rows go to `read_call`."""
_BY_KEY = (
    f"SELECT {LISTING} FROM calls "  # noqa: S608
    "WHERE owner = ? AND tick = ? AND step = ? AND ordinal = ? AND attempt = ?"
)
_OF_OWNER = f"SELECT {LISTING} FROM calls WHERE owner = ? AND tick = ?"  # noqa: S608

_key_cells = attrgetter(*_KEY)
_plain_cells = attrgetter(*_PLAIN)
_long_texts = attrgetter(*_TEXTS)


def keep_call(connection: sqlite3.Connection, packer: Packer, call: Call) -> None:
    """Write a call; an earlier call with the same key, which asked something else, is replaced."""
    texts = dumps(_long_texts(call), ensure_ascii=False).encode("utf-8", "surrogatepass")
    packed = packer.pack(f"call {call.key.step}", texts)
    connection.execute(_KEEP, (*_key_cells(call.key), *_plain_cells(call), packed))
    keep_servers(connection, call)


def find_call(connection: sqlite3.Connection, unpacker: Unpacker, key: CallKey) -> Call | None:
    """Return the call stored under `key`, else None."""
    cells = connection.execute(_BY_KEY, _key_cells(key)).fetchone()
    return None if cells is None else read_call(cells, unpacker)


def calls_of(
    connection: sqlite3.Connection, unpacker: Unpacker, owner: str, tick: int
) -> list[Call]:
    """Return all calls of one owner at a tick."""
    rows = connection.execute(_OF_OWNER, (owner, tick)).fetchall()
    return [read_call(cells, unpacker) for cells in rows]


def read_call(cells: Iterable[Any], unpacker: Unpacker) -> Call:
    """Return the call in a row selected with `LISTING`."""
    values = dict(zip(_COLUMNS, cells, strict=True))
    key = CallKey(**{name: values.pop(name) for name in _KEY})
    packed = unpacker.unpack(values.pop("texts"))
    texts = loads(packed.decode("utf-8", "surrogatepass"))
    return Call(key=key, **values, **dict(zip(_TEXTS, texts, strict=True)))


_KEEP_GIVEN_UP = (
    "INSERT INTO given_up (agent, owner, tick, step, model, lost) VALUES (?, ?, ?, ?, ?, ?)"
)
_ALL_GIVEN_UP = (
    "SELECT agent, owner, tick, step, model, lost FROM given_up ORDER BY tick, agent, rowid"
)


class GivenUp(NamedTuple):
    """A question that no server answered."""

    agent: str
    owner: str
    """The agent, or the id of the talk."""
    tick: int
    step: str
    model: str
    lost: tuple[str, ...]
    """A sentence on what went wrong each time the question was asked."""


def keep_given_up(connection: sqlite3.Connection, call: Call) -> None:
    """Write a question that was given up, with the errors of its lost calls."""
    key = call.key
    connection.execute(
        _KEEP_GIVEN_UP, (call.agent, key.owner, key.tick, key.step, call.model, call.lost)
    )
    keep_servers(connection, call)


def given_up(connection: sqlite3.Connection) -> Iterator[GivenUp]:
    """Yield every question that was given up, by tick and agent."""
    for agent, owner, tick, step, model, lost in connection.execute(_ALL_GIVEN_UP):
        sentences = tuple(str(sentence) for sentence in loads(lost))
        yield GivenUp(agent, owner, tick, step, model, sentences)


SERVERS = "call_servers"
_NOT_ANSWERED = f"""
UPDATE {SERVERS} SET answered = 0
WHERE owner = ? AND tick = ? AND step = ? AND ordinal = ? AND attempt = ?
"""  # noqa: S608
_KEEP_SERVER = f"""
INSERT INTO {SERVERS} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (owner, tick, step, ordinal, attempt, server)
DO UPDATE SET answered = excluded.answered, lost = lost + excluded.lost
"""  # noqa: S608


def keep_servers(connection: sqlite3.Connection, call: Call) -> None:
    """Write which servers lost a call and which one answered, inside the caller's transaction.

    If a call is answered again, the answering server is replaced; earlier losses still count.
    """
    key = call.key
    place = (key.owner, key.tick, key.step, key.ordinal, key.attempt)
    connection.execute(_NOT_ANSWERED, place)
    lost = Counter(call.lost_by)
    for server in dict.fromkeys((*call.lost_by, call.server)):
        if server:
            is_answer = server == call.server
            row = (*place, call.agent, call.model, server, is_answer, lost[server])
            connection.execute(_KEEP_SERVER, row)


LOSSES = f"""
SELECT {SERVERS}.agent, owner, tick, step, model, server,
    COALESCE({SERVERS}.attempt < steps.attempts, 0), lost
FROM {SERVERS} LEFT JOIN steps USING (owner, tick, step, ordinal)
WHERE lost > 0 AND tick <= ? ORDER BY owner, tick, step, ordinal, attempt, server
"""  # noqa: S608
"""Query for how often each server lost each call up to a tick; no rows for a single server."""


ANSWERED = f"(SELECT * FROM {SERVERS} WHERE answered) AS answered"  # noqa: S608
"""SQL for a table `answered`: a call's key, and the server that answered it."""


def servers_of(
    connection: sqlite3.Connection, where: str, given: Iterable[object]
) -> dict[CallKey, str]:
    """Return the servers that answered calls; none for a model with a single server."""
    columns = "owner, tick, step, ordinal, attempt, server"
    query = f"SELECT {columns} FROM {SERVERS} {where} AND answered"  # noqa: S608
    return {
        CallKey(owner=owner, tick=tick, step=step, ordinal=ordinal, attempt=attempt): server
        for owner, tick, step, ordinal, attempt, server in connection.execute(query, tuple(given))
    }
