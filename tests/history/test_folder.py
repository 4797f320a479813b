"""A run's folder: its name, its spec, its lock."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from smolville.agents.errors import RunError
from smolville.history.drafting import new_run
from smolville.history.folder import RunFolder
from smolville.history.spec import Setting, models_in, rules_in
from tests.history.made_up import lived, spec

HOLD = """
import sys
from pathlib import Path
from smolville.history.folder import RunFolder
with RunFolder.open(Path(sys.argv[1]), "amber-otter").lock():
    print("held", flush=True)
    sys.stdin.read()
"""


def test_other_accounts_cannot_open_a_new_run_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        made = new_run(tmp_path, spec())
        assert stat.S_IMODE(made.path.stat().st_mode) == 0o700
        made.path.chmod(0o755)
        again = new_run(tmp_path, spec(), overwrite=True)
        assert stat.S_IMODE(again.path.stat().st_mode) == 0o700
    finally:
        os.umask(before)


def test_a_taken_name_says_what_can_be_done(tmp_path: Path) -> None:
    lived(new_run(tmp_path, spec()), range(1))
    with pytest.raises(RunError, match=r"taken .*--resume amber-otter.*--overwrite.*another name"):
        new_run(tmp_path, spec())


def test_overwriting_removes_what_the_old_run_had(tmp_path: Path) -> None:
    old = new_run(tmp_path, spec())
    old.history_path.write_text("old")
    new = new_run(tmp_path, spec(created="later"), overwrite=True)
    assert sorted(path.name for path in new.path.iterdir()) == ["lock", "run.json"]
    assert [path.name for path in tmp_path.iterdir()] == ["amber-otter"]


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../x",
        "a/b",
        "/etc",
        "a\0b",
        ".hidden",
        "-x",
        "a b",
        "a\n",
        "a" * 101,
        "水" * 90,
    ],
)
def test_names_that_lead_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(RunError, match="cannot name a run"):
        new_run(tmp_path / "runs", spec(name))
    with pytest.raises(RunError, match="cannot name a run"):
        RunFolder.open(tmp_path / "runs", name)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("text", "says"), [("{", "damaged"), ('{"name": "x"}', "town"), ("", "damaged")]
)
def test_a_damaged_spec_is_said(tmp_path: Path, text: str, says: str) -> None:
    made = new_run(tmp_path, spec())
    (made.path / "run.json").write_text(text)
    with pytest.raises(RunError, match=says):
        RunFolder.open(tmp_path, "amber-otter")


@pytest.mark.parametrize(("name", "value"), [("repairs", "many"), ("strict", 7), ("stop", None)])
def test_a_setting_that_cannot_be_is_told(name: str, value: Setting) -> None:
    with pytest.raises(RunError, match=rf"run\.json is damaged: its setting {name} cannot be"):
        (rules_in if name != "stop" else models_in)({name: value})


def test_a_lock_held_by_another_process_names_it(tmp_path: Path) -> None:
    folder = new_run(tmp_path, spec())
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    ) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == b"held\n"
        with pytest.raises(RunError, match=f"in use by process {owner.pid}"), folder.lock():
            pass
        with pytest.raises(RunError, match="in use"):
            new_run(tmp_path, spec(), overwrite=True)
        owner.kill()
    with folder.lock():
        pass
