"""A run's folder that somebody made to do harm: links out of it, code in it, texts of megabytes."""

import os
import pickle
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.fixtures.damage import state_of

GO_ON = ("run", "amber", "--resume", "--for", "10m", "--quiet")
WHISPER = ("tell", "amber", "Ada", "Open the door.")
FORK = ("fork", "amber", "birch")
REEMBED = ("reembed", "amber", "--embedder", "words")
INTERVIEW = ("interview", "amber", "ada", "How are you?")
LINKED = (
    *("run.log", ".run.json.new", "town.sqlite", "memories", "town/town.toml"),
    *("memories/chroma.sqlite3", "inbox.sqlite-wal"),
)


@pytest.fixture
def victim(tmp_path: Path, lived: Command) -> Path:
    """Another folder of this machine's user, with something of every kind in it."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine\n")
    with closing(sqlite3.connect(folder / "mine.sqlite")) as connection, connection:
        connection.execute("CREATE TABLE letters (text TEXT)")
        connection.execute("INSERT INTO letters VALUES ('mine')")
    return folder


@pytest.mark.parametrize("name", LINKED)
def test_nothing_is_written_through_a_link_in_a_run(
    lived: Command, victim: Path, name: str
) -> None:
    path = lived.runs / "amber" / name
    path.parent.mkdir(exist_ok=True)
    kept = path.with_name(f"{path.name}.before")
    if os.path.lexists(path):
        path.rename(kept)
    goal = victim if name == "memories" else victim / "notes.txt"
    path.symlink_to(victim / "mine.sqlite" if name.endswith(("sqlite", "sqlite3")) else goal)
    before, run_before = state_of(victim), state_of(lived.runs / "amber")
    for words in (GO_ON, WHISPER, FORK, REEMBED, INTERVIEW):
        said = lived(*words)
        assert said.code != 0, f"{words}: {said.out}"
        assert "Traceback" not in said.err
        if words in (GO_ON, FORK) and name != "town.sqlite":
            assert said.err == (
                f"Run 'amber' is not opened: {name} in its folder is a link, which may lead to any "
                "file; remove it, or put in its place what it leads to\n"
            )
    assert state_of(victim) == before
    assert state_of(lived.runs / "amber") == run_before
    assert [each.name for each in lived.runs.iterdir()] == ["amber"]


def test_without_its_link_a_run_goes_on(lived: Command, victim: Path) -> None:
    log = lived.runs / "amber" / "run.log"
    log.unlink()
    log.symlink_to(victim / "notes.txt")
    assert lived(*GO_ON).code == 2
    log.unlink()
    assert lived(*GO_ON).code == 0


class Harm:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        """Return what unpickling calls."""
        return Path.touch, (self.path,)


def test_code_in_the_memories_folder_is_not_run(lived: Command, tmp_path: Path) -> None:
    done = tmp_path / "done"
    pickle.loads(pickle.dumps(Harm(done)))
    assert done.exists(), "a pickle of this kind does harm where one is loaded"
    done.unlink()
    memories = lived.runs / "amber" / "memories"
    with closing(sqlite3.connect(memories / "chroma.sqlite3")) as connection:
        segments = [row[0] for row in connection.execute("SELECT id FROM segments")]
    assert segments
    for place in (memories, *(memories / each for each in segments)):
        place.mkdir(exist_ok=True)
        for name in ("index_metadata.pickle", "header.bin"):
            (place / name).write_bytes(pickle.dumps(Harm(done)))
    for words in (INTERVIEW, ("recall", "amber", "ada", "bread"), GO_ON, FORK, REEMBED):
        said = lived(*words)
        assert "Traceback" not in said.err
        assert not done.exists(), words
    assert lived("health", "amber").code == 0


READ = (
    ("show", "amber", "ada", "memories"),
    ("timeline", "amber"),
    ("health", "amber"),
    ("trace", "amber", "--all"),
    ("moments", "amber"),
    GO_ON,
)


def spoil(run: Path, table: str, column: str, cell: str | int | bytes) -> None:
    """Write a cell of the history anew."""
    with closing(sqlite3.connect(run / "town.sqlite")) as connection, connection:
        key = "tick" if table in ("changes", "thoughts", "readings") else "rowid"
        rows = f"SELECT MAX({key}) FROM {table}"
        changed = connection.execute(
            f'UPDATE {table} SET "{column}" = ? WHERE {key} = ({rows})', (cell,)
        )
        assert changed.rowcount >= 1


@pytest.mark.parametrize(("table", "column"), [("memories", "text"), ("deeds", "reason")])
def test_texts_of_megabytes_are_shown_or_told_in_a_sentence(
    lived: Command, table: str, column: str
) -> None:
    spoil(lived.runs / "amber", table, column, "x" * 5_000_000)
    for words in READ:
        said = lived(*words)
        assert said.code in (0, 1, 2), words
        assert "Traceback" not in said.err


@pytest.mark.parametrize(
    ("table", "column", "cell"),
    [
        ("deeds", "partners", "[" * 100_000),
        ("changes", "kind", "strungthen"),
        ("thoughts", "at", b"\xff"),
        ("minds", "blob", b"no mind"),
    ],
)
def test_a_cell_that_nobody_wrote_is_told_as_damage(
    lived: Command, table: str, column: str, cell: str | int | bytes
) -> None:
    spoil(lived.runs / "amber", table, column, cell)
    told = []
    for words in READ:
        said = lived(*words)
        assert "Traceback" not in said.err
        told += [said.err] if said.code else []
    assert told
    assert all(f"is damaged (town.sqlite, table {table}, row " in each for each in told), told
