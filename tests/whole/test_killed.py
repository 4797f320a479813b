"""Killed anywhere, a run goes on to the same day as one that nobody disturbed."""

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.whole.child import DEATHS
from tests.whole.lives import DAY, begin, differing, live, parts
from world.asked import Asked
from world.runs.folder import RunFolder
from world.runs.reader import RunReader

ROOT = Path(__file__).parents[2]


def die(folder: RunFolder, where: str, count: int) -> None:
    """Live the run in a process of its own, which dies on the way."""
    command = [sys.executable, "-m", "tests.whole.child", folder.path.parent, folder.name]
    child = subprocess.run(
        [*command, str(DAY), where, str(count)], cwd=ROOT, capture_output=True, text=True
    )
    assert child.returncode == -signal.SIGKILL, child.stderr[-2000:]


def often(folder: RunFolder, where: str) -> int:
    """How often in a whole day it happens that one could die there."""
    table = {"call": "calls", "memories": "memories"}.get(where, "commits")
    with RunReader(folder) as reader:
        count: int = reader.connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]
    return count // 20 if where == "memories" else count


@pytest.mark.parametrize("where", DEATHS)
def test_killed_anywhere_a_run_goes_on_to_the_same_day(
    day: RunFolder, small: Asked, tmp_path: Path, where: str
) -> None:
    folder = begin(tmp_path, "killed", small)
    counts = [random.randint(1, max(1, often(day, where) // 3)) for _ in range(2)]
    told = f"killed: {where} {counts}"
    for count in counts:
        die(folder, where, count)
    with RunReader(folder) as reader:
        assert (reader.watermark() or 0) < DAY // 10 - 1, told
    live(folder, DAY)
    assert differing(parts(day), parts(folder)) == [], told


def test_killed_at_the_very_first_call_nothing_is_asked_twice(
    day: RunFolder, small: Asked, tmp_path: Path
) -> None:
    folder = begin(tmp_path, "killed", small)
    die(folder, "call", 1)
    with RunReader(folder) as reader:
        assert reader.watermark() is None
        paid = reader.connection.execute("SELECT rowid, * FROM calls").fetchall()
    live(folder, DAY)
    with RunReader(folder) as reader:
        kept = reader.connection.execute("SELECT rowid, * FROM calls ORDER BY rowid LIMIT 1")
        assert kept.fetchall() == paid
    assert differing(parts(day), parts(folder)) == []
