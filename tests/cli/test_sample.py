"""The recorded day, as it is looked at by its name where no run is."""

import pytest

from history.folder import RunFolder
from history.sample import SAMPLE
from reports.runs import describe_recording
from tests.cli.conftest import Command


@pytest.mark.parametrize(
    "words",
    [
        ("show", SAMPLE),
        ("show", SAMPLE, "Nadia", "--thoughts"),
        ("timeline", SAMPLE),
        ("health", SAMPLE),
        ("recall", SAMPLE, "Nadia", "the party"),
    ],
)
def test_it_is_read_by_its_name(smolville: Command, words: tuple[str, ...]) -> None:
    said = smolville(*words)
    assert (said.code, said.err) == (0, "")
    assert said.out.strip()
    assert not smolville.runs.exists()


@pytest.mark.parametrize(
    "words",
    [
        ("whisper", SAMPLE, "Nadia", "Be kind."),
        ("run", SAMPLE, "--resume", "--for", "1h"),
        ("discard", SAMPLE, "--yes"),
        ("announce", SAMPLE, "Be kind."),
    ],
)
def test_it_is_never_changed(smolville: Command, words: tuple[str, ...]) -> None:
    said = smolville(*words)
    assert said.code != 0
    assert "can only be viewed" in said.err
    assert len(said.err.strip().splitlines()) == 1


@pytest.mark.parametrize("command", ["show", "timeline"])
def test_what_it_is_stands_in_what_is_read(smolville: Command, command: str) -> None:
    told = describe_recording(RunFolder.open(smolville.runs, SAMPLE))
    # In Markdown the underscores of a model's name are escaped.
    assert told in " ".join(smolville(command, SAMPLE).out.split()).replace("\\_", "_")


def test_whoever_has_no_run_is_told_of_it(smolville: Command) -> None:
    assert "smolville view sample" in smolville("runs").out


def test_view_says_what_it_is_and_leads_to_it(smolville: Command) -> None:
    said = smolville("view", SAMPLE, "--no-browser", "--port", "1", "--host", "203.0.113.9")
    assert "of 3 people; " in said.err


def test_a_fork_of_it_is_ones_own(smolville: Command) -> None:
    said = smolville("fork", SAMPLE, "mine", "--at", "1 08:00")
    assert said.code == 0, said.err
    assert smolville("whisper", "mine", "Nadia", "Be kind.").code == 0
