"""A run keeps its own templates: without a folder, when cut, when asked."""

from smolville.history.cut import fork
from smolville.history.folder import RunFolder
from tests.whole.lives import HOUR, differing, parts
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
