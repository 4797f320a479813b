"""Moments come from a run, a file or a dataset, by whatever name they were given."""

from pathlib import Path

import pytest

from smolville.agents.errors import RunError
from smolville.history.folder import SAMPLES
from smolville.lab.moments.files import write_moments
from smolville.lab.moments.finding import moments_from
from smolville.lab.moments.moment import Moment


def test_a_run_gives_its_moments(clumsy: Path, moments: list[Moment]) -> None:
    assert moments_from("clumsy", clumsy) == moments


@pytest.mark.parametrize("name", SAMPLES)
def test_a_recording_gives_its_moments_where_no_run_is(name: str, tmp_path: Path) -> None:
    assert {each.run for each in moments_from(name, tmp_path / "none")} == {name}


def test_a_moments_file_needs_no_run(moments: list[Moment], tmp_path: Path) -> None:
    write_moments(tmp_path / "some.jsonl", moments[3:9])
    assert moments_from(str(tmp_path / "some.jsonl"), tmp_path / "none") == moments[3:9]


def test_an_unknown_name_is_told_with_the_runs(clumsy: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"there is no run 'clumzy' in .*; there: [cs]"):
        moments_from("clumzy", clumsy)
    with pytest.raises(RunError, match="no run and no file 'nowhere/what"):
        moments_from("nowhere/what.jsonl", tmp_path)
