"""What a guided start asks for, as a command line, and what it refuses."""

import pytest

from agents.errors import RunError
from viewer.starting.form import WantedRun
from viewer.starting.start_page import spoken_moment


def test_a_start_is_a_command_line() -> None:
    wanted = WantedRun(
        name="spring", people=("Ada Brook", "Ben Cole"), model="ollama:mistral", seed=3
    )
    assert wanted.options() == [
        *("--agents", "Ada Brook,Ben Cole", "--model", "ollama:mistral"),
        *("--for", "1d", "--seed", "3"),
    ]
    assert WantedRun(name="a", people=("x",), town="towns/mine").options()[-2:] == [
        "--town",
        "towns/mine",
    ]


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


def test_moments_of_runs_are_said_in_words() -> None:
    assert spoken_moment("1 14:30") == "day 1, 14:30"
    assert spoken_moment("2 00:00") == "end of day 1"
    assert spoken_moment("1 00:00") == "day 1, 00:00"
    assert spoken_moment("") == ""
