"""Runs of earlier schemas open for reading, and are never written to.

`tests/recordings/runs` holds a small run of each schema that is still read, `schema-7.zip` first.
Whoever raises the version packs one more by the program before the change
(`benchmarks/sample.py` has `pack`).
"""

import re
import zipfile
from pathlib import Path

import pytest

from smolville.agents.errors import RunError
from smolville.history import schema
from smolville.history.folder import RunFolder
from smolville.reports.runs import opened_run
from smolville.reports.story import write_story
from tests.cli.conftest import Command

RECORDINGS = Path(__file__).parents[1] / "recordings" / "runs"
EACH = pytest.mark.parametrize("recording", sorted(RECORDINGS.glob("*.zip")), ids=lambda p: p.stem)


def unpacked(recording: Path, runs: Path) -> RunFolder:
    """Return a recorded run as a run of one's own, which is called `sample`."""
    with zipfile.ZipFile(recording) as archive:
        archive.extractall(runs / "sample")
    return RunFolder.open(runs, "sample")


def test_there_is_a_run_of_every_schema_that_is_read() -> None:
    versions = [int(re.findall(r"\d+", path.stem)[0]) for path in RECORDINGS.glob("*.zip")]
    assert sorted(versions) == list(range(schema.OLDEST, schema.VERSION + 1))


@EACH
def test_a_run_of_its_schema_is_read_whole(recording: Path, tmp_path: Path) -> None:
    unpacked(recording, tmp_path)
    with opened_run(tmp_path, "sample") as run:
        assert run.reader.faults() == []
        assert "Ada Brook" in write_story(run.reader, run.start_date, None)
        for key in run.reader.use_keys():
            assert run.reader.step(key) is not None


@EACH
def test_after_a_change_of_the_schema_it_is_shown_and_not_gone_on_with(
    recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = unpacked(recording, tmp_path)
    before = folder.history_path.read_bytes()
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    command = Command(tmp_path, folder.path / "town")
    for words in (("show", "sample"), ("timeline", "sample"), ("health", "sample")):
        assert command(*words).code == 0
    refused = command("run", "sample", "--resume", "--for", "1h", "--quiet")
    assert (refused.code, refused.out) == (2, "")
    told = " ".join(refused.err.split())
    assert "it can be viewed (show, timeline, view), but not resumed" in told
    assert folder.history_path.read_bytes() == before


@EACH
def test_a_schema_that_is_no_longer_read_is_refused(
    recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpacked(recording, tmp_path)
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 2)
    monkeypatch.setattr(schema, "OLDEST", schema.VERSION)
    with (
        pytest.raises(RunError, match=r"an earlier Smolville .* this one reads 10 to 10"),
        opened_run(tmp_path, "sample"),
    ):
        pass
