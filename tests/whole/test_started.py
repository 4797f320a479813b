"""A run that is killed or stopped in its first moments is there whole, or not at all."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from smolville.agents.errors import RunError
from smolville.history.cut import fork
from smolville.history.digest import digest
from smolville.history.folder import RunFolder, list_runs
from smolville.history.progress_file import read_pulse
from smolville.history.reader import RunReader
from smolville.world.run_request import RunRequest
from tests.cli.test_interrupt import MAIN
from tests.fixtures.waiting import until
from tests.fixtures.warm import run_warm, warm
from tests.whole.broken_starts import GOAL
from tests.whole.lives import begin, live, parts

ROOT = Path(__file__).parents[2]


def test_killed_at_whatever_it_does_first_a_run_is_there_whole_or_begins_anew(
    town: Path, tmp_path: Path
) -> None:
    done = run_warm(["-m", "tests.whole.broken_starts", tmp_path / "runs", town], ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    deaths = [json.loads(line) for line in done.stdout.splitlines()]
    undisturbed = begin(tmp_path, "undisturbed", RunRequest(town=town, cast=2))
    live(undisturbed, GOAL)
    with RunReader(undisturbed) as reader:
        same = digest(reader)
    absent = {"died": True, "shown": [], "listed": []}
    whole = {"died": True, "shown": ["amber"], "listed": ["amber"], "left": [], "code": 0}
    assert {len(each) for each in deaths} == {3, 6}
    for number, each in enumerate(deaths, start=1):
        expected = {**whole, "digest": same} if each["shown"] else absent
        assert each == expected, f"killed at event {number}"


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_ended_as_soon_as_its_folder_shows_a_run_goes_on_to_its_goal(
    town: Path, tmp_path: Path, end: signal.Signals
) -> None:
    words = ("--town", str(town), "--model", "standin", "--cast", "2", "--for", f"{GOAL // 60}m")
    said = run(tmp_path, "run", "amber", *words, "--headless", ending=end)
    assert said.returncode == (-signal.SIGKILL if end == signal.SIGKILL else 130)
    if end != signal.SIGKILL:
        last = said.stderr.strip().splitlines()[-1]
        assert last.startswith("Interrupted; everything up to the last commit is saved. Go on with")
        assert "Traceback" not in said.stderr
    done = run(tmp_path, "run", "amber", "--resume", "--quiet")
    assert done.returncode == 0, done.stderr
    undisturbed = begin(tmp_path, "undisturbed", RunRequest(town=town, cast=2))
    live(undisturbed, GOAL)
    assert parts(RunFolder.open(tmp_path, "amber")) == parts(undisturbed)


def run(
    runs: Path, *words: str, ending: signal.Signals | None = None
) -> "subprocess.CompletedProcess[str]":
    """Do a command in a process of its own, and end it as soon as the run's folder shows."""
    line = ["-c", MAIN, *words, "--runs", runs]
    around = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with warm(line, runs, around) as process:
        if ending is not None:
            while not (runs / "amber").exists():
                assert process.returncode is None, process.stderr
            process.send_signal(ending)
        code = process.wait()
        return subprocess.CompletedProcess(line, code, process.stdout, process.stderr)


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


def test_interrupted_while_a_model_file_is_busy_a_run_ends_at_once(
    town: Path, tmp_path: Path, tiny_gguf: Path
) -> None:
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: no llama.cpp server")
    words = ("run", "amber", "--town", str(town), "--model", f"gguf:{tiny_gguf}?threads=1")
    line = ["-c", MAIN, *words, "--headless", "--runs", tmp_path]
    with warm(line, tmp_path, {**os.environ, "PYTHONPATH": str(ROOT / "src")}) as process:
        until(lambda: "\nuntil " in process.stderr or process.returncode, "what is to be lived")
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        server = next(int(each) for each in children if "gguf_child" in words_of(each))
        # As good as a batch that takes for ever.
        os.kill(server, signal.SIGSTOP)
        folder = RunFolder.open(tmp_path, "amber")
        while not (read_pulse(folder) or {}).get("in_flight"):
            assert process.returncode is None
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        err = process.stderr
    assert err.strip().splitlines()[-1].startswith("Interrupted; everything up to the last commit")
    assert not Path(f"/proc/{server}").exists()


def words_of(process: str) -> str:
    """The command line of a process."""
    return Path(f"/proc/{process}/cmdline").read_text()
