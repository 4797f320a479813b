"""What the doctor measured is remembered for later runs on the same machine."""

from pathlib import Path

import pytest

from smolville.lab.doctor.estimate import Pace
from smolville.lab.duration import remember_pace, remembered_pace

PACE = Pace(reading=50.0, writing=10.0, cached=0.5)


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "smolville"


def test_each_model_has_a_pace_of_its_own() -> None:
    assert remembered_pace("ollama:tiny") is None
    remember_pace("ollama:tiny", PACE)
    remember_pace("ollama:other", Pace(reading=1.0, writing=1.0))
    assert remembered_pace("ollama:tiny") == PACE
    remember_pace("ollama:tiny", Pace(reading=60.0, writing=10.0))
    assert remembered_pace("ollama:tiny") == Pace(reading=60.0, writing=10.0)


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"m": 3}', '{"m": {"reading": "fast"}}', '{"m": {"reading": 0, "writing": 1}}'],
)
def test_a_damaged_file_is_passed_over(config: Path, text: str) -> None:
    config.mkdir()
    (config / "paces.json").write_text(text)
    assert remembered_pace("m") is None
    remember_pace("m", PACE)
    assert remembered_pace("m") == PACE


def test_a_folder_that_cannot_be_written_is_passed_over(config: Path) -> None:
    config.write_text("in the way")
    remember_pace("m", PACE)
    assert remembered_pace("m") is None


def test_a_pace_tells_what_a_call_takes() -> None:
    assert PACE.seconds(1000, 100) == 20.0
    assert 10 < PACE.a_call < 30
