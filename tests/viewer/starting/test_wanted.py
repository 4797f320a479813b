"""What a guided start asks for, as a command line, and what it refuses."""

import pytest

from smolville.agents.errors import RunError
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
