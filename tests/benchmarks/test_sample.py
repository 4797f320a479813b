"""Packing a run as the recording that comes with the program, and the page about it."""

import json
import sqlite3
import zipfile
from pathlib import Path

import pytest

from benchmarks import sample
from benchmarks.real_page import BEGIN, END, PAGE, told, write_page
from history.digest import digest
from history.folder import RunFolder
from history.reader import RunReader
from history.sample import SAMPLE
from history.spec import SPEC_FILE


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """A run of one's own, lived on: the shipped day once more, where it can be written to."""
    with zipfile.ZipFile(sample.packed_sample()) as archive:
        archive.extractall(tmp_path / "runs" / "mine")
    return RunFolder.open(tmp_path / "runs", "mine")


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
    monkeypatch.setattr(sample, "LARGEST", 1000)
    with pytest.raises(sample.PackError, match="may be shipped; record fewer people or hours"):
        sample.pack(folder, tmp_path / "one.zip")
    assert not (tmp_path / "one.zip").exists()


def test_a_run_that_is_going_on_stops_it(folder: RunFolder, tmp_path: Path) -> None:
    with folder.lock(), pytest.raises(sample.PackError, match="is going on"):
        sample.pack(folder, tmp_path / "one.zip")


def test_the_page_tells_what_the_recording_holds() -> None:
    page = PAGE.read_text(encoding="utf-8")
    part = page.partition(BEGIN)[2].partition(END)[0]
    assert part.strip() == told().strip(), "python benchmarks/sample.py writes it"


def test_only_the_part_between_the_marks_is_written(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    write_page(page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{BEGIN}\n") and text.endswith(f"\n{END}\nafter\n")
    assert "\nold\n" not in text
    assert f"smolville timeline {SAMPLE}" in text
