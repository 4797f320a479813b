"""A damaged run is one sentence, and wrong addresses are sentences too."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from smolville.history.schema import VERSION
from tests.fixtures.damage import KINDS, state_of
from tests.viewer.playback.conftest import answering

LINKS = ("loop", "pipe")
"""Kinds of damage because of which nothing of a run is opened."""
PARTS = ("head.json", "tracks.json", "person/0.json")


@pytest.fixture
def copy(town_run: RunFolder, tmp_path: Path) -> RunFolder:
    """A copy of a lived run that may be damaged."""
    shutil.copytree(town_run.path, tmp_path / "runs" / "town")
    shutil.copytree(town_run.path, tmp_path / "kept")
    return RunFolder.open(tmp_path / "runs", "town")


def edit(folder: RunFolder, *statements: str) -> None:
    """Change a history behind everybody's back."""
    with sqlite3.connect(folder.history_path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE deeds SET partners = '[' WHERE rowid = 3",
        "UPDATE minds SET blob = 'x' WHERE rowid = 1",
        "DROP TABLE goals",
        f"PRAGMA user_version = {VERSION + 1}",
    ],
)
def test_what_cannot_be_read_is_one_sentence_as_in_the_commands(
    copy: RunFolder, damage: str
) -> None:
    edit(copy, damage)
    with answering(copy.path.parent) as asked:
        answers = [asked.client.get(f"/replay/town/{what}") for what in PARTS]
    refused = [each.json()["detail"] for each in answers if each.status_code == 404]
    assert refused
    assert all("un 'town' " in each for each in refused)


@pytest.mark.parametrize("file", ["run.json", "town.sqlite", "inbox.sqlite", "pulse.json"])
def test_addresses_answer_in_json_whatever_has_befallen_a_file(copy: RunFolder, file: str) -> None:
    whole = state_of(copy.path)
    with answering(copy.path.parent) as asked:
        for kind, damage in KINDS.items():
            if not (copy.path / file).exists():
                (copy.path / file).write_text("{}")
            damage(copy.path / file)
            before = state_of(copy.path)
            for what in PARTS:
                answer = asked.client.get(f"/replay/town/{what}")
                if kind in LINKS or file in ("run.json", "town.sqlite"):
                    assert answer.status_code == 404, kind
                    assert "un 'town'" in answer.json()["detail"], kind
                else:
                    assert answer.status_code == 200, kind
            assert state_of(copy.path) == before, kind
            KINDS["folder"](copy.path / file)
            (copy.path / file).rmdir()
            if file in whole:
                shutil.copy(copy.path.parents[1] / "kept" / file, copy.path / file)
