"""A run that begins has its name alone, and what a killed start or fork left is swept."""

import os
from pathlib import Path

import pytest

from smolville.agents.errors import RunError
from smolville.history.cut import fork
from smolville.history.folder import list_runs
from smolville.world.run_request import RunRequest
from tests.cli.test_interrupt import MAIN
from tests.fixtures.warm import warm
from tests.whole.lives import begin, live

ROOT = Path(__file__).parents[2]


def test_a_folder_that_is_no_run_keeps_its_name(town: Path, tmp_path: Path) -> None:
    (tmp_path / "amber").mkdir()
    (tmp_path / "amber" / "letters.txt").write_text("mine")
    with pytest.raises(RunError, match="taken"):
        begin(tmp_path, "amber", RunRequest(town=town, cast=2))
    assert (tmp_path / "amber" / "letters.txt").read_text() == "mine"


def test_of_two_that_begin_at_once_one_wins_and_the_other_is_told(
    town: Path, tmp_path: Path
) -> None:
    words = ("run", "amber", "--town", str(town), "--model", "standin", "--for", "10m", "--quiet")
    line = ["-c", MAIN, *words, "--headless", "--runs", tmp_path]
    around = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with warm(line, tmp_path, around) as one, warm(line, tmp_path, around) as other:
        codes = [one.wait(), other.wait()]
        errors = [one.stderr, other.stderr]
    assert sorted(codes) == [0, 2]
    (loser,) = (error for error, code in zip(errors, codes, strict=True) if code == 2)
    assert loser.startswith("The name 'amber' is taken in ")
    assert len(loser.strip().splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["amber"]


def test_a_fork_that_fails_on_the_way_leaves_nothing_and_a_killed_one_is_swept(
    town: Path, tmp_path: Path
) -> None:
    folder = begin(tmp_path, "amber", RunRequest(town=town, cast=2))
    live(folder, 600)
    with pytest.raises(RunError, match="outside of it"):
        fork(tmp_path, "amber", "birch", 10_000)
    assert [path.name for path in tmp_path.iterdir()] == ["amber"]
    killed = tmp_path / ".new-0123456789abcdef"
    killed.mkdir()
    (killed / "run.json").write_text("{")
    thrown_away = tmp_path / ".old-0123456789abcdef"
    (thrown_away / "memories").mkdir(parents=True)
    mine = tmp_path / ".new-mine"
    mine.mkdir()
    assert fork(tmp_path, "amber", "birch", 10).spec.forked_at == 10
    assert sorted(path.name for path in tmp_path.iterdir()) == [".new-mine", "amber", "birch"]
    assert sorted(list_runs(tmp_path)) == ["amber", "birch"]
