"""Packing a run as a recording that comes with the program, and the page about the first."""

import json
import sqlite3
import zipfile
from pathlib import Path

import pytest

from benchmarks import sample
from smolville.history.digest import digest
from smolville.history.folder import SAMPLE, SMALL_SAMPLE, RunFolder, packed_sample
from smolville.history.reader import RunReader
from smolville.history.spec import SPEC_FILE, RunSpec


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """A run of one's own, lived on: the shipped day once more, where it can be written to."""
    return unpacked(packed_sample(SAMPLE), tmp_path)


def unpacked(packed: Path, folder: Path) -> RunFolder:
    """A recording as a run of one's own."""
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(folder / "runs" / "mine")
    return RunFolder.open(folder / "runs", "mine")


def change(folder: RunFolder, query: str, *given: str) -> None:
    connection = sqlite3.connect(folder.history_path)
    with connection:
        connection.execute(query, given)
    connection.close()


def named(folder: RunFolder, model: str) -> RunFolder:
    """The run, as if this model had been asked."""
    spec = json.loads((folder.path / SPEC_FILE).read_text())
    spec["models"]["fast"] = spec["models"]["strong"] = model
    spec["models"]["sizes"] = {model: "1.8B, Q4_K_M"}
    spec["models"]["windows"] = {model: 8192}
    (folder.path / SPEC_FILE).write_text(json.dumps(spec))
    change(folder, "UPDATE calls SET model = ?", model)
    return RunFolder.open(folder.path.parent, folder.name)


def test_a_packed_run_is_the_run_without_its_machine(folder: RunFolder, tmp_path: Path) -> None:
    folder = named(folder, f"gguf:{Path.home()}/models/tiny.gguf?slots=1")
    sample.pack(folder, tmp_path / "one.zip")
    sample.pack(folder, tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        archive.extractall(tmp_path / "runs" / "again")
    again = RunFolder.open(tmp_path / "runs", "again")
    assert again.spec.models.fast == again.spec.models.strong == "gguf:tiny.gguf?slots=1"
    assert again.spec.models.sizes == {"gguf:tiny.gguf?slots=1": "1.8B, Q4_K_M"}
    assert again.spec.models.windows == {"gguf:tiny.gguf?slots=1": 8192}
    with RunReader(again) as reader:
        found = digest(reader)
        models = reader.connection.execute("SELECT DISTINCT model FROM calls").fetchall()
        assert models == [("gguf:tiny.gguf?slots=1",)]
        assert reader.faults() == []
    with RunReader(named(folder, "gguf:tiny.gguf?slots=1")) as reader:
        assert digest(reader) == found


def test_a_text_that_names_a_folder_of_this_machine_stops_it(
    folder: RunFolder, tmp_path: Path
) -> None:
    change(folder, "UPDATE memories SET text = ? WHERE n = 1", f"I read {Path.home()}/notes today.")
    with pytest.raises(sample.PackError, match=rf"memories of the run names {Path.home()}"):
        sample.pack(folder, tmp_path / "one.zip")
    assert not (tmp_path / "one.zip").exists()


def test_a_run_that_is_too_large_stops_it(
    folder: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sample.LARGEST, SAMPLE, 1000)
    with pytest.raises(sample.PackError, match="may be shipped; record fewer people or hours"):
        sample.pack(folder, tmp_path / "one.zip")
    assert not (tmp_path / "one.zip").exists()


def test_a_run_becomes_the_recording_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = SMALL_SAMPLE
    mine = unpacked(packed_sample(SMALL_SAMPLE), tmp_path)
    monkeypatch.setattr(sample, "packed_sample", lambda name: tmp_path / f"{name}.zip")
    sample.main([str(mine.path.parent), "mine", "--as", name, "--answers", "Ann wrote all"])
    assert [path.stem for path in tmp_path.glob("*.zip")] == [name]
    with zipfile.ZipFile(tmp_path / f"{name}.zip") as archive:
        spec = RunSpec.model_validate_json(archive.read(SPEC_FILE))
    assert (spec.name, spec.answers) == (name, "Ann wrote all")
