"""A run that breaks off around an edit goes on with the same edits."""

from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.records import CommitBatch
from smolville.world.run_request import RunRequest
from tests.whole.lives import HOUR, begin, differing, parts
from tests.world.editing.editor import (
    NINE,
    UNTIL,
    Editor,
    Mine,
    asked,
    edits,
    live,
    text,
)


class Gone(Exception):
    """The end of a program in the middle of its work."""


ROOT = Path(__file__).parents[3]
SINCE = 6 * HOUR // 10
"""The tick after which one of the two has done more than the other."""


def test_a_crash_between_recording_an_edit_and_living_it_is_harmless(
    small: RunRequest, tmp_path: Path, mine: Mine
) -> None:
    class Crash(Editor):
        def on_edit(self, told: str) -> None:
            raise Gone

    whole = begin(tmp_path / "whole", "amber", small)
    live(whole, UNTIL, mine, Editor({NINE: lambda: mine.write(text())}))
    mine.remove()
    crashed = begin(tmp_path / "crashed", "amber", small)
    with pytest.raises(Gone):
        live(crashed, UNTIL, mine, Crash({NINE: lambda: mine.write(text())}))
    assert edits(crashed) == edits(whole)
    assert live(crashed, UNTIL, mine).said == []
    assert differing(parts(whole), parts(crashed)) == []


def test_an_edit_waits_for_the_tick_after_one_that_somebody_has_done(
    folder: RunFolder, mine: Mine
) -> None:
    class Half(Editor):
        def on_commit(self, batch: CommitBatch) -> None:
            is_first = len(batch.agents) == 1 and batch.watermark != batch.tick
            if batch.tick >= SINCE and is_first:
                raise Gone

    with pytest.raises(Gone):
        live(folder, UNTIL, editor=Half())
    with History(folder) as history:
        ticks = [state.done for state in history.state_of(folder.spec.cast).values()]
    done = [tick for tick in ticks if tick is not None]
    assert min(done) < max(done), "both have done it"
    mine.write(text())
    live(folder, UNTIL, mine)
    assert [each.tick for each in edits(folder)] == [max(done) + 1]
    marks = {tick: mark for tick, _, mark in asked(folder) if tick > min(done)}
    assert True in marks.values(), "somebody asks after the edit"
    assert all(mark == (tick > max(done)) for tick, _, mark in asked(folder))
