"""Chroma's folder, missing or damaged, is made again from the history, and nobody notices."""

import shutil
from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from smolville.world.run_request import RunRequest
from tests.whole.lives import AFTERNOON, HOUR, begin, differing, live, parts


def lose(folder: RunFolder) -> None:
    shutil.rmtree(folder.memories_path)


def damage(folder: RunFolder) -> None:
    path = folder.memories_path / "chroma.sqlite3"
    path.write_bytes(b"not a database at all" * 400)


@pytest.mark.parametrize(("spoil", "said"), [(lose, "was missing"), (damage, "was damaged")])
def test_a_spoiled_folder_is_rebuilt_and_the_day_goes_on(
    day: RunFolder, small: RunRequest, tmp_path: Path, spoil: object, said: str
) -> None:
    folder = begin(tmp_path, "spoiled", small)
    live(folder, 12 * HOUR)
    assert callable(spoil)
    spoil(folder)
    (note,) = [note for note in live(folder, AFTERNOON) if "rebuilt" in note]
    assert said in note
    assert differing(parts(day), parts(folder)) == []


def test_a_whole_folder_is_read_as_it_is(small: RunRequest, tmp_path: Path) -> None:
    folder = begin(tmp_path, "whole", small)
    live(folder, 9 * HOUR)
    assert live(folder, 10 * HOUR) == []
