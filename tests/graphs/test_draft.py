"""A draft collects what a thought remembers; the stream stays as it was, and so does each draft."""

from smolville.agents.memory import LIFETIME_SECONDS
from smolville.graphs.draft import Draft
from smolville.graphs.recall import recall
from tests.fixtures.scripted import Around
from tests.graphs.minds import memory, thinker


def _me(*memories):
    return thinker(Around(tick=50), memories=memories)


def _made(draft, me, kind, text, **more):
    draft, made = draft.with_memory(me, kind, text, **more)
    assert made is not None
    return draft, made


def test_ids_count_by_step_and_use():
    me, draft, made = _me(), Draft(), []
    for text, step, ordinal in [
        ("One.", "perceive", 0),
        ("Two.", "perceive", 0),
        ("Three.", "act", 0),
        ("Four.", "perceive", 1),
    ]:
        draft, new = _made(draft, me, "event", text, step=step, ordinal=ordinal)
        made.append(new)
    assert [each.id for each in made] == [
        "Ada Brook/50/perceive/0/0",
        "Ada Brook/50/perceive/0/1",
        "Ada Brook/50/act/0/0",
        "Ada Brook/50/perceive/1/0",
    ]
    assert draft.memories == tuple(made) and len(me.stream) == 0


def test_a_memory_is_dated_and_will_expire():
    _, made = _made(Draft(), _me(), "event", "One.", step="x", triple=("Ben", "is", "here"))
    assert (made.created, made.accessed, made.tick) == (500, 500, 50)
    assert made.expires == 500 + LIFETIME_SECONDS
    assert (made.subject, made.predicate, made.object) == ("Ben", "is", "here")


def test_the_same_text_strengthens_whether_old_or_of_this_thought():
    past = memory(0, "Old.")
    me = _me(past)
    draft, none = Draft().with_memory(me, "event", "Old.", step="x")
    assert none is None
    draft, new = _made(draft, me, "event", "New.", step="x")
    draft, none = draft.with_memory(me, "thought", "New.", step="y")
    assert none is None
    assert [(each.id, each.kind) for each in draft.changes] == [
        (past.id, "strengthen"),
        (new.id, "strengthen"),
    ]
    assert draft.memories == (new,)


def test_a_thought_is_one_deeper_than_what_it_rests_on():
    past = [memory(0, "a", depth=0), memory(1, "b", kind="thought", depth=3)]
    me, ids = _me(*past), [each.id for each in past]
    draft, deep = _made(Draft(), me, "thought", "c", step="x", evidence=ids)
    assert (deep.depth, deep.evidence) == (4, tuple(ids))
    assert _made(draft, me, "thought", "d", step="x", evidence=[deep.id])[1].depth == 5
    assert _made(draft, me, "thought", "e", step="x")[1].depth == 1
    assert _made(draft, me, "event", "f", step="x", evidence=ids)[1].depth == 0


def test_looking_twice_is_one_access():
    past = memory(0, "Leek soup.")
    me = _me(past)
    draft = Draft().with_access(me, [past.id, past.id]).with_access(me, [past.id])
    assert [(each.kind, each.at) for each in draft.changes] == [("access", 500)]
    (kept,) = me.stream
    assert kept.accessed == 0, "what was looked at is known to the commit, not to this thought"


async def test_recall_reads_the_stream_as_the_thought_began_in_the_order_of_time():
    me = _me(memory(0, "Leek soup."), memory(1, "Rain and wind."))
    _made(Draft(), me, "event", "More leek soup.", step="x")
    result = await recall(me, ["soup", "soup with leek"], 5)
    assert [each.memory.text for each in result.found] == ["Leek soup.", "Rain and wind."]
    assert set(result.accessed) == {each.memory.id for each in result.found}
    assert result.record.ids == tuple(each.memory.id for each in result.found)
    assert result.record.queries == ("soup", "soup with leek")


async def test_several_questions_bring_each_memory_back_once_at_its_best():
    me = _me(memory(0, "Leek soup."), memory(1, "Rain and wind."))
    found = (await recall(me, ["soup", "rain"], 5)).found
    assert [each.relevance for each in found] == [1.0, 1.0]
    assert [each.memory.id for each in found] == sorted(each.memory.id for each in found)
