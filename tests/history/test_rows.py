"""Every row type is read back as it was written, whatever stands in its fields."""

import sqlite3
from dataclasses import asdict, fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smolville.agents.action import Action, Talk, TalkLine
from smolville.agents.entities import Happening
from smolville.agents.memory import Memory
from smolville.agents.needs import NeedsRow
from smolville.agents.rare_memories import MemoryDraw
from smolville.agents.routines import Reuse
from smolville.graphs.loop.ledger import Call, CallKey, CallReading, RecallRecord, StepRecord
from smolville.history import tables
from smolville.history.calls import Packer, Unpacker, find_call, keep_call
from smolville.history.records import Deed, Intervention, Move, ObjectState, ThoughtRow
from smolville.history.schema import TABLES

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
WHOLE = st.integers(-(2**62), 2**62)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
NUMBER = st.floats(allow_nan=False)


def rows(row: type, **given_for: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Draw rows of a type; fields that are not given are drawn by their type."""
    drawn = {str: TEXT, int: WHOLE, float: NUMBER, bool: st.booleans(), tuple[str, ...]: TEXTS}
    drawn |= {int | None: st.none() | WHOLE, float | None: st.none() | NUMBER}
    parts = {item.name: drawn.get(item.type, TEXT) for item in fields(row)}
    return st.builds(row, **(parts | given_for))


KEYS = rows(CallKey)
PATHS = st.lists(st.tuples(st.integers(0, 999), st.integers(0, 999)), min_size=1, max_size=9)
ROWS = (
    (tables.MOVES, rows(Move, path=PATHS.map(tuple))),
    (tables.DEEDS, rows(Deed, action=rows(Action))),
    (tables.OBJECTS, rows(ObjectState)),
    (tables.TALKS, rows(Talk, lines=st.just(()))),
    (tables.LINES, rows(TalkLine)),
    (tables.THOUGHTS, rows(ThoughtRow)),
    (tables.STEPS, rows(StepRecord, recalls=st.lists(rows(RecallRecord), max_size=2).map(tuple))),
    (tables.READINGS, rows(CallReading, key=KEYS)),
    (tables.MEMORIES, rows(Memory)),
    (tables.INTERVENTIONS, rows(Intervention)),
    (tables.DRAWS, rows(MemoryDraw, sizes=st.lists(WHOLE).map(tuple))),
    (tables.REUSES, rows(Reuse)),
    (tables.NEEDS, rows(NeedsRow, levels=st.dictionaries(TEXT, NUMBER))),
    (tables.HAPPENINGS, rows(Happening)),
)
BY_NAME = {table.name: (table, strategy) for table, strategy in ROWS}


def store() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(TABLES)
    return connection


def test_every_table_of_rows_is_tried() -> None:
    known = {table.name for table in vars(tables).values() if isinstance(table, tables.Table)}
    assert known == set(BY_NAME)


@pytest.mark.parametrize("name", BY_NAME)
@given(data=st.data())
@settings(max_examples=40)
def test_a_row_is_read_back_as_it_was_written(name: str, data: st.DataObject) -> None:
    table, strategy = BY_NAME[name]
    row = data.draw(strategy)
    connection = store()
    connection.execute(table.insert, table.cells(row, *(0 for _ in table.extra)))
    found = [table.row(cells) for cells in connection.execute(table.select)]
    assert [asdict(each) for each in found] == [asdict(row)]


@given(call=rows(Call, key=KEYS))
@settings(max_examples=60)
def test_a_call_is_read_back_as_it_was_written(call: Call) -> None:
    connection = store()
    keep_call(connection, Packer(connection), call)
    assert find_call(connection, Unpacker(connection), call.key) == call
