"""`smolville run --budget`: a new run's day is fitted into real time before it begins."""

from collections.abc import Iterator

import pytest

from smolville.history.folder import RunFolder, list_runs
from smolville.history.reader import RunReader
from smolville.lab.duration import remember_seconds
from tests.cli.conftest import Command, Said
from tests.fixtures.faulty_server import serve_faults

EVERYBODY = ("Ada Brook", "Ben Hollis", "Cora Vance")
DAY, HOUR = 86_400, 3600


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A llama.cpp server that opens, and turns every question down."""
    with serve_faults() as url:
        yield f"{url}/locked"


def measured(url: str, seconds_a_call: float) -> None:
    """Remember that the doctor measured so many seconds a call."""
    remember_seconds(f"llamacpp:{url}", float(seconds_a_call))


def begun(smolville: Command, url: str, *words: str) -> Said:
    """Begin the run `amber`, which stops at its first question."""
    town = ("--town", str(smolville.town), "--model", f"llamacpp:{url}", "--set", "num_ctx=8192")
    return smolville("run", "amber", *town, *words)


def lives(smolville: Command) -> tuple[tuple[str, ...], int]:
    """Return who lives in the run, and the town second of its goal."""
    folder = RunFolder.open(smolville.runs, "amber")
    with RunReader(folder) as reader:
        goal = reader.goal()
    assert goal is not None
    return folder.spec.cast, goal.at


@pytest.mark.parametrize(
    ("seconds_a_call", "budget", "people", "goal"),
    [
        (1, "30m", 3, DAY),
        (11.3, "30m", 3, 18 * HOUR),
        (11.3, "16m", 3, 12 * HOUR),
        (11.3, "11m", 2, 12 * HOUR),
        (11.3, "3m", 1, 9 * HOUR),
    ],
)
def test_hours_give_way_before_people(
    smolville: Command, url: str, seconds_a_call: float, budget: str, people: int, goal: int
) -> None:
    measured(url, seconds_a_call)
    said = begun(smolville, url, "--budget", budget)
    assert lives(smolville) == (EVERYBODY[:people], goal), said.err
    [line] = [line for line in said.err.splitlines() if line.startswith("budget")]
    assert ("that fits into" in line) == (goal == DAY)
    assert ("to fit into" in line) == (goal < DAY)


def test_what_was_asked_for_holds(smolville: Command, url: str) -> None:
    measured(url, 11.3)
    begun(smolville, url, "--budget", "20m", "--for", "10h")
    assert lives(smolville) == (EVERYBODY[:3], 10 * HOUR)
    begun(smolville, url, "--budget", "13m", "--cast", "3", "--overwrite")
    assert lives(smolville) == (EVERYBODY[:3], 10 * HOUR)
    begun(smolville, url, "--budget", "20m", "--agents", "Cora,Ben", "--overwrite")
    assert lives(smolville)[0] == ("Cora Vance", "Ben Hollis")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--for", "1d", "--cast", "3"), "Leave --cast and --for out"),
        (("--agents", "Ada,Ben", "--until", "1 20:00"), "Leave --agents and --until out"),
        ((), "Take a longer --budget, or a faster model."),
    ],
)
def test_no_run_is_begun_where_no_day_fits(
    smolville: Command, url: str, words: tuple[str, ...], told: str
) -> None:
    measured(url, 14)
    said = begun(smolville, url, "--budget", "1m", *words)
    assert said.code == 2
    assert "--budget 1m is too short: " in said.err
    assert ("even Ada Brook alone until 1 07:00, " in said.err) == (not words)
    assert told in said.err
    assert list_runs(smolville.runs) == []


def test_a_cast_of_the_settings_is_named_where_it_stands(
    smolville: Command, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured(url, 14)
    monkeypatch.setenv("SMOLVILLE_CAST", "3")
    said = begun(smolville, url, "--budget", "1m")
    assert "Leave SMOLVILLE_CAST out" in said.err


def test_a_model_that_was_never_measured_is_sent_to_the_doctor(
    smolville: Command, url: str
) -> None:
    unknown = url.replace("/locked", "/lost")
    said = begun(smolville, unknown, "--budget", "30m")
    assert said.code == 2
    assert f"Run the doctor first: smolville doctor --model llamacpp:{unknown}" in said.err
    assert list_runs(smolville.runs) == []


def test_the_stand_in_needs_no_budget(smolville: Command) -> None:
    said = smolville.live("amber", "--budget", "30m")
    assert said.code == 2
    assert "leave --budget out" in said.err
    assert list_runs(smolville.runs) == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--budget", "soon"), "--budget cannot be 'soon': write how long"),
        (("--budget", "300steps"), "write how long as 30m or 2h of real time"),
        (("--budget", "30m", "--resume"), "--resume and --budget exclude each other"),
    ],
)
def test_a_budget_that_cannot_be_is_a_sentence(
    smolville: Command, words: tuple[str, ...], told: str
) -> None:
    said = smolville.live("amber", *words)
    assert said.code == 2
    assert told in said.err
