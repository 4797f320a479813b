"""A bug in one mind: nothing of that thought is left, everybody else goes on, and so does it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from smolville.graphs.context import MindContext
from smolville.graphs.state import MindState
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.world.run_request import RunRequest
from tests.fixtures.broken_node import broken_node
from tests.whole.lives import HOUR, begin, differing, live, parts

AGENT = "Ada Brook"
NOON = 11 * HOUR
TABLES = ("memories", "changes", "minds")


@pytest.fixture
def broken_tick(day: RunFolder) -> Iterator[int]:
    """The tick of a thought that fails in its last node, after calls and memories were made."""
    with RunReader(day) as reader:
        thoughts = reader.thoughts(AGENT, since=7 * 360)
        asked = {step.tick for step in reader.steps(AGENT)}
        made = {memory.tick for memory in reader.memories(AGENT)}
        changed = {change.tick for change in reader.changes(AGENT)}
    full = asked & made & changed
    broken = next(each.tick for each in thoughts if "act" in each.path and each.tick in full)

    def is_meant(state: MindState, context: MindContext) -> bool:
        return (state.agent, context.tick) == (AGENT, broken)

    with broken_node("act", is_meant):
        yield broken


def test_a_failed_thought_leaves_no_trace(
    day: RunFolder, small: RunRequest, broken_tick: int, tmp_path: Path
) -> None:
    folder = begin(tmp_path, "broken", small)
    live(folder, 10 * (broken_tick + 1))
    with RunReader(folder) as reader, RunReader(day) as whole:
        failed = reader.thought(AGENT, broken_tick)
        assert failed is not None
        assert failed.row.failed == "ZeroDivisionError: a bug in a node"
        assert (failed.steps, failed.row.path, failed.row.intent) == ((), (), "")
        for table in TABLES:
            at_tick = f"SELECT COUNT(*) FROM {table} WHERE agent = ? AND tick = ?"
            rows = [
                each.connection.execute(at_tick, (AGENT, broken_tick)).fetchone()[0]
                for each in (reader, whole)
            ]
            assert rows[0] == 0, f"{rows[0]} {table} are left"
            assert rows[1] > 0
        assert reader.deeds(AGENT, broken_tick) == []
        assert reader.faults() == []


def test_a_day_with_a_bug_is_the_same_under_both_schedules_and_in_pieces(
    small: RunRequest, broken_tick: int, tmp_path: Path
) -> None:
    whole = begin(tmp_path, "whole", small)
    live(whole, NOON)
    pieces = begin(tmp_path, "pieces", replace(small, schedule="serial"))
    for tick in (broken_tick, broken_tick + 1, broken_tick + 30, broken_tick + 61, NOON // 10):
        live(pieces, 10 * tick)
    assert differing(parts(whole), parts(pieces)) == []
    with RunReader(whole) as reader:
        assert [row.tick for row in reader.thoughts() if row.failed] == [broken_tick]


def test_a_bug_in_a_talk_costs_the_talk_alone(
    day: RunFolder, small: RunRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RunReader(day) as reader:
        first = reader.talks()[0]

    async def speechless(*context: object) -> None:
        raise ZeroDivisionError("a bug in a talk")

    monkeypatch.setattr("smolville.world.thinkers.talk", speechless)
    folder = begin(tmp_path, "speechless", small)
    live(folder, NOON)
    with RunReader(folder) as reader:
        refused = [deed for deed in reader.deeds() if deed.reason == "they found no words"]
        assert refused[0].agent == first.participants[0]
        assert refused[0].action.start == first.start
        assert reader.talks() == []
        assert not [step for step in reader.steps() if step.owner.startswith("talk/")]
        assert {row.failed for row in reader.thoughts()} == {""}
        assert reader.watermark() == NOON // 10 - 1
