"""Whatever befalls the files of a run: a sentence or a right answer, and nothing is changed."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.cli.conftest import Command, Said
from tests.fixtures.damage import KINDS, flip_cell, state_of

READING = (
    ("show", "amber"),
    ("show", "amber", "Ada", "plan"),
    ("timeline", "amber"),
    ("health", "amber"),
    ("moments", "amber"),
    ("trace", "amber"),
    ("recall", "amber", "Ada", "soup"),
    ("compare", "amber", "--digest"),
    ("export", "amber", "--format", "metrics", "metrics", "--overwrite"),
    ("export", "amber", "amber.html", "--overwrite"),
    ("export", "amber", "--format", "jsonl", "amber.jsonl", "--overwrite"),
)
"""What only reads a run."""
SPEC = ("empty", "latin", "nested", "folder")
HISTORY = ("half", "garbage", "foreign")
UNOPENED = (
    *(("run.json", "loop"), ("memories/chroma.sqlite3", "loop")),
    *(("lock", "pipe"), ("town.sqlite-wal", "pipe"), ("memories/pipe", "pipe")),
)
"""Because of these, nothing of a run is opened."""
UNREAD = {
    **{
        (file, kind): f"un 'amber' is not opened: {file} in its folder is "
        for file, kind in UNOPENED
    },
    **{("run.json", kind): "run.json of run 'amber'" for kind in SPEC},
    **{("town.sqlite", kind): "istory of run 'amber' is " for kind in HISTORY},
}
"""File and its damage, to the beginning of what every reading command says."""
READ = (
    *(("inbox.sqlite", "garbage"), ("lock", "folder")),
    *(("pulse.json", "garbage"), ("memories", "garbage")),
)
"""Files that reading does without."""


@pytest.fixture
def damaged(lived: Command) -> Callable[[str, str], Command]:
    """Damage a file of a run, and give the command."""

    def damage(file: str, kind: str) -> Command:
        KINDS[kind](lived.runs / "amber" / file)
        return lived

    return damage


def one_sentence(said: Said) -> str:
    """Return the only line in which something was refused."""
    assert said.code in (1, 2), said.out
    lines = said.err.strip().splitlines()
    assert len(lines) == 1, said.err
    assert len(lines[0]) < 400
    return lines[0]


@pytest.mark.parametrize(("file", "kind"), UNREAD)
def test_what_cannot_be_read_is_told_in_a_sentence_by_every_command(
    damaged: Callable[[str, str], Command], file: str, kind: str
) -> None:
    smolville = damaged(file, kind)
    before = state_of(smolville.runs)
    for words in READING:
        assert UNREAD[file, kind] in one_sentence(smolville(*words)), words
    said = smolville("runs")
    assert said.code == 0
    assert "damaged" in said.out and "amber" in said.out
    assert state_of(smolville.runs) == before
    assert not list(Path().glob("amber.*"))


@pytest.mark.parametrize(("file", "kind"), READ)
def test_reading_does_without_the_files_that_only_living_needs(
    damaged: Callable[[str, str], Command], file: str, kind: str
) -> None:
    smolville = damaged(file, kind)
    before = state_of(smolville.runs)
    for words in READING:
        said = smolville(*words)
        assert said.code == 0, (words, said.err)
    assert "finished" in smolville("runs").out
    assert state_of(smolville.runs) == before


@pytest.mark.parametrize("kind", ["half", "garbage", "folder", "foreign"])
def test_a_damaged_inbox_is_named_and_what_is_lost_with_it(
    damaged: Callable[[str, str], Command], kind: str
) -> None:
    smolville = damaged("inbox.sqlite", kind)
    before = state_of(smolville.runs / "amber")
    for words in (
        ("tell", "amber", "Ada", "Listen"),
        ("interview", "amber", "Ada", "How are you?"),
        ("run", "amber", "--resume", "--for", "1h", "--quiet"),
    ):
        said = smolville(*words)
        told = said.err.strip().splitlines()[-1]
        assert said.code == 2
        assert "he inbox of run 'amber'" in told and "inbox.sqlite" in told
        assert "out of the run's folder, and a new one is made" in told
        assert "town.sqlite" not in told and "history" not in told
    after = state_of(smolville.runs / "amber")
    changed = {name for name in before | after if before.get(name) != after.get(name)}
    assert changed <= {"run.log"} or kind == "foreign"


@pytest.mark.parametrize("seed", range(6))
def test_a_cell_that_cannot_be_read_is_told_in_a_sentence(lived: Command, seed: int) -> None:
    what = flip_cell(lived.runs / "amber", Random(seed))
    before = state_of(lived.runs / "amber")
    reading = READING[seed % 2 :: 2]
    for words in (*reading, ("run", "amber", "--resume", "--for", "1h", "--quiet")):
        said = lived(*words)
        assert said.code in (0, 1, 2) and "Traceback" not in said.err, (what, words)
        assert said.code == 0 or said.out or len(said.err.strip().splitlines()) == 1, (what, words)
        if words in reading:
            after = state_of(lived.runs / "amber")
            changed = {name for name in before | after if before.get(name) != after.get(name)}
            assert not [each for each in changed if not each.endswith(("-wal", "-shm"))], words


def test_without_its_inbox_a_run_goes_on_as_if_nothing_had_been_in_it(lived: Command) -> None:
    assert lived("fork", "amber", "birch").code == 0
    assert lived("run", "birch", "--resume", "--for", "1h", "--quiet").code == 0
    (lived.runs / "amber" / "inbox.sqlite").unlink()
    assert lived("run", "amber", "--resume", "--for", "1h", "--quiet").code == 0
    assert lived.digest("amber") == lived.digest("birch")


def test_a_lock_that_is_no_file_is_told(damaged: Callable[[str, str], Command]) -> None:
    smolville = damaged("lock", "folder")
    for words in (
        ("run", "amber", "--resume", "--for", "1h", "-q"),
        ("runs", "amber", "--delete", "--yes"),
    ):
        told = one_sentence(smolville(*words))
        assert "he lock of run 'amber' cannot be opened" in told and "move away" in told
    assert smolville("fork", "amber", "birch").code == 0
    assert smolville.digest("birch") == smolville.digest("amber")


@pytest.mark.parametrize("kind", ["folder", "garbage"])
def test_a_fork_does_without_memories_that_are_damaged(
    damaged: Callable[[str, str], Command], kind: str
) -> None:
    smolville = damaged("memories/chroma.sqlite3", kind)
    assert smolville("fork", "amber", "birch").code == 0
    said = smolville("run", "birch", "--resume", "--for", "10m")
    assert said.code == 0
    assert "rebuilt" in said.err
