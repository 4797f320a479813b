"""Beginning a run, going on with it, and what it says at its end."""

import pytest

from smolville.agents.wording import format_count
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from tests.cli.conftest import SEED, Command


def test_a_run_says_what_begins_and_what_it_held(smolville: Command) -> None:
    said = smolville.live("amber", "--for", "7h")
    assert said.code == 0
    assert "run    amber (new, in " in said.err
    assert "town   Smalltown with Ada Brook and Ben Hollis" in said.err
    assert "model  standin" in said.err
    assert "until  Monday 6 May, 07:00 (day 1 07:00)" in said.err
    assert "amber: lived up to Monday 6 May, 07:00" in said.out
    assert f"smolville timeline amber --runs {smolville.runs}" in said.out


def test_verbose_off_a_terminal_is_a_line_per_town_hour(smolville: Command) -> None:
    said = smolville.live("amber", "--for", "9h", "--verbose")
    hours = [line for line in said.err.splitlines() if line.startswith("Mon 6 May")]
    assert 4 <= len(hours) <= 10
    assert all(" thoughts · " in line and " fallbacks" in line for line in hours)
    assert "━" not in said.err


def test_a_run_goes_on_to_the_goal_it_was_given_first(lived: Command) -> None:
    assert lived("fork", "amber", "birch", "--at", "1 08:00").code == 0
    assert lived("runs", "--json").json[0]["state"] == "paused"
    said = lived("run", "birch", "--resume")
    assert said.code == 0, said.err
    assert "goes on from Monday 6 May, 07:" in said.err or "from Monday 6 May, 08:00" in said.err
    assert "lived up to Monday 6 May, 13:00" in said.out


def test_a_run_gone_on_with_equals_one_that_was_never_stopped(lived: Command) -> None:
    whole = lived.digest("amber")
    assert lived("fork", "amber", "birch", "--at", "1 08:30").code == 0
    cut = lived.digest("birch")
    assert lived("run", "birch", "--resume", "--quiet").code == 0
    assert lived.digest("birch") == whole != cut


def test_a_run_goes_on_farther_when_asked(lived: Command) -> None:
    said = lived("run", "amber", "--resume", "--for", "30m", "--quiet")
    assert said.code == 0
    assert "lived up to Monday 6 May, 13:30" in said.out
    assert (
        "lived up to Monday 6 May, 14:00"
        in lived(*("run", "amber", "--resume", "--until", "1 14:00", "--quiet")).out
    )


def test_resume_without_a_name_takes_the_run_begun_last(lived: Command) -> None:
    said = lived("run", "--resume", "--for", "10m", "--quiet")
    assert "amber: lived up to Monday 6 May, 13:10" in said.out


def test_overwrite_replaces_a_run(lived: Command) -> None:
    said = lived.live("amber", "--overwrite", "--for", "10m", "--quiet", "--seed", "7")
    assert said.code == 0
    assert RunFolder.open(lived.runs, "amber").spec.seed == 7


@pytest.mark.parametrize(
    ("words", "begun"),
    [
        (("--seed", "9"), f"--seed {SEED}"),
        (("--set", "tick=60"), "--set tick=10"),
        (("--cast", "25"), "--cast 3"),
        (("--agents", "Ada,Ben"), "--agents Ada Brook, Ben Hollis, Cora Vance"),
        (("--embedder", "ollama:nomic-embed-text"), "--embedder wordllama"),
        (("--town", "elsewhere"), "--town "),
    ],
)
def test_an_option_that_contradicts_how_a_run_was_begun_is_refused(
    morning: Command, words: tuple[str, ...], begun: str
) -> None:
    said = morning("run", "amber", "--resume", "--for", "1h", *words)
    assert said.code == 2
    assert f"begun {begun}" in said.err or f"begun with {begun}" in said.err
    assert len(said.err.strip().splitlines()) == 1


def test_a_run_may_go_on_with_another_model(lived: Command) -> None:
    words = ("--for", "10m", "--model", "standin:mistakes=0.5")
    said = lived("run", "amber", "--resume", *words)
    assert said.code == 0
    assert "begun with standin" in said.out + said.err


def test_the_same_options_again_are_no_contradiction(lived: Command) -> None:
    again = ("--seed", SEED, "--set", "tick=10", "--cast", "3", "--agents", "Cora,Ada,Ben")
    said = lived("run", "amber", "--resume", "--for", "10m", "-q", *again[:6])
    assert said.code == 0, said.err
    assert lived("run", "amber", "--resume", "--for", "10m", "-q", *again[6:]).code == 0


def test_every_count_agrees(morning: Command) -> None:
    with RunReader(RunFolder.open(morning.runs, "amber")) as reader:
        counts = reader.counts()
        talks, faults = len(reader.talks()), reader.faults()
        memories = sum(len(reader.memories(name)) for name in reader.agents())
        query = "SELECT COUNT(*) FROM committed_calls"
        calls = reader.connection.execute(query).fetchone()[0]
    steps = sum(part.steps for part in counts.values())
    assert faults == []
    assert talks > 0
    numbers = morning("show", "amber", "--json").json["numbers"]
    assert (numbers["talks"], numbers["memories"]) == (talks, memories)
    assert numbers["total"]["attempts"] == calls
    ways = ("clean", "mended", "repaired", "escalated", "fallback")
    assert sum(numbers["total"][way] for way in ways) == numbers["total"]["steps_taken"] == steps
    assert sum(part["attempts"] for part in numbers["by_agent"].values()) == calls
    story = morning("timeline", "amber").out
    assert story.count("💬 **") == talks


def test_the_summary_has_the_counts_of_the_history(lived: Command) -> None:
    said = lived("run", "amber", "--resume", "--for", "10m")
    numbers = lived("show", "amber", "--json").json["numbers"]
    assert f"{format_count(numbers['total']['steps_taken'], 'question')} to the model: " in said.out
    assert f"{format_count(numbers['talks'], 'talk')} of " in said.out
    assert f"{numbers['memories']} memories" in said.out
