"""A notebook collects what a thought remembers; the stream stays as it was."""

import pytest

from agents.memory import LIFETIME_SECONDS
from tests.fixtures.scripted import Around
from tests.graphs.minds import memory, notebook, stream_of

AROUND = Around(tick=50)


def _notes(*memories):
    return notebook(stream_of(memories), AROUND)


def test_ids_count_by_step_and_use():
    notes = _notes()
    made = [
        notes.remember("event", "One.", step="perceive"),
        notes.remember("event", "Two.", step="perceive"),
        notes.remember("event", "Three.", step="act"),
        notes.remember("event", "Four.", step="perceive", ordinal=1),
    ]
    assert [each.id for each in made] == [
        "Ada Brook/50/perceive/0/0",
        "Ada Brook/50/perceive/0/1",
        "Ada Brook/50/act/0/0",
        "Ada Brook/50/perceive/1/0",
    ]
    assert notes.memories == made and len(notes.stream) == 0


def test_a_memory_is_dated_and_will_expire():
    made = _notes().remember("event", "One.", step="x", triple=("Ben", "is", "here"))
    assert (made.created, made.accessed, made.tick) == (500, 500, 50)
    assert made.expires == 500 + LIFETIME_SECONDS
    assert (made.subject, made.predicate, made.object) == ("Ben", "is", "here")


def test_the_same_text_strengthens_whether_old_or_of_this_thought():
    past = memory(0, "Old.")
    notes = _notes(past)
    assert notes.remember("event", "Old.", step="x") is None
    new = notes.remember("event", "New.", step="x")
    assert notes.remember("thought", "New.", step="y") is None
    assert [(each.id, each.kind) for each in notes.changes] == [
        (past.id, "strengthen"),
        (new.id, "strengthen"),
    ]
    assert notes.memories == [new]


def test_what_has_expired_is_remembered_anew():
    notes = _notes(memory(0, "Old.", expires=500))
    assert notes.remember("event", "Old.", step="x") is not None


def test_a_thought_is_one_deeper_than_what_it_rests_on():
    past = [memory(0, "a", depth=0), memory(1, "b", kind="thought", depth=3)]
    notes = _notes(*past)
    ids = [each.id for each in past]
    deep = notes.remember("thought", "c", step="x", evidence=ids)
    assert (deep.depth, deep.evidence) == (4, tuple(ids))
    assert notes.remember("thought", "d", step="x", evidence=[deep.id]).depth == 5
    assert notes.remember("thought", "e", step="x").depth == 1
    assert notes.remember("event", "f", step="x", evidence=ids).depth == 0


def test_a_memory_is_found_by_id_in_the_stream_and_in_this_thought():
    past = memory(0, "Old.")
    notes = _notes(past)
    new = notes.remember("event", "New.", step="x")
    assert (notes.get(past.id), notes.get(new.id)) == (past, new)
    with pytest.raises(KeyError):
        notes.get("Ada Brook/9/x/0/0")


def test_the_latest_have_this_thoughts_own_last():
    notes = _notes(memory(0, "a"), memory(1, "b", kind="thought"))
    notes.remember("event", "c", step="x")
    assert [each.text for each in notes.latest(2)] == ["b", "c"]
    assert [each.text for each in notes.latest(9, ("event",))] == ["a", "c"]


async def test_recall_reads_the_stream_as_the_thought_began():
    notes = _notes(memory(0, "Leek soup."), memory(1, "Rain and wind."))
    notes.remember("event", "More leek soup.", step="x")
    found = await notes.recall(["soup", "soup with leek"], 5)
    assert [each.memory.text for each in found] == ["Leek soup.", "Rain and wind."]


async def test_several_questions_bring_each_memory_back_once_at_its_best():
    notes = _notes(memory(0, "Leek soup."), memory(1, "Rain and wind."))
    found = await notes.recall(["soup", "rain"], 5)
    assert [each.relevance for each in found] == [1.0, 1.0]
    assert [each.memory.id for each in found] == sorted(each.memory.id for each in found)


async def test_looking_twice_is_one_access():
    notes = _notes(memory(0, "Leek soup."))
    await notes.recall(["soup"], 5)
    await notes.recall(["leek"], 5)
    assert [(each.kind, each.at) for each in notes.changes] == [("access", 500)]
    (past,) = notes.stream
    assert past.accessed == 0, "what was looked at is known to the commit, not to this thought"
