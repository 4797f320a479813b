"""The recorded day that comes with the program: opened like any run, and never changed."""

import os
import zipfile
from pathlib import Path

import pytest

from agents.errors import RunError
from agents.times import DAY_SECONDS
from history.cut import fork, truncate
from history.digest import digest
from history.drafting import new_run, remove_run
from history.folder import RunFolder, list_runs
from history.inbox import Inbox, OperatorRequest
from history.reader import RunReader
from history.sample import SAMPLE, packed_sample, sample_folder
from reports.runs import describe_recording, opened_run
from reports.story import write_story
from tests.history.made_up import spec
from world.town.town import town_of

GOLDEN = Path(__file__).parent / "golden" / "sample.txt"
LARGEST = 3_500_000
"""Bytes that a recording may take of the wheel."""


def test_it_is_small_and_holds_a_run_with_its_town() -> None:
    assert packed_sample().stat().st_size <= LARGEST
    with zipfile.ZipFile(packed_sample()) as archive:
        names = archive.namelist()
    assert {"run.json", "town.sqlite", "town/town.toml", "town/map.tmj"} <= set(names)
    assert all(name.startswith("town") or name == "run.json" for name in names)


def test_this_version_opens_all_of_it(tmp_path: Path) -> None:
    """After a change of schema, town or texts, convert the recording rather than this test."""
    with opened_run(tmp_path, SAMPLE) as run:
        assert run.at == 2 * DAY_SECONDS
        assert run.reader.faults() == []
        assert len(run.folder.spec.cast) == 3
        assert set(run.folder.spec.cast) <= set(run.town.personas)
        story = write_story(run.reader, run.start_date, None)
        for key in run.reader.use_keys():
            assert run.reader.step(key) is not None
        for agent in run.reader.agents():
            assert run.reader.memories(agent)
            assert run.reader.mind(agent) is not None
    for name in run.folder.spec.cast:
        assert name in story
    assert not list_runs(tmp_path)


def test_its_digest_and_its_story_stay_as_they_are(tmp_path: Path) -> None:
    with opened_run(tmp_path, SAMPLE) as run:
        story = write_story(run.reader, run.start_date, None).splitlines()
        text = "\n".join([digest(run.reader), describe_recording(run.folder), *story[:30], ""])
    if os.environ.get("SMOLVILLE_UPDATE_GOLDEN") == "1":
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_its_history_names_no_folder_of_the_machine_it_was_made_on() -> None:
    spec = RunFolder.open(Path("nowhere"), SAMPLE).spec
    assert spec.town == ""
    for model in (spec.models.fast, spec.models.strong, spec.models.embedder):
        assert "/" not in model.partition("://")[2].partition("/v1")[2]
        assert model.startswith("openai:http://127.0.0.1") or "/" not in model


def test_its_label_is_what_its_header_says() -> None:
    folder = RunFolder.open(Path("nowhere"), SAMPLE)
    models = folder.spec.models.model_copy(
        update={"fast": "gguf:/far/away/tiny-1b.Q4.gguf?slots=2", "strong": "standin:mistakes=0.1"}
    )
    assert "a capable writer gave every answer" in describe_recording(folder)
    changed = folder.spec.model_copy(update={"models": models, "answers": ""})
    other = RunFolder(folder.path, changed)
    assert describe_recording(other) == (
        "2 recorded days of 3 people; tiny-1b.Q4 and the built-in stand-in (rules, no model) "
        "(standin:mistakes=0.1) think for them."
    )


def test_whatever_would_change_it_is_refused(tmp_path: Path) -> None:
    folder = RunFolder.open(tmp_path, SAMPLE)
    before = sorted(path.name for path in folder.path.iterdir())
    with RunReader(folder) as reader:
        now = digest(reader)
    for change in (
        lambda: folder.lock().__enter__(),
        lambda: truncate(folder, 10),
        lambda: remove_run(folder),
        lambda: Inbox(folder).put(
            OperatorRequest(kind="whisper", target="Nadia Farouk", text="hello")
        ),
    ):
        with pytest.raises(RunError, match=r"can only be viewed; .* smolville fork sample mine"):
            change()
    assert sorted(path.name for path in folder.path.iterdir()) == before
    with RunReader(folder) as reader:
        assert digest(reader) == now


def test_a_run_that_begins_like_it_brings_its_town(tmp_path: Path) -> None:
    mine = fork(tmp_path, SAMPLE, "mine", 360)
    assert (mine.is_sample, list_runs(tmp_path)) == (False, ["mine"])
    assert town_of(mine).folder == tmp_path / "mine" / "town"
    with Inbox(mine) as inbox:
        inbox.put(OperatorRequest(kind="whisper", target="Nadia Farouk", text="hello"))


def test_a_run_of_ones_own_of_that_name_comes_first(tmp_path: Path) -> None:
    new_run(tmp_path, spec().model_copy(update={"name": SAMPLE}))
    own = RunFolder.open(tmp_path, SAMPLE)
    assert own.path == tmp_path / SAMPLE != sample_folder()
    own.check_own()
