"""A run keeps its own templates: without a folder, when cut, when asked."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from smolville.agents.errors import ContextError
from smolville.history.cut import fork
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.prompts.folder import shipped_texts
from smolville.prompts.prompt import TemplateSet
from smolville.reports.interviewing import Interviewer
from smolville.world.run_request import RunRequest
from smolville.world.town.town import Town
from tests.fixtures.scripted import Scripted, chat_of
from tests.whole.lives import HOUR, begin, differing, parts, standin
from tests.world.editing.editor import (
    FILE,
    MARK,
    NINE,
    STEP,
    UNTIL,
    Editor,
    Mine,
    asked,
    edits,
    live,
    text,
)


def test_a_run_goes_on_with_its_own_templates_without_any_folder(
    folder: RunFolder, mine: Mine
) -> None:
    live(folder, NINE * 10, mine)
    mine.write(text())
    live(folder, 10 * HOUR, mine)
    (edit,) = edits(folder)
    assert edit.tick == NINE
    mine.remove()
    live(folder, 14 * HOUR)
    assert len(edits(folder)) == 1
    assert all(mark == (tick >= NINE) for tick, _, mark in asked(folder))
    assert any(tick * 10 >= 10 * HOUR for tick, _, _ in asked(folder))


def test_a_fork_has_the_templates_of_its_moment(folder: RunFolder, mine: Mine) -> None:
    live(folder, UNTIL, mine, Editor({NINE: lambda: mine.write(text())}))
    (edit,) = edits(folder)
    runs = folder.path.parent
    before = fork(runs, "amber", "before", edit.tick - 1)
    after = fork(runs, "amber", "after", edit.tick)
    for each in (before, after):
        live(each, UNTIL)
    assert edits(before) == []
    assert edits(after) == [edit]
    assert not any(mark for _, _, mark in asked(before))
    assert differing(parts(folder), parts(after)) == []
    own = fork(runs, "amber", "own", edit.tick - 1)
    mine.write(text("Think of the moon."))
    live(own, UNTIL, mine)
    (other,) = edits(own)
    assert (other.tick, other.id == edit.id) == (edit.tick, False)


def test_an_interview_is_held_with_the_runs_templates_or_others(
    folder: RunFolder, mine: Mine, small: RunRequest
) -> None:
    name = "answer_interview.jinja"
    live(folder, 8 * HOUR)
    mine.write(text(MARK, name), name)
    live(folder, UNTIL, mine)
    assert small.town is not None
    town = Town.load(small.town)
    model = Scripted(otherwise=lambda step, inputs: {"answer": "I am well, thank you."})
    chats = (chat_of(model), chat_of(model))
    with RunReader(folder) as reader:
        own = Interviewer(folder, reader, town, chats)
        other = Interviewer(folder, reader, town, chats, templates=TemplateSet())
        for interviewer in (own, other):
            asyncio.run(interviewer.ask("Ada Brook", "How are you?", "a friend"))
    assert [MARK in each.messages[0].text for each in model.asked] == [True, False]


def test_templates_too_long_for_the_model_begin_no_run(small: RunRequest, tmp_path: Path) -> None:
    long = {**shipped_texts(), FILE: text("Mind this. " * 4000)}
    chat = replace(standin(), num_ctx=8192)
    with pytest.raises(ContextError, match=STEP):
        begin(tmp_path / "runs", "amber", replace(small, templates=long), chat)
    assert not (tmp_path / "runs" / "amber").exists()
