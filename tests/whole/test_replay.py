"""A run is rebuilt from its record alone: the same, or it is told where it differs."""

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from smolville.agents.errors import RunError
from smolville.history.calls import Packer, Unpacker
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.spec import SPEC_FILE
from smolville.models.embedding.embedder import open_embedder
from smolville.prompts.folder import shipped_texts
from smolville.prompts.prompt import TemplateSet
from smolville.reports.diff import Verification, verify_run
from smolville.reports.runs import opened_run
from smolville.world import wishes
from smolville.world.reembedding import reembed
from smolville.world.run_request import RunRequest
from smolville.world.simulation import record_templates
from smolville.world.town.town import Town
from tests.whole.lives import HOUR, begin, live, standin
from tests.whole.test_interventions import FIRE, VOICE
from tests.whole.visits import (
    ADA,
    BEN,
    CORA,
    LATER,
    MORNING,
    NILS,
    ROSA,
    answering,
    begun,
    put,
    reporter,
)
from tests.whole.visits import live as live_visited

ELEVEN = 11 * HOUR
CLUMSY = "standin:mistakes=0.3"


def verified(folder: RunFolder) -> Verification:
    """What came of rebuilding a run."""
    with opened_run(folder.path.parent, folder.name) as run:
        return verify_run(run)


def copied(folder: RunFolder, runs: Path) -> RunFolder:
    """A copy of a run, to be spoiled."""
    shutil.copytree(folder.path, runs / folder.name)
    return RunFolder.open(runs, folder.name)


def test_an_undisturbed_day_is_rebuilt(day: RunFolder) -> None:
    found = verified(day)
    assert found.is_same
    assert len(found.digest) == 32
    assert found.versions == ()


def test_a_run_of_another_schedule_and_a_clumsy_model_is_rebuilt(
    small: RunRequest, tmp_path: Path
) -> None:
    asked = replace(small, schedule="serial")
    folder = begin(tmp_path, "clumsy", asked, standin(0, CLUMSY))
    live(folder, ELEVEN, standin(0, CLUMSY))
    assert verified(folder).is_same


def test_what_an_operator_did_is_done_again_at_its_tick(morning: RunFolder) -> None:
    folder = begun(morning, "disturbed")
    put(folder, VOICE, FIRE, wishes.announcement("The well is closed today."))
    live(folder, ELEVEN)
    assert verified(folder).is_same


def test_visitors_say_again_what_they_said(morning: RunFolder, town: Path) -> None:
    folder, place = begun(morning, "visited"), Town.load(town)
    put(
        folder,
        wishes.entrance(
            ROSA, "a reporter", "Copper Kettle: counter room", town=place, cast=(ADA, BEN, CORA)
        ),
        wishes.call(NILS, "a man from the bank", BEN, town=place),
    )
    with answering(folder, reporter):
        live_visited(folder, MORNING + 1200, LATER)
    assert verified(folder).is_same


def edit(folder: RunFolder) -> None:
    """Record another template from the next tick on."""
    with History(folder) as history:
        edited = {**shipped_texts()}
        edited["decompose.jinja"] = edited["decompose.jinja"].replace(
            "{% block human %}", "{% block human %}\nThink of the moon.\n"
        )
        tick = (history.watermark() or 0) + 1
        assert record_templates(history, TemplateSet(), TemplateSet(edited), tick) is not None


def test_templates_that_changed_on_the_way_change_again(morning: RunFolder) -> None:
    folder = begun(morning, "changed")
    edit(folder)
    live(folder, ELEVEN)
    found = verified(folder)
    assert found.is_same, found.difference or found.unrecorded


def test_another_model_or_embedder_on_the_way_is_told(morning: RunFolder) -> None:
    folder = begun(morning, "switched")
    live(folder, 15 * HOUR, standin(0, CLUMSY))
    with pytest.raises(RunError, match="it got another model or embedder on its way"):
        verified(folder)
    reembedded = reembed(begun(morning, "compared"), open_embedder("words")).folder
    live(reembedded, MORNING + 600)
    with pytest.raises(RunError, match="it got another model or embedder on its way"):
        verified(reembedded)


def test_a_history_with_a_changed_deed_is_found_out(day: RunFolder, tmp_path: Path) -> None:
    folder = copied(day, tmp_path)
    with closing(sqlite3.connect(folder.history_path)) as connection:
        row, tick = connection.execute(
            "SELECT rowid, tick FROM deeds WHERE agent = ? AND kind = 'do' LIMIT 1 OFFSET 3",
            (CORA,),
        ).fetchone()
        connection.execute("UPDATE deeds SET activity = 'flying' WHERE rowid = ?", (row,))
        connection.commit()
    found = verified(folder)
    assert found.unrecorded is None
    assert found.difference is not None
    assert found.difference.tables == ("deeds",)
    assert (found.difference.agent, found.difference.at) == (CORA, tick * 10)


def test_a_changed_reply_is_found_out(day: RunFolder, tmp_path: Path) -> None:
    folder = copied(day, tmp_path)
    with closing(sqlite3.connect(folder.history_path)) as connection:
        row, tick, packed = connection.execute(
            "SELECT rowid, tick, texts FROM calls WHERE step = 'plan_day' AND agent = ?", (BEN,)
        ).fetchone()
        texts = json.loads(Unpacker(connection).unpack(packed))
        answer = json.loads(texts[4])
        texts[4] = json.dumps(dict.fromkeys(answer, None))
        packed = Packer(connection).pack("call plan_day", json.dumps(texts).encode())
        connection.execute("UPDATE calls SET texts = ? WHERE rowid = ?", (packed, row))
        connection.commit()
    found = verified(folder)
    assert not found.is_same
    assert found.unrecorded is not None
    assert str(found.unrecorded) == "the step `plan_day` asks something that was not recorded"
    assert (found.difference, found.rebuilt, tick) == (None, 0, 0)


def test_what_cannot_be_rebuilt_is_told_in_a_sentence(
    day: RunFolder, small: RunRequest, tmp_path: Path
) -> None:
    with pytest.raises(RunError, match="has not started yet"):
        verified(begin(tmp_path, "new", small))
    folder = copied(day, tmp_path)
    spec = json.loads((folder.path / SPEC_FILE).read_text(encoding="utf-8"))
    spec["models"]["embedder"] = "minilm:/nowhere"
    (folder.path / SPEC_FILE).write_text(json.dumps(spec), encoding="utf-8")
    with pytest.raises(RunError, match="minilm:/nowhere, by which its memories are compared"):
        verified(RunFolder.open(tmp_path, day.name))
