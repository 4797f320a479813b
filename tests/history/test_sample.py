"""The recordings that come with the program: opened like any run, and never changed."""

import os
from pathlib import Path

import pytest

from smolville.agents.errors import RunError
from smolville.graphs.catalogue import check_templates
from smolville.history.cut import fork
from smolville.history.digest import digest
from smolville.history.drafting import remove_run
from smolville.history.folder import (
    SAMPLE,
    SAMPLES,
    SMALL_SAMPLE,
    RunFolder,
    list_runs,
)
from smolville.history.inbox import Inbox, OperatorRequest
from smolville.history.reader import RunReader
from smolville.reports.runs import describe_recording, opened_run
from smolville.reports.story import write_story
from smolville.world.town.town import town_of

GOLDEN = Path(__file__).parent / "golden" / "sample.txt"
LARGEST = {SAMPLE: 3_500_000, SMALL_SAMPLE: 1_500_000}
"""Bytes that each recording may take of the wheel."""
EACH = pytest.mark.parametrize("name", SAMPLES)


@EACH
def test_this_version_opens_all_of_it(tmp_path: Path, name: str) -> None:
    """After a change of schema, town or texts, convert the recording rather than this test."""
    with opened_run(tmp_path, name) as run:
        assert run.folder.spec.name == name
        assert run.at > 0
        assert run.reader.faults() == []
        assert set(run.folder.spec.cast) <= set(run.town.personas)
        assert check_templates(run.reader.templates_at(run.at))
        story = write_story(run.reader, run.start_date, None)
        for key in run.reader.use_keys():
            assert run.reader.step(key) is not None
        for agent in run.reader.agents():
            assert run.reader.memories(agent)
            assert run.reader.mind(agent) is not None
    for person in run.folder.spec.cast:
        assert person in story
    assert not list_runs(tmp_path)


def test_the_first_ones_digest_and_story_stay_as_they_are(tmp_path: Path) -> None:
    with opened_run(tmp_path, SAMPLE) as run:
        story = write_story(run.reader, run.start_date, None).splitlines()
        text = "\n".join([digest(run.reader), describe_recording(run.folder), *story[:30], ""])
    if os.environ.get("SMOLVILLE_UPDATE_GOLDEN") == "1":
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


@EACH
def test_whatever_would_change_it_is_refused(tmp_path: Path, name: str) -> None:
    folder = RunFolder.open(tmp_path, name)
    before = sorted(path.name for path in folder.path.iterdir())
    with RunReader(folder) as reader:
        now = digest(reader)
    for change in (
        lambda: folder.lock().__enter__(),
        lambda: remove_run(folder),
        lambda: Inbox(folder).put(
            OperatorRequest(kind="whisper", target=folder.spec.cast[0], text="hello")
        ),
    ):
        with pytest.raises(RunError, match=rf"can only be viewed; .* fork {name} mine "):
            change()
    assert sorted(path.name for path in folder.path.iterdir()) == before
    with RunReader(folder) as reader:
        assert digest(reader) == now


@EACH
def test_a_run_that_begins_like_it_brings_its_town(tmp_path: Path, name: str) -> None:
    mine = fork(tmp_path, name, "mine", 360)
    assert (mine.is_sample, list_runs(tmp_path)) == (False, ["mine"])
    assert town_of(mine).folder == tmp_path / "mine" / "town"
    with Inbox(mine) as inbox:
        inbox.put(OperatorRequest(kind="whisper", target=mine.spec.cast[0], text="hello"))
