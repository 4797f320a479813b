"""Moments come from a run, a file or a dataset, by whatever name they were given."""

from collections import Counter
from pathlib import Path

import pytest

from smolville.agents.errors import RunError
from smolville.history.folder import SAMPLES
from smolville.lab.moments.datasets import dpo_rows, sft_rows
from smolville.lab.moments.files import write_moments
from smolville.lab.moments.finding import moments_from
from smolville.lab.moments.moment import Moment
from smolville.lab.safe_files import write_lines


def test_a_run_gives_its_moments(runs: Path, moments: list[Moment]) -> None:
    assert moments_from("clumsy", runs) == moments


@pytest.mark.parametrize("name", SAMPLES)
def test_a_recording_gives_its_moments_where_no_run_is(name: str, tmp_path: Path) -> None:
    assert {each.run for each in moments_from(name, tmp_path / "none")} == {name}


def test_a_moments_file_needs_no_run(moments: list[Moment], tmp_path: Path) -> None:
    write_moments(tmp_path / "some.jsonl", moments[3:9])
    assert moments_from(str(tmp_path / "some.jsonl"), tmp_path / "none") == moments[3:9]


def test_training_rows_lead_back_to_their_moments(
    runs: Path, moments: list[Moment], tmp_path: Path
) -> None:
    good = [moment for moment in moments if not moment.record.odd]
    write_lines(tmp_path / "sft.jsonl", sft_rows(reversed(moments), Counter()))
    assert moments_from(str(tmp_path / "sft.jsonl"), runs) == good[::-1]
    write_lines(tmp_path / "dpo.jsonl", dpo_rows(moments, Counter()))
    bad = [moment for moment in good if moment.outcome == "repaired"]
    assert moments_from(str(tmp_path / "dpo.jsonl"), runs) == bad


def test_training_rows_without_their_run_say_so(
    runs: Path, moments: list[Moment], tmp_path: Path
) -> None:
    path = tmp_path / "sft.jsonl"
    write_lines(path, sft_rows(moments, Counter()))
    with pytest.raises(RunError, match=r"which no run in .*--format jsonl"):
        moments_from(str(path), tmp_path / "none")
    path.write_text(path.read_text("utf-8").replace(moments[2].id, "clumsy/00000000"), "utf-8")
    with pytest.raises(RunError, match="'clumsy/00000000', which no run in"):
        moments_from(str(path), runs)


def test_an_unknown_name_is_told_with_the_nearest_run(runs: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"no run and no file 'clumzy'; did you mean clumsy?"):
        moments_from("clumzy", runs)
    with pytest.raises(RunError, match=r"no run and no file 'what.jsonl'; runs: clumsy."):
        moments_from("what.jsonl", runs)
    with pytest.raises(RunError, match="no run and no file 'x'"):
        moments_from("x", tmp_path)
