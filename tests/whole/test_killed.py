"""Killed anywhere, a run goes on to the same day as one that nobody disturbed."""

import random
import signal
from pathlib import Path

import pytest

from history.folder import RunFolder
from history.reader import RunReader
from tests.fixtures.warm import run_warm
from tests.whole.child import DEATHS
from tests.whole.lives import AFTERNOON, DAY, begin, differing, live, parts
from tests.whole.twelve import kept
from world.run_request import RunRequest

ROOT = Path(__file__).parents[2]


def die(folder: RunFolder, where: str, count: int) -> None:
    """Live the run in a process of its own, which dies on the way."""
    command = ["-m", "tests.whole.child", folder.path.parent, folder.name]
    child = run_warm([*command, str(DAY), where, str(count)], ROOT)
    assert child.returncode == -signal.SIGKILL, child.stderr[-2000:]


def often(folder: RunFolder, where: str) -> int:
    """How often in a run it happens that one could die there."""
    table = {"call": "calls", "memories": "memories"}.get(where, "commits")
    with RunReader(folder) as reader:
        count: int = reader.connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]
    return count // 20 if where == "memories" else count


def paid_calls(folder: RunFolder) -> list[tuple[object, ...]]:
    """Every call that was kept, with its place in the order of keeping."""
    with RunReader(folder) as reader:
        return reader.connection.execute("SELECT rowid, * FROM calls").fetchall()


@pytest.mark.parametrize("where", DEATHS)
def test_killed_anywhere_a_run_goes_on_to_the_same_day(
    day: RunFolder, small: RunRequest, tmp_path: Path, where: str
) -> None:
    folder = begin(tmp_path, "killed", small)
    count = random.randint(1, often(day, where) * 9 // 10)
    die(folder, where, count)
    paid = paid_calls(folder)
    live(folder, AFTERNOON)
    assert differing(parts(day), parts(folder)) == [], f"killed: {where} {count}"
    assert paid == paid_calls(folder)[: len(paid)], "what was paid for was asked again"


def test_killed_again_and_again_a_run_goes_on_to_the_same_whole_day(
    day: RunFolder, small: RunRequest, tmp_path: Path
) -> None:
    folder = begin(tmp_path, "killed", small)
    deaths = [
        (where, random.randint(1, often(day, where) // 4))
        for where in random.sample(list(DEATHS), k=2)
    ]
    for where, count in deaths:
        die(folder, where, count)
    live(folder, DAY)
    assert differing(kept("small"), parts(folder)) == [], f"killed: {deaths}"
