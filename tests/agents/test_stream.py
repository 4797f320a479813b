"""A memory stream keeps its memories in order, and finds them by id and by text."""

import numpy as np

from smolville.agents.memory import Change, Memory
from smolville.agents.stream import MemoryStream

VECTOR = np.ones(3, np.float32)


def _memory(n, text=None, kind="event", **more):
    return Memory(id=f"a/{n}", agent="Ada Brook", kind=kind, text=text or f"text {n}",
                  created=n, tick=n, accessed=n, **more)  # fmt: skip


def _stream(*memories):
    stream = MemoryStream("Ada Brook", 3)
    for memory in memories:
        stream.add(memory, VECTOR)
    return stream


def test_memories_stay_in_the_order_in_which_they_came():
    memories = [_memory(n) for n in range(300)]
    stream = _stream(*memories)
    assert len(stream) == 300 and list(stream) == memories
    assert stream.get("a/299") == memories[299]


def test_a_text_is_found_until_it_expires():
    stream = _stream(_memory(1, "Soup.", expires=100), _memory(2, "Bread."))
    found = stream.with_text("Soup.", 99)
    assert found is not None and found.id == "a/1"
    assert stream.with_text("Soup.", 100) is None
    assert stream.with_text("soup.", 99) is None


def test_the_latest_memories_come_oldest_first_and_by_kind():
    stream = _stream(*(_memory(n, kind="thought" if n % 2 else "event") for n in range(6)))
    assert [each.id for each in stream.latest(2)] == ["a/4", "a/5"]
    assert [each.id for each in stream.latest(2, ("event",))] == ["a/2", "a/4"]
    assert [each.id for each in stream.latest(9, ("talk",))] == []


def test_a_change_is_seen_by_id_by_text_and_in_order():
    stream = _stream(_memory(1), _memory(2))
    stream.apply(Change(id="a/1", kind="rate", tick=3, at=30, value=7))
    found = stream.with_text("text 1", 50)
    assert found is not None and found.importance == 7
    assert [each.importance for each in stream] == [7, None]
