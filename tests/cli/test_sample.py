"""The recordings, as they are looked at by their names where no run is."""

import pytest

from smolville.history.folder import SAMPLES, RunFolder
from smolville.reports.runs import describe_recording
from tests.cli.conftest import Command

EACH = pytest.mark.parametrize("name", SAMPLES)


def somebody(smolville: Command, name: str) -> str:
    """Return the first name of one of a recording's people."""
    return RunFolder.open(smolville.runs, name).spec.cast[0].split()[0]


@EACH
def test_it_is_read_by_its_name_and_never_changed(smolville: Command, name: str) -> None:
    who = somebody(smolville, name)
    for words in (("show", name, who, "thoughts"), ("trace", name), ("recall", name, who, "party")):
        said = smolville(*words)
        assert (said.code, said.err) == (0, "")
        assert said.out.strip()
    for words in (
        ("tell", name, who, "Hello."),
        ("run", name, "--resume", "--for", "1h"),
        ("runs", name, "--delete", "--yes"),
    ):
        said = smolville(*words)
        assert said.code != 0
        assert f"{name!r} is a recording that comes with Smolville and can only be" in said.err
        assert len(said.err.strip().splitlines()) == 1
    assert not smolville.runs.exists()


@EACH
@pytest.mark.parametrize("command", ["show", "timeline", "health"])
def test_what_it_is_stands_in_what_is_read(smolville: Command, name: str, command: str) -> None:
    told = describe_recording(RunFolder.open(smolville.runs, name))
    # In Markdown the underscores of a model's name are escaped.
    assert told in " ".join(smolville(command, name).out.split()).replace("\\_", "_")


@EACH
def test_view_says_what_it_is_and_leads_to_it(smolville: Command, name: str) -> None:
    said = smolville("view", name, "--no-browser", "--port", "1", "--host", "203.0.113.9")
    assert describe_recording(RunFolder.open(smolville.runs, name)) in said.err


@EACH
def test_a_fork_of_it_is_ones_own_and_goes_on(smolville: Command, name: str) -> None:
    said = smolville("fork", name, "mine", "--at", "1 08:00")
    assert said.code == 0, said.err
    assert smolville("tell", "mine", somebody(smolville, name), "Be kind.").code == 0
    said = smolville("run", "mine", "--resume", "--for", "1m", "--model", "standin", "--quiet")
    assert said.code == 0, said.err
