"""A disk that accepts no more data stops a run with a sentence; nothing is lost, and it goes on.

The size that a process may give to a file (RLIMIT_FSIZE) stands in for a quota: SQLite, Chroma and
plain files meet it at their own time, as they would a full disk.
"""

import os
import resource
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from smolville.cli.run.execute import LOG, write_log
from smolville.history.folder import RunFolder
from tests.fixtures.small_town import write_small_town
from tests.fixtures.warm import run_warm

ROOT = Path(__file__).parents[2]
BEGUN, DONE = "9h", "1 11:00"


def smolville(runs: Path, *words: str, most: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own, in which no file may grow beyond `most` bytes."""
    size = (
        None if most is None else partial(resource.setrlimit, resource.RLIMIT_FSIZE, (most, most))
    )
    env = {name: text for name, text in os.environ.items() if not name.startswith("SMOLVILLE_")}
    line = ["-m", "smolville.cli.main", *words, "--runs", str(runs)]
    return run_warm(line, ROOT, {**env, "SMOLVILLE_HEADLESS": "true"}, size)


def complaint(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence that a command ended with."""
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `begun`, a run that has lived a few hours, and `whole`, which went on."""
    folder = tmp_path_factory.mktemp("full")
    town = str(write_small_town(folder / "town"))
    words = ("--town", town, "--model", "standin", "--cast", "2", "--for", BEGUN, "--quiet")
    runs = folder / "runs"
    assert smolville(runs, "run", "begun", *words).returncode == 0
    assert smolville(runs, "fork", "begun", "whole").returncode == 0
    assert smolville(runs, "run", "whole", "--resume", "--until", DONE, "-q").returncode == 0
    return runs


def of_history(folder: Path) -> int:
    """Return a size at which the history can grow a little, and no more."""
    return (folder / "town.sqlite").stat().st_size + 70_000


def of_log(folder: Path) -> int:
    """Return a size below what the first write to the history takes."""
    return 5_000


def of_memories(folder: Path) -> int:
    """Return a size that everything has but Chroma's own database."""
    return (folder / "memories" / "chroma.sqlite3").stat().st_size - 8_000


@pytest.mark.parametrize("most", [of_history, of_log, of_memories])
def test_a_quota_pauses_a_run_with_one_sentence_and_nothing_is_lost(
    runs: Path, most: Callable[[Path], int]
) -> None:
    name = most.__name__
    assert smolville(runs, "fork", "begun", name).returncode == 0
    before = smolville(runs, "compare", name, "--digest").stdout
    until = ("--resume", "--until", DONE, "-q")
    stopped = smolville(runs, "run", name, *until, most=most(runs / name))
    told = complaint(stopped)
    assert stopped.returncode == 1
    assert "he disk of run" in told and "everything up to the last commit is saved" in told
    assert f"go on with `--resume {name}`" in told
    assert smolville(runs, "health", name).returncode == 0
    if most is of_log:
        assert smolville(runs, "compare", name, "--digest").stdout == before
    assert smolville(runs, "run", name, *until).returncode == 0
    assert (
        smolville(runs, "compare", name, "--digest").stdout
        == smolville(runs, "compare", "whole", "--digest").stdout
    )


def test_a_log_that_a_full_disk_does_not_take_is_let_go(tmp_path: Path, runs: Path) -> None:
    folder = RunFolder.open(runs, "whole")
    (tmp_path / "run.log").symlink_to("/dev/full")
    with write_log(RunFolder(tmp_path, folder.spec)):
        LOG.info("lost")
