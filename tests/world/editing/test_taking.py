"""A running town takes in an edited template from a tick on."""

import orjson

from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.prompts.folder import shipped_texts
from smolville.reports.story import plain, write_story
from tests.world.editing.editor import (
    FILE,
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


def test_an_edit_holds_from_the_next_tick_on_and_is_said(folder: RunFolder, mine: Mine) -> None:
    editor = live(folder, UNTIL, mine, Editor({NINE: lambda: mine.write(text())}))
    (edit,) = edits(folder)
    assert edit.tick > NINE
    assert edit.target == FILE
    version = orjson.loads(edit.text)[STEP]
    assert list(orjson.loads(edit.text)) == [STEP]
    calls = list(asked(folder))
    assert {(tick >= edit.tick, mark) for tick, _, mark in calls} == {(False, False), (True, True)}
    assert {template for tick, template, _ in calls if tick >= edit.tick} == {version}
    assert version not in {template for tick, template, _ in calls if tick < edit.tick}
    assert len(editor.said) == 1
    assert editor.said[0].startswith("From 1 09:0")
    assert editor.said[0].endswith(f" on: {FILE}.")
    with RunReader(folder) as reader:
        told = f"From outside: from here on with other templates ({plain(FILE)})."
        assert told in write_story(reader, None)
        assert told in write_story(reader, None, "Ada Brook")
        assert reader.templates_at(edit.tick)[FILE] == text()
        assert reader.templates_at(edit.tick - 1) == shipped_texts()


def test_an_edit_that_does_not_fit_is_refused_once_and_the_last_good_one_stays(
    folder: RunFolder, mine: Mine
) -> None:
    line = text().count("\n") + 1
    editor = Editor(
        {
            NINE: lambda: mine.write(text()),
            NINE + 60: lambda: mine.write(text() + "{% if %}"),
            NINE + 360: lambda: mine.write(text("Think of the moon.")),
        }
    )
    live(folder, UNTIL, mine, editor)
    (refusal,) = editor.refusals
    assert f"{FILE}, line {line}: " in refusal
    assert refusal.endswith("The templates in use stay.")
    first, second = edits(folder)
    assert second.tick > NINE + 360
    assert all(mark for tick, _, mark in asked(folder) if first.tick <= tick < second.tick), (
        "the last good template was not used"
    )
    assert not any(mark for tick, _, mark in asked(folder) if tick >= second.tick)
