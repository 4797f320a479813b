"""A run that is gone on with other templates uses them from a tick on, and keeps them."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from smolville.graphs.components import ROUTINES
from smolville.graphs.loop.rules import Rules
from smolville.history.cut import fork
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.observers import RunObserver
from smolville.history.reader import RunReader
from smolville.history.records import CommitBatch, Intervention
from smolville.prompts.folder import LANGUAGE, shipped_texts
from smolville.prompts.prompt import TemplateSet
from smolville.reports.story import plain, write_story
from smolville.world.run_request import RunRequest
from smolville.world.run_resources import RunResources
from smolville.world.simulation import open_simulation, record_templates
from tests.fixtures.small_town import write_small_town
from tests.whole.lives import HOUR, begin, differing, parts, standin

STEP = "decompose"
"""Asked all day, whenever an hour is split into its parts."""
FILE = f"{STEP}.jinja"
MARK = "Think of the weather, too."
NINE = 9 * HOUR // 10
"""The tick at nine o'clock."""
UNTIL = 13 * HOUR


class Gone(Exception):
    """The end of a program in the middle of its work."""


def text(mark: str = MARK) -> str:
    """A shipped template with one sentence more among its rules."""
    return shipped_texts()[FILE].replace("\n\nRules:\n", f"\n{mark}\n\nRules:\n", 1)


def edited(mark: str = MARK) -> TemplateSet:
    return TemplateSet({**shipped_texts(), FILE: text(mark)})


def live(
    folder: RunFolder,
    until: int,
    templates: TemplateSet | None = None,
    watch: RunObserver | None = None,
) -> list[str]:
    """Live a run, from now on with these templates; what was told on opening it."""
    means = RunResources(templates=templates)
    with open_simulation(folder, (standin(),) * 2, watch, means) as simulation:
        asyncio.run(simulation.run(until))
    return simulation.notes


def edits(folder: RunFolder) -> list[Intervention]:
    with RunReader(folder) as reader:
        return [each for each in reader.interventions() if each.kind == "templates"]


def asked(folder: RunFolder) -> Iterator[tuple[int, str, bool]]:
    """The tick of each call of the step, its template, and whether it shows the mark."""
    with RunReader(folder) as reader:
        for owner in reader.agents():
            for row in reader.thoughts(owner):
                thought = reader.thought(owner, row.tick)
                for used in thought.steps if thought is not None else ():
                    if used.record.step == STEP:
                        for each in used.attempts:
                            yield row.tick, each.call.template, MARK in each.call.messages


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """Without routines, its people ask how to split their hours again and again."""
    town = write_small_town(tmp_path / "small")
    request = RunRequest(town=town, cast=2, rules=Rules(without=(ROUTINES.name,)))
    return begin(tmp_path / "runs", "amber", request)


def test_other_templates_hold_from_the_next_tick_on_and_are_kept_and_told(
    folder: RunFolder,
) -> None:
    live(folder, 9 * HOUR)
    assert live(folder, 10 * HOUR, edited()) == [f"From 1 09:00 on: {FILE}."]
    assert live(folder, 11 * HOUR, edited()) == []
    live(folder, UNTIL)
    (edit,) = edits(folder)
    assert (edit.tick, edit.target) == (NINE, FILE)
    version = orjson.loads(edit.text)[STEP]
    calls = list(asked(folder))
    assert {(tick >= NINE, template == version, mark) for tick, template, mark in calls} == {
        (False, False, False),
        (True, True, True),
    }
    assert any(tick * 10 >= 11 * HOUR for tick, _, _ in calls)
    with RunReader(folder) as reader:
        told = f"From outside: from here on with other templates ({plain(FILE)})."
        assert told in write_story(reader, None)
        assert reader.templates_at(NINE)[FILE] == text()
        assert reader.templates_at(NINE - 1) == shipped_texts()


def test_a_fork_has_the_templates_of_its_moment(folder: RunFolder) -> None:
    live(folder, 9 * HOUR)
    live(folder, UNTIL, edited())
    (edit,) = edits(folder)
    runs = folder.path.parent
    before = fork(runs, "amber", "before", edit.tick - 1)
    after = fork(runs, "amber", "after", edit.tick)
    own = fork(runs, "amber", "own", edit.tick - 1)
    live(before, UNTIL)
    live(after, UNTIL)
    assert edits(before) == []
    assert edits(after) == [edit]
    assert not any(mark for _, _, mark in asked(before))
    assert differing(parts(folder), parts(after)) == []
    live(own, UNTIL, edited("Think of the moon."))
    (other,) = edits(own)
    assert (other.tick, other.id == edit.id) == (edit.tick, False)


def test_other_templates_wait_for_the_tick_after_one_that_somebody_has_done(
    folder: RunFolder,
) -> None:
    class Half(RunObserver):
        def on_commit(self, batch: CommitBatch) -> None:
            is_first = len(batch.agents) == 1 and batch.watermark != batch.tick
            if batch.tick >= 6 * HOUR // 10 and is_first:
                raise Gone

    with pytest.raises(Gone):
        live(folder, UNTIL, watch=Half())
    with History(folder) as history:
        ticks = [state.done for state in history.state_of(folder.spec.cast).values()]
    done = [tick for tick in ticks if tick is not None]
    assert min(done) < max(done), "both have done it"
    live(folder, UNTIL, edited())
    assert [each.tick for each in edits(folder)] == [max(done) + 1]
    marks = {tick: mark for tick, _, mark in asked(folder) if tick > min(done)}
    assert True in marks.values(), "somebody asks after the edit"
    assert all(mark == (tick > max(done)) for tick, _, mark in asked(folder))


def test_a_run_knows_the_language_of_its_templates_ever_after(folder: RunFolder) -> None:
    german = TemplateSet({**shipped_texts(), LANGUAGE: "de\n"})
    with History(folder) as history:
        record_templates(history, TemplateSet(), german, NINE)
        _, (tick, texts) = history.template_sets()
        again = TemplateSet(texts)
        assert (tick, again.language) == (NINE, "de")
        assert record_templates(history, again, german, NINE) is None
        record_templates(history, german, TemplateSet(), NINE + 1)
        assert TemplateSet(history.template_sets()[-1][1]).language == "en"
