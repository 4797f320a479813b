"""The digest: blind to what no two runs share, and to nothing else."""

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from smolville.history.digest import digest, digest_parts
from smolville.history.drafting import new_run
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.reader import RunReader
from tests.history.made_up import CAST, batch, calls, lived, spec


def of(folder: RunFolder) -> str:
    with RunReader(folder) as reader:
        return digest(reader)


def parts(folder: RunFolder) -> dict[str, str]:
    with RunReader(folder) as reader:
        return digest_parts(reader)


def altered(folder: RunFolder, statement: str) -> RunFolder:
    with sqlite3.connect(folder.history_path) as connection:
        assert connection.execute(statement).rowcount == 1
    connection.close()
    return folder


ONE = "rowid = (SELECT rowid FROM {0} ORDER BY rowid LIMIT 1 OFFSET 3)"
ALTERED = {
    "bodies": "UPDATE bodies SET state = 'x' WHERE tick = 4",
    "moves": f"UPDATE moves SET path = '1,1' WHERE {ONE.format('moves')}",
    "deeds": f"UPDATE deeds SET fallback = 1 WHERE {ONE.format('deeds')}",
    "objects": f"UPDATE objects SET emoji = '' WHERE {ONE.format('objects')}",
    "talks": "UPDATE talks SET ended_by = 'the cap' WHERE tick = 5",
    "lines": "UPDATE lines SET text = 'x' WHERE tick = 5 AND n = 2",
    "thoughts": "UPDATE thoughts SET intent = '' WHERE tick = 4",
    "steps": "UPDATE steps SET outcome = 'mended' WHERE tick = 4 AND ordinal = 1",
    "readings": "UPDATE readings SET mends = '[]' WHERE tick = 4 AND ordinal = 1",
    "memories": f"UPDATE memories SET importance = 9 WHERE {ONE.format('memories')}",
    "changes": "UPDATE changes SET value = 5 WHERE tick = 4 AND kind = 'rate'",
    "minds": f"DELETE FROM minds WHERE {ONE.format('minds')}",
    "interventions": "UPDATE interventions SET text = 'x' WHERE tick = 4",
    "reuses": "UPDATE reuses SET similarity = 0.5 WHERE tick = 10",
    "happenings": "UPDATE happenings SET who = '' WHERE tick = 10",
    "draws": "UPDATE draws SET sizes = '[2, 3]' WHERE tick = 10",
    "needs": "UPDATE needs SET urgent = '' WHERE tick = 10",
    "calls": "UPDATE calls SET temperature = 0 WHERE tick = 4 AND ordinal = 1",
}


def test_every_part_is_tried(folder: RunFolder) -> None:
    assert set(parts(lived(folder, range(1)))) == set(ALTERED)


@pytest.mark.parametrize("table", ALTERED)
def test_any_altered_row_shows_in_its_table_alone(folder: RunFolder, table: str) -> None:
    before = parts(lived(folder, range(12)))
    whole = of(folder)
    after = parts(altered(folder, ALTERED[table]))
    assert [name for name in before if before[name] != after[name]] == [table]
    assert of(folder) != whole


def test_a_reply_that_differs_by_a_letter_shows(folder: RunFolder) -> None:
    before = of(lived(folder, range(3)))
    with History(folder) as history:
        one = calls(0, CAST[0])[0]
        history.store(replace(one, reply=one.reply + " "))
    assert of(folder) != before


def measured_otherwise(history: History) -> None:
    """Live the same ticks on another machine, in smaller clusters, with a crash on the way."""
    for tick in range(12):
        made = batch(tick)
        for one in calls(tick, made.thoughts[0].agent):
            timed = replace(one, milliseconds=1.0, retries=9, prompt_tokens=None, cached_tokens=3)
            history.store(replace(timed, completion_tokens=1, thinking_tokens=0))
        made.thoughts = [replace(row, milliseconds=9.0) for row in made.thoughts]
        made.minds = [replace(row, blob=b"other") for row in made.minds]
        made.interventions = [replace(row, id=f"other{tick}") for row in made.interventions]
        history.commit(replace(made, agents=CAST[:2], watermark=tick))
    history.set_goal(1, 1)
    for one in calls(12, CAST[0]):
        history.store(one)


def in_reverse(history: History) -> None:
    """Live the same ticks with everybody far ahead of everybody else."""
    for agent in reversed(range(3)):
        for tick in range(agent, 12, 3):
            for one in calls(tick, CAST[agent]):
                history.store(one)
            done = 11 if (agent, tick) == (0, 9) else 0
            history.commit(replace(batch(tick), watermark=done))


@pytest.mark.parametrize("other", [measured_otherwise, in_reverse])
def test_how_and_when_a_run_was_made_does_not_show(
    folder: RunFolder, tmp_path: Path, other: Callable[[History], None]
) -> None:
    lived(folder, range(12))
    again = new_run(tmp_path / "other", spec("brisk-heron", created="2026-01-01"))
    with History(again) as history:
        other(history)
    assert parts(again) == parts(folder)
    assert of(again) == of(folder)
