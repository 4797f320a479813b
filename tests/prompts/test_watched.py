"""A folder of templates is looked at cheaply, and an edit is seen once, when it is whole."""

import os
from pathlib import Path

import pytest

from smolville.prompts.errors import PromptFolderError
from smolville.prompts.folder import WatchedFolder, shipped_texts

LONG_AGO = 1_700_000_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    mine = tmp_path / "mine"
    mine.mkdir()
    write(mine, "one")
    return mine


def write(folder: Path, text: str, name: str = "say.jinja", at: float = LONG_AGO) -> None:
    """Write a file, and be done with it at a moment."""
    (folder / name).write_text(text, encoding="utf-8")
    for path in (folder / name, folder):
        os.utime(path, (at, at))


def looked(watched: WatchedFolder, name: str = "say.jinja") -> str | None:
    """What a look at the folder finds in a file; None where nothing was edited."""
    texts = watched.read_if_changed()
    return None if texts is None else texts[name]


def test_the_first_look_finds_the_folder_over_the_shipped_ones(folder: Path) -> None:
    texts = WatchedFolder(folder, every=0).read_if_changed()
    assert texts == {**shipped_texts(), "say.jinja": "one"}


def test_a_file_that_is_taken_away_is_the_shipped_one_again(folder: Path) -> None:
    write(folder, "mine", "react.jinja")
    watched = WatchedFolder(folder, every=0)
    watched.read_if_changed()
    for name in ("react.jinja", "say.jinja"):
        (folder / name).unlink()
        os.utime(folder, (LONG_AGO, LONG_AGO))
        assert looked(watched, name) == shipped_texts()[name]
        assert looked(watched, name) is None


def test_a_folder_that_is_gone_is_said_once_and_may_come_back(folder: Path) -> None:
    watched = WatchedFolder(folder, every=0)
    watched.read_if_changed()
    away = folder.rename(folder.with_name("away"))
    with pytest.raises(PromptFolderError, match="there is no folder of templates"):
        watched.read_if_changed()
    assert watched.read_if_changed() is None
    away.rename(folder)
    os.utime(folder, (LONG_AGO, LONG_AGO))
    assert looked(watched) == "one"


def test_a_file_that_cannot_be_read_is_said_once(folder: Path) -> None:
    watched = WatchedFolder(folder, every=0)
    watched.read_if_changed()
    (folder / "say.jinja").write_bytes(b"first\n\xff\xfe")
    os.utime(folder / "say.jinja", (LONG_AGO, LONG_AGO))
    os.utime(folder, (LONG_AGO, LONG_AGO))
    with pytest.raises(PromptFolderError, match=r"say.jinja', line 2, is not UTF-8"):
        watched.read_if_changed()
    assert watched.read_if_changed() is None


def test_files_that_an_editor_keeps_for_itself_are_none_of_ours(folder: Path) -> None:
    watched = WatchedFolder(folder, every=0)
    watched.read_if_changed()
    (folder / ".#say.jinja").symlink_to("somebody@a-machine.123")
    (folder / "say.jinja~").write_text("before")
    assert watched.read_if_changed() is None
    assert ".#say.jinja" not in (WatchedFolder(folder).read_if_changed() or {})
