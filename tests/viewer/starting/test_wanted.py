"""What a guided start asks for, as a command line, and what it refuses."""

from pathlib import Path

import pytest

from smolville.agents.errors import RunError
from smolville.lab.duration import remember_seconds
from smolville.reports.runs import spoken_moment
from smolville.viewer.starting.form import WantedRun, seed_of
from smolville.viewer.starting.model_choice import feel
from smolville.viewer.starting.people_choice import describe_person
from smolville.world.town.town import Town, shipped_town


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
        (WantedRun(name="a", people=("x",), budget="1h --overwrite"), "cannot begin with a length"),
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


def test_a_budget_takes_the_place_of_a_length() -> None:
    wanted = WantedRun(name="a", people=("x",), model="ollama:mistral", length="2d", budget="1h")
    assert "--for" not in wanted.options()
    assert wanted.options()[4:6] == ["--budget", "1h"]


def test_a_word_stands_for_a_seed_and_a_number_for_itself() -> None:
    assert seed_of("Amber  otter") == seed_of("amber otter") != seed_of("amber stoat")
    assert 0 <= seed_of("") < 1_000_000
    assert seed_of("42") == 42
    assert 0 <= seed_of("9" * 400) < 1_000_000


def test_what_a_model_feels_like_is_what_the_doctor_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert feel("standin", 160, "this day") == "under a minute for this day"
    assert feel("ollama:tiny", 160, "this day") == "not measured on this machine yet"
    remember_seconds("ollama:tiny", 3.0)
    assert feel("ollama:tiny", 160, "this day") == "about 8 min for this day"


def test_people_are_told_by_what_they_do() -> None:
    told = [describe_person(each) for each in Town.load(shipped_town()).personas.values()]
    assert "the baker of Smolville and lives behind his shop, Zielinski Bakery" in told
    assert not [each for each in told if not each or each.startswith("is ")]
