"""Packed texts come back as they were."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.agents.chance import draw
from smolville.history.calls import Packer, Unpacker
from smolville.history.schema import TABLES


def prose(count: int, key: object) -> str:
    return " ".join(f"{draw(key, n) % 99_999:x}" for n in range(count))


def store() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(TABLES)
    return connection


@given(st.lists(st.binary(max_size=300), max_size=40))
def test_whatever_is_packed_is_unpacked(texts: list[bytes]) -> None:
    connection = store()
    packer = Packer(connection)
    packed = [packer.pack("call react", text) for text in texts]
    assert [Unpacker(connection).unpack(one) for one in packed] == texts


def test_a_dictionary_that_has_ceased_to_fit_is_renewed() -> None:
    connection = store()
    packer = Packer(connection)
    texts = [f"{prose(900, n // 60)} {n}".encode() for n in range(180)]
    packed = [packer.pack("mind", text) for text in texts]
    assert connection.execute("SELECT COUNT(*) FROM dictionaries").fetchone()[0] in (3, 4)
    assert len(packed[-1]) < len(texts[-1]) / 10
    assert [Unpacker(connection).unpack(one) for one in packed] == texts


@pytest.mark.parametrize("damage", [b"", b"\0\0", b"\0\0\0\x09rest", b"\0\0\0\x01\xff\xff\xff"])
def test_damage_is_said(damage: bytes) -> None:
    connection = store()
    Packer(connection).pack("mind", b"some mind")
    with pytest.raises(ValueError, match="damaged"):
        Unpacker(connection).unpack(damage)
