"""Folders that cannot be read or written, or are none: one sentence, code 2, nothing changed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Command, Said
from tests.fixtures.permissions import permissions_hold

READERS = (("runs",), ("show", "amber"), ("compare", "amber", "--digest"), ("timeline", "amber"))


@pytest.fixture(autouse=True)
def permissions() -> Iterator[None]:
    """What a file's permissions deny is denied."""
    with permissions_hold():
        yield


def sentence(said: Said) -> str:
    """The one sentence of a refusal."""
    assert (said.code, said.out) == (2, ""), said
    (line,) = said.err.strip().splitlines()
    assert "Errno" not in line and ".new-" not in line and ".old-" not in line
    return line


@pytest.mark.parametrize("below", ["", "sub"])
def test_a_file_or_a_closed_folder_where_the_runs_should_be_is_named(
    tmp_path: Path, small_town: Path, below: str
) -> None:
    file, closed = tmp_path / "FILE", tmp_path / "closed"
    file.write_text("kept")
    closed.mkdir(mode=0)
    for words in READERS:
        told = sentence(Command(file / below, small_town)(*words))
        assert told == f"{str(file)!r} is no folder, so no runs can live there; name a folder."
        told = sentence(Command(closed / below, small_town)(*words))
        assert told.startswith(f"{str(closed)!r} may not be read; allow it, or name another")
    assert file.read_text() == "kept"


@pytest.mark.parametrize("below", ["", "sub"])
def test_a_new_run_in_a_read_only_folder_names_the_folder(
    tmp_path: Path, small_town: Path, below: str
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o555)
    told = sentence(Command(closed / below, small_town).live("amber", "--for", "10m", "-q"))
    assert f"{str(closed)!r} does not allow it (Permission denied)" in told
    assert list(closed.iterdir()) == []


@pytest.mark.parametrize(
    "words", [("fork", "amber", "birch"), ("runs", "amber", "--delete", "--yes")]
)
def test_a_read_only_folder_of_runs_keeps_its_run(lived: Command, words: tuple[str, ...]) -> None:
    before = lived.digest("amber")
    lived.runs.chmod(0o555)
    try:
        assert f"{str(lived.runs)!r} does not allow it" in sentence(lived(*words))
        assert [path.name for path in lived.runs.iterdir()] == ["amber"]
        assert lived.digest("amber") == before
    finally:
        lived.runs.chmod(0o755)


WRITERS = (
    ("timeline", "amber", "-o", "{}/story.md"),
    ("export", "amber", "{}/page.html"),
    ("export", "amber", "--format", "jsonl", "{}/moments.jsonl"),
)


@pytest.mark.parametrize("words", WRITERS, ids=lambda words: words[-1])
def test_what_is_written_makes_its_folders_and_names_a_file_in_the_way(
    lived: Command, words: tuple[str, ...]
) -> None:
    made = [word.format("new/deep") for word in words]
    assert lived(*made).code == 0
    assert Path(made[-1]).stat().st_size > 0
    Path("FILE").write_text("kept")
    refused = [word.format("FILE/deep") for word in words]
    assert sentence(lived(*refused)) == f"{refused[-1]!r} cannot be written: 'FILE' is no folder."
    assert Path("FILE").read_text() == "kept"
