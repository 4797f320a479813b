"""A stream that reads texts from the history gives what one with all texts at hand gives."""

import pytest

from smolville.agents.errors import SmolvilleError
from smolville.agents.memory import Change
from smolville.agents.persona import Weights
from smolville.agents.stream import MemoryStream
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.records import CommitBatch
from tests.history.made_up import CAST, embed, memory

WHO = CAST[0]
ROWS = [memory(tick, WHO, n) for tick in range(20) for n in range(2)]


@pytest.fixture(autouse=True)
def _little_is_kept(monkeypatch):
    monkeypatch.setattr("smolville.agents.memory_records.KEPT", 3)


def _changes(row, at):
    yield Change(id=row.id, kind="access", tick=21, at=at)
    yield Change(id=row.id, kind="rate", tick=21, at=at, value=9)
    yield Change(id=row.id, kind="strengthen", tick=21, at=at + 5)


def _filled(stream, rows):
    for row, vector in zip(rows, embed([row.text for row in rows]), strict=True):
        stream.add(row, vector)
    for row in rows[::4]:
        for change in _changes(row, 5_000):
            stream.apply(change)
    stream.apply(Change(id=rows[1].id, kind="expire", tick=22, at=100))
    return stream


@pytest.fixture
def written(folder: RunFolder):
    """A history with all memories, none of them changed."""
    with History(folder) as history:
        history.commit(CommitBatch(tick=20, at=200, agents=CAST, memories=ROWS))
        yield history


def test_all_that_a_stream_gives_is_the_same_with_texts_read_when_needed(written):
    held = _filled(MemoryStream(WHO, 8), ROWS)
    read = _filled(MemoryStream(WHO, 8, source=written.memory_source()), ROWS)
    assert list(read) == list(held)
    assert [read.get(row.id) for row in ROWS] == [held.get(row.id) for row in ROWS]
    assert read.latest(7) == held.latest(7)
    assert [read.with_text(row.text, 50) for row in ROWS] == [
        held.with_text(row.text, 50) for row in ROWS
    ]
    for query in embed(["soup", "the third of them", ROWS[5].text]):
        asked = (query, 9_000, 10, Weights(), 0.995)
        assert read.recall(*asked) == held.recall(*asked)
    assert read.get(ROWS[0].id).importance == 9 and read.get(ROWS[0].id).strength == 2


def test_a_history_that_cannot_be_read_is_told_to_the_operator(written):
    stream = _filled(MemoryStream(WHO, 8, source=written.memory_source()), ROWS)
    written._connection.execute("UPDATE memories SET keywords = 'no list'")
    with pytest.raises(SmolvilleError, match="damaged"):
        list(stream)
