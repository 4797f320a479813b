"""What a guided start asks for, as a command line, and what it refuses."""

from pathlib import Path

import pytest

from smolville.agents.errors import RunError
from smolville.lab.duration import remember_seconds
from smolville.viewer.starting.choices import feel
from smolville.viewer.starting.form import WantedRun


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (WantedRun(name="a"), "nobody is chosen"),
        (WantedRun(name="../a", people=("x",)), "cannot name a run"),
        (WantedRun(name="a", people=("x",), length="1d --overwrite"), "cannot begin with a length"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(wanted: WantedRun, why: str) -> None:
    with pytest.raises(RunError, match=why):
        wanted.options()


def test_what_a_model_feels_like_is_what_the_doctor_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert feel("standin", 160) == "under a minute"
    assert feel("ollama:tiny", 160) == "never measured here (smolville doctor)"
    remember_seconds("ollama:tiny", 3.0)
    assert feel("ollama:tiny", 160) == "about 8 min"
