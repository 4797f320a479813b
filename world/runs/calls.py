"""Calls on disk: kept at once under their key, their long texts packed together.

Those that were given up, since the server went away for good, are kept apart, with nothing but what
was lost. They are no calls of any step, and the same question, asked when the run goes on, is one.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import fields
from json import dumps, loads
from operator import attrgetter
from typing import Any, NamedTuple

from graphs.loop.ledger import Call, CallKey
from world.runs.packing import Packer, Unpacker

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
_PLAIN = tuple(item.name for item in fields(Call) if item.name not in (*_TEXTS, "key"))
_COLUMNS = (*_KEY, *_PLAIN, "texts")

_KEEP = (
    f"INSERT OR REPLACE INTO calls ({', '.join(_COLUMNS)}) "  # noqa: S608
    f"VALUES ({', '.join('?' * len(_COLUMNS))})"
)
LISTING = ", ".join(_COLUMNS)
"""The columns as a SELECT lists them for `read_call`."""
_BY_KEY = (
    f"SELECT {LISTING} FROM calls "  # noqa: S608
    "WHERE owner = ? AND tick = ? AND step = ? AND ordinal = ? AND attempt = ?"
)

_key_cells = attrgetter(*_KEY)
_plain_cells = attrgetter(*_PLAIN)
_long_texts = attrgetter(*_TEXTS)


def keep_call(connection: sqlite3.Connection, packer: Packer, call: Call) -> None:
    """Write a call; one under the same key that asked something else gives way."""
    texts = dumps(_long_texts(call), ensure_ascii=False).encode("utf-8", "surrogatepass")
    packed = packer.pack(f"call {call.key.step}", texts)
    connection.execute(_KEEP, (*_key_cells(call.key), *_plain_cells(call), packed))


def find_call(connection: sqlite3.Connection, unpacker: Unpacker, key: CallKey) -> Call | None:
    """Return the call kept under `key`, else None."""
    cells = connection.execute(_BY_KEY, _key_cells(key)).fetchone()
    return None if cells is None else read_call(cells, unpacker)


def read_call(cells: Iterable[Any], unpacker: Unpacker) -> Call:
    """Return the call that lies in the cells of `LISTING`."""
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
    """One question that a server never answered."""

    agent: str
    owner: str
    """The agent, or the talk."""
    tick: int
    step: str
    model: str
    lost: tuple[str, ...]
    """What went wrong each time it was asked, a sentence each."""


def keep_given_up(connection: sqlite3.Connection, call: Call) -> None:
    """Write a question that was given up, with what was lost on the way."""
    key = call.key
    connection.execute(
        _KEEP_GIVEN_UP, (call.agent, key.owner, key.tick, key.step, call.model, call.lost)
    )


def given_up(connection: sqlite3.Connection) -> Iterator[GivenUp]:
    """Yield every question that was given up, by tick and agent."""
    for agent, owner, tick, step, model, lost in connection.execute(_ALL_GIVEN_UP):
        sentences = tuple(str(sentence) for sentence in loads(lost))
        yield GivenUp(agent, owner, tick, step, model, sentences)
