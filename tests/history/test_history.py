"""What the owner writes comes back whole, or was not written at all."""

import re
import sqlite3
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import pytest

from smolville.agents.errors import InternalError, RunError
from smolville.agents.memory import Change, apply_change
from smolville.history.cut import fork
from smolville.history.drafting import new_run
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.moments import draws_of, happenings_between, needs_of
from smolville.history.reader import RunReader
from smolville.history.records import CommitBatch
from tests.history.made_up import CAST, batch, call, changes, memory, spec, write


def rows(folder: RunFolder, table: str) -> int:
    with RunReader(folder) as reader:
        return int(reader.connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])


READ: dict[str, Callable[[RunReader], object]] = {
    "bodies": lambda reader: {agent: reader.body(agent) for agent in CAST if reader.body(agent)},
    "moves": RunReader.moves,
    "deeds": RunReader.deeds,
    "objects": RunReader.object_changes,
    "talks": RunReader.talks,
    "thoughts": RunReader.thoughts,
    "interventions": RunReader.interventions,
    "changes": lambda reader: reader.changes(CAST[1]),
    "minds": lambda reader: [reader.mind(CAST[1])],
    "reuses": RunReader.reuses,
    "happenings": lambda reader: happenings_between(reader.connection),
    "draws": lambda reader: draws_of(reader.connection),
    "needs": lambda reader: needs_of(reader.connection, CAST[0]),
}


@pytest.mark.parametrize("name", READ)
def test_every_row_of_a_batch_comes_back_equal(folder: RunFolder, name: str) -> None:
    made = batch(10)
    with History(folder) as history:
        history.commit(replace(made, interventions=batch(3).interventions))
    expected = batch(3) if name == "interventions" else made
    assert getattr(expected, name)
    with RunReader(folder) as reader:
        assert READ[name](reader) == getattr(expected, name)


def test_steps_readings_and_calls_come_back_equal(folder: RunFolder) -> None:
    made = batch(10)
    with History(folder) as history:
        write(history, range(10, 11))
    with RunReader(folder) as reader:
        thought = reader.thought(CAST[1], 10)
    assert thought is not None
    assert thought.row == made.thoughts[0]
    assert [step.record for step in thought.steps] == made.steps
    attempts = [attempt for step in thought.steps for attempt in step.attempts]
    assert [attempt.reading for attempt in attempts] == made.readings
    assert [attempt.call for attempt in attempts] == [
        call(10, CAST[1], 0),
        call(10, CAST[1], 1),
        call(10, CAST[1], 0, ordinal=1),
    ]


def test_no_field_of_a_batch_is_left_out() -> None:
    checked = {*READ, "steps", "readings", "memories", "tick", "at", "agents", "watermark"}
    checked.add("reached")
    assert {item.name for item in fields(CommitBatch)} == checked


def test_memories_come_back_with_their_changes(folder: RunFolder) -> None:
    with History(folder) as history:
        write(history, range(4))
        made = [memory(tick, CAST[0], n) for tick in (0, 3) for n in range(2)]
        now = {one.id: one for one in made}
        for change in changes(0, CAST[0]) + changes(3, CAST[0]):
            now[change.id] = apply_change(now[change.id], change)
        assert history.memories(CAST[0]) == list(now.values())
        everybody = history.memories_of_all()
    assert [one for one in everybody if one.agent == CAST[0]] == list(now.values())
    assert [one.tick for one in everybody] == sorted(one.tick for one in everybody)
    assert now[made[0].id].strength == 2
    assert now[made[1].id].importance == 4


def test_a_change_to_no_memory_leaves_nothing_behind(folder: RunFolder) -> None:
    made = batch(0)
    made.changes.append(Change(id="Nobody/0/x/0/0", kind="access", tick=0, at=0))
    with History(folder) as history:
        with pytest.raises(InternalError, match="never made"):
            history.commit(made)
        assert history.watermark() is None
        history.commit(batch(0))
        assert history.watermark() == 0
    assert rows(folder, "thoughts") == 1


def test_a_batch_that_is_written_twice_is_refused(folder: RunFolder) -> None:
    with History(folder) as history:
        history.commit(batch(0))
        with pytest.raises(InternalError, match="written twice"):
            history.commit(batch(0))
        history.commit(batch(1))
    assert [rows(folder, table) for table in ("commits", "thoughts", "deeds")] == [2, 2, 2]


def test_a_call_is_served_only_when_it_asked_exactly_the_same(folder: RunFolder) -> None:
    with History(folder) as history:
        history.store(call(4))
    with History(folder) as history:
        assert history.find_stored(call(4).key, call(4).messages_hash) == call(4)
        assert history.find_stored(call(4).key, "another") is None
        assert history.find_stored(call(5).key, call(5).messages_hash) is None
        again = replace(call(4), messages_hash="another", reply="new")
        history.store(again)
        assert history.find_stored(again.key, "another") == again
    assert rows(folder, "calls") == 1


def test_agents_stand_where_their_last_commit_left_them(folder: RunFolder) -> None:
    rosa, tom, zofie = CAST
    with History(folder) as history:
        write(history, range(3))
        history.commit(batch(7, (tom,)))
    with History(folder) as history:
        state = history.state_of([*CAST, "Nobody"])
    assert [state[agent].done for agent in (rosa, tom, zofie)] == [2, 7, 2]
    assert state[tom].body == batch(7, (tom,)).bodies[tom]
    assert state[tom].mind == batch(7, (tom,)).minds[0]
    assert state[rosa].body == batch(0).bodies[rosa]
    assert (state["Nobody"].body, state["Nobody"].mind, state["Nobody"].done) == (None, None, None)


def test_agents_who_came_farther_without_a_commit_are_there(folder: RunFolder) -> None:
    rosa, tom, zofie = CAST
    with History(folder) as history:
        history.commit(replace(batch(3, (tom,)), watermark=3, reached={rosa: 9, zofie: 3}))
        history.commit(replace(batch(5, (tom,)), watermark=3, reached={rosa: 4}))
    with History(folder) as history:
        state = history.state_of(CAST)
    assert [state[agent].done for agent in (rosa, tom, zofie)] == [9, 5, 3]
    with History(fork(folder.path.parent, folder.name, "brisk-heron", 3)) as history:
        assert [each.done for each in history.state_of(CAST).values()] == [3, 3, 3]


def test_the_watermark_is_what_the_engine_says_and_never_goes_back(folder: RunFolder) -> None:
    with History(folder) as history:
        history.commit(replace(batch(9, CAST[:1]), watermark=4))
        assert history.watermark() == 4
        history.commit(replace(batch(3, CAST[1:2]), watermark=2))
    with History(folder) as history:
        assert history.watermark() == 4


@pytest.mark.parametrize(
    ("version", "told"), [(7, "an earlier Smolville (schema 7"), (9, "a later Smolville (schema 9")]
)
def test_a_history_of_another_schema_is_said(folder: RunFolder, version: int, told: str) -> None:
    with History(folder):
        pass
    with sqlite3.connect(folder.history_path) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    for opening in (History, RunReader):
        with pytest.raises(RunError, match=re.escape(told)):
            opening(folder)


@pytest.mark.parametrize("opening", [History, RunReader])
def test_a_damaged_history_is_said(
    folder: RunFolder, opening: Callable[[RunFolder], object]
) -> None:
    folder.history_path.write_bytes(b"no database at all " * 500)
    with pytest.raises(RunError, match=r"damaged .*recover"):
        opening(folder)


def test_a_run_that_was_never_begun_is_said(tmp_path: Path) -> None:
    made = new_run(tmp_path, spec())
    with pytest.raises(RunError, match="has no history: "):
        RunReader(made)
