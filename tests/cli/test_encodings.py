"""Files that an editor saved with a byte order mark, and output in any encoding and width."""

import codecs
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.fixtures.small_town import write_small_town

HOUSE = Path(__file__).resolve().parents[2]
TYPED = (".toml", ".csv", ".tmj", ".yaml", ".jinja", ".jsonl", ".tsv")
"""Endings of the files that people edit."""


def marked(folder: Path) -> Iterator[Path]:
    """Put a byte order mark before every text file of a folder, and yield these files."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in TYPED:
            path.write_bytes(codecs.BOM_UTF8 + path.read_bytes())
            yield path


def house(code: str, *words: str, **env: str) -> "subprocess.CompletedProcess[str]":
    """Return what a process of its own prints; it heeds Ctrl-C, whoever started the tests."""
    start = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
    return subprocess.run(
        [sys.executable, "-c", start + code, *words],
        env={**os.environ, "PYTHONPATH": str(HOUSE / "src"), **env},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


MAIN = "from smolville.cli.main import main; main()"


def test_a_byte_order_mark_is_accepted_in_every_file_that_people_edit(
    smolville: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_small_town(tmp_path / "town")
    assert smolville("prompt", "eject", "set", "say").code == 0
    Path("smolville.toml").write_text("seed = 7\n", encoding="utf-8")
    assert len(list(marked(tmp_path))) > 8
    Path(".env").write_bytes(codecs.BOM_UTF8 + b"SMOLVILLE_REPAIRS=1\n")

    said = smolville("settings")
    assert said.code == 0
    assert "smolville.toml" in said.out and ".env" in said.out
    assert smolville("town", "town").code == 0
    assert "nothing is wrong" in smolville("prompt", "lint", "set").out
    shown = smolville("prompt", "render", "say", "--prompts", "set")
    assert shown.code == 0 and "\ufeff" not in shown.out
    lived = ("--town", "town", "--cast", "1", "--until", "1 07:00", "--model", "standin")
    assert smolville("run", "marked", *lived, "--prompts", "set", "--quiet").code == 0


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_any_encoding_of_the_output_is_printed(encoding: str) -> None:
    shown = house(MAIN, "show", "sample", PYTHONIOENCODING=encoding)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "Nadia Farouk" in shown.stdout
    data = house(MAIN, "show", "sample", "--json", PYTHONIOENCODING=encoding)
    assert "\U0001f634" in str(json.loads(data.stdout))


@pytest.mark.parametrize(("columns", "width"), [("60", 60), ("9" * 9, 100)])
def test_tables_in_a_pipe_are_as_wide_as_asked_and_end_without_blanks(
    columns: str, width: int
) -> None:
    lines = house(MAIN, "prompt", "show", COLUMNS=columns).stdout.splitlines()
    assert width - 15 < max(map(len, lines)) <= width
    assert [line for line in lines if line.endswith(" ")] == []


def test_nothing_is_imported_before_an_interruption_is_heeded() -> None:
    code = (
        "import sys; before = {*sys.modules}; import smolville.cli.main;"
        "print({*sys.modules} - before)"
    )
    assert set(eval(house(code).stdout)) == {*("smolville", "smolville.cli", "smolville.cli.main")}


@pytest.mark.parametrize(
    "moment",
    [
        "sys.meta_path.insert(0, Stop())",
        "sys.meta_path.insert(0, Stop()); atexit.register(os.kill, os.getpid(), signal.SIGINT)",
        "threading.Thread(target=late).start()",
    ],
    ids=["while the commands load", "then and at the end", "while a thread is waited for"],
)
def test_an_interruption_ends_with_130_at_any_moment(moment: str) -> None:
    code = f"""
import atexit, os, signal, sys, threading, time
class Stop:
    def find_spec(self, name, *_):
        if name == "smolville.cli.app":
            os.kill(os.getpid(), signal.SIGINT)
def late():
    time.sleep(0.5)
    while threading.main_thread().is_alive():
        time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(5)
{moment}
{MAIN}
"""
    done = house(code, "--version")
    assert done.returncode == 130
    assert "Traceback" not in done.stderr
