"""A running town takes in an edited template from a tick on, and never asks otherwise again."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import orjson
import pytest

from agents.errors import ContextError
from graphs.loop.template_set import TemplateSet
from models.chat import Chat
from prompts.folder import overlaid, shipped_texts
from prompts.watched import WatchedFolder
from tests.fixtures.scripted import Scripted, chat_of
from tests.fixtures.small_town import write_small_town
from tests.whole.lives import HOUR, begin, differing, parts, standin
from world.asked import Asked
from world.editing import lay
from world.interviewing import Interviewer
from world.means import Means
from world.records import Batch, Intervention
from world.runs.cut import fork, truncate
from world.runs.folder import RunFolder
from world.runs.history import History
from world.runs.inbox import Inbox, Wish
from world.runs.reader import RunReader
from world.simulation import opened
from world.telling.markdown import plain
from world.telling.story import tell
from world.town.town import Town
from world.watch import Watch

ROOT = Path(__file__).parents[2]
STEP = "ground_block"
"""Asked again and again all day."""
FILE = f"{STEP}.jinja"
MARK = "Think of the weather, too."
UNTIL = 11 * HOUR
NINE = 9 * HOUR // 10
"""The tick at nine o'clock."""


def text(mark: str = MARK, name: str = FILE) -> str:
    """A shipped template with one sentence more among its rules."""
    return shipped_texts()[name].replace("\n\nRules:\n", f"\n{mark}\n\nRules:\n", 1)


@dataclass
class Editor(Watch):
    """Does something to the templates when a tick is done, and hears what the town says of it."""

    due: dict[int, Callable[[], object]] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)

    def ticked(self, tick: int) -> None:
        for wanted in [wanted for wanted in self.due if wanted <= tick]:
            self.due.pop(wanted)()

    def edited(self, told: str) -> None:
        self.said.append(told)

    def refused(self, told: str) -> None:
        self.refusals.append(told)


@dataclass
class Mine:
    """A folder of templates, edited long before anybody looks."""

    path: Path

    def write(self, words: str, name: str = FILE) -> None:
        """Write a file."""
        (self.path / name).write_text(words, encoding="utf-8")
        self._rest(name)

    def remove(self, name: str = FILE) -> None:
        """Take a file away."""
        (self.path / name).unlink()
        self._rest()

    def _rest(self, *names: str) -> None:
        for path in (self.path, *(self.path / name for name in names)):
            os.utime(path, (1_700_000_000, 1_700_000_000))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return Asked(town=write_small_town(tmp_path_factory.mktemp("towns") / "small"), cast=2)


@pytest.fixture
def mine(tmp_path: Path) -> Mine:
    folder = tmp_path / "mine"
    folder.mkdir()
    made = Mine(folder)
    made.write(shipped_texts()["say.jinja"], "say.jinja")
    return made


@pytest.fixture
def folder(tmp_path: Path, small: Asked) -> RunFolder:
    return begin(tmp_path / "runs", "amber", small)


def live(
    folder: RunFolder,
    until: int,
    mine: Mine | None = None,
    editor: Editor | None = None,
    chat: Chat | None = None,
) -> Editor:
    """Live a run, looking at a folder of templates before every tick."""
    chat, editor = chat or standin(), editor or Editor()
    watched = None if mine is None else WatchedFolder(mine.path, every=0)
    with opened(folder, (chat, chat), editor, Means(prompts=watched)) as simulation:
        asyncio.run(simulation.run(until))
    return editor


def edits(folder: RunFolder) -> list[Intervention]:
    """The recorded edits of templates."""
    with RunReader(folder) as reader:
        return [each for each in reader.interventions() if each.kind == "templates"]


def asked(folder: RunFolder, step: str = STEP) -> Iterator[tuple[int, str, bool]]:
    """The tick of each call of a step, its template, and whether it shows the mark."""
    with RunReader(folder) as reader:
        for owner in reader.agents():
            for tick in [row.tick for row in reader.thoughts(owner)]:
                thought = reader.thought(owner, tick)
                for used in thought.steps if thought is not None else ():
                    if used.record.step == step:
                        for each in used.attempts:
                            yield tick, each.call.template, MARK in each.call.messages


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
    assert editor.said[0].endswith(f" on: {FILE} ({version}).")
    with RunReader(folder) as reader:
        told = f"From outside: from here on with a new {plain(FILE)}."
        assert told in tell(reader, None)
        assert told in tell(reader, None, "Ada Brook")
        assert reader.templates_at(edit.tick)[FILE] == text()
        assert reader.templates_at(edit.tick - 1) == shipped_texts()


def test_every_schedule_takes_an_edit_alike(small: Asked, tmp_path: Path, mine: Mine) -> None:
    found = []
    for schedule in ("lockstep", "serial"):
        folder = begin(tmp_path / schedule, "amber", replace(small, schedule=schedule))
        live(folder, UNTIL, mine, Editor({NINE: lambda: mine.write(text())}))
        mine.remove()
        assert len(edits(folder)) == 1
        found.append(parts(folder))
    assert differing(*found) == []


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


def test_an_edit_that_no_model_has_room_for_is_refused(folder: RunFolder, mine: Mine) -> None:
    chat = replace(standin(), num_ctx=8192)
    long = text("Mind this. " * 4000)
    editor = live(folder, UNTIL, mine, Editor({NINE: lambda: mine.write(long)}), chat)
    assert edits(folder) == []
    (refusal,) = editor.refusals
    assert STEP in refusal
    assert "8192" in refusal or "8,192" in refusal


def test_a_file_taken_away_is_the_shipped_one_again(folder: RunFolder, mine: Mine) -> None:
    editor = Editor({NINE: lambda: mine.write(text()), NINE + 360: mine.remove})
    live(folder, UNTIL, mine, editor)
    first, second = edits(folder)
    assert (first.target, second.target) == (FILE, FILE)
    assert f"{orjson.loads(second.text)[STEP]}, as shipped)." in editor.said[1]
    with RunReader(folder) as reader:
        assert orjson.loads(second.text)[STEP] == reader.spec.prompts[STEP]
    assert not any(mark for tick, _, mark in asked(folder) if tick >= second.tick)


def test_a_folder_that_is_gone_is_said_and_nothing_is_lost(folder: RunFolder, mine: Mine) -> None:
    mine.write(text())
    editor = Editor({NINE: lambda: mine.path.rename(mine.path.with_name("away"))})
    live(folder, UNTIL, mine, editor)
    assert ["there is no folder of templates" in each for each in editor.refusals] == [True]
    assert all(mark for _, _, mark in asked(folder))


def test_a_partial_changes_every_template_that_shows_it(folder: RunFolder, mine: Mine) -> None:
    who = shipped_texts()["_who.jinja"] + "\nThink twice."
    editor = live(folder, UNTIL, mine, Editor({NINE: lambda: mine.write(who, "_who.jinja")}))
    (edit,) = edits(folder)
    changed = orjson.loads(edit.text)
    assert edit.target == "_who.jinja"
    assert len(changed) > 10
    assert f"_who.jinja (in {len(changed)} templates)." in editor.said[0]


def test_a_run_goes_on_with_its_own_templates_without_any_folder(
    folder: RunFolder, mine: Mine
) -> None:
    live(folder, NINE * 10, mine)
    mine.write(text())
    live(folder, 10 * HOUR, mine)
    (edit,) = edits(folder)
    assert edit.tick == NINE
    mine.remove()
    live(folder, UNTIL)
    assert len(edits(folder)) == 1
    assert all(mark == (tick >= NINE) for tick, _, mark in asked(folder))
    assert any(tick * 10 >= 10 * HOUR for tick, _, _ in asked(folder))


def test_a_run_begun_with_an_overlay_keeps_it(small: Asked, tmp_path: Path, mine: Mine) -> None:
    mine.write(text())
    folder = begin(tmp_path, "amber", replace(small, templates=overlaid(mine.path)))
    assert live(folder, 9 * HOUR, mine).said == []
    mine.remove()
    live(folder, UNTIL)
    assert edits(folder) == []
    assert all(mark for _, _, mark in asked(folder))


def test_an_edit_to_and_fro_is_recorded_each_time(folder: RunFolder, mine: Mine) -> None:
    live(folder, NINE * 10)
    for words in (text(), shipped_texts()[FILE], text()):
        with History(folder) as history:
            texts = {**shipped_texts(), FILE: words}
            latest = TemplateSet(history.templates_from(folder.spec)[-1][1])
            assert lay(history, latest, TemplateSet(texts), NINE) is not None
            assert lay(history, TemplateSet(texts), TemplateSet(texts), NINE) is None
    assert [each.tick for each in edits(folder)] == [NINE] * 3
    live(folder, UNTIL)
    assert all(mark == (tick >= NINE) for tick, _, mark in asked(folder))


def test_an_edit_never_comes_before_one_that_is_recorded_already(
    folder: RunFolder, mine: Mine
) -> None:
    with History(folder) as history:
        lay(history, TemplateSet(), TemplateSet({**shipped_texts(), FILE: text()}), NINE)
    mine.write(text("Think of the moon."))
    live(folder, UNTIL, mine)
    assert [each.tick for each in edits(folder)] == [NINE, NINE]
    assert not any(mark for _, _, mark in asked(folder))


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


def test_going_back_beyond_an_edit_takes_it_away_and_no_wish_with_it(
    folder: RunFolder, mine: Mine
) -> None:
    live(folder, UNTIL, mine, Editor({NINE: lambda: mine.write(text())}))
    (edit,) = edits(folder)
    with Inbox(folder) as inbox:
        inbox.put(Wish(kind="whisper", target="Ada Brook", text="Bake a cake"))
    truncate(folder, edit.tick - 1)
    assert edits(folder) == []
    with Inbox(folder) as inbox:
        assert [wish.text for wish in inbox.waiting()] == ["Bake a cake"]
    live(folder, UNTIL)
    assert not any(mark for _, _, mark in asked(folder))
    with RunReader(folder) as reader:
        assert reader.faults() == []
        assert {each.kind for each in reader.interventions()} == {"history", "whisper"}


def test_a_crash_between_recording_an_edit_and_living_it_is_harmless(
    small: Asked, tmp_path: Path, mine: Mine
) -> None:
    class Crash(Editor):
        def edited(self, told: str) -> None:
            raise SystemExit

    whole = begin(tmp_path / "whole", "amber", small)
    live(whole, UNTIL, mine, Editor({NINE: lambda: mine.write(text())}))
    mine.remove()
    crashed = begin(tmp_path / "crashed", "amber", small)
    with pytest.raises(SystemExit):
        live(crashed, UNTIL, mine, Crash({NINE: lambda: mine.write(text())}))
    assert edits(crashed) == edits(whole)
    assert live(crashed, UNTIL, mine).said == []
    assert differing(parts(whole), parts(crashed)) == []


def test_an_edit_waits_for_the_tick_after_one_that_somebody_has_done(
    folder: RunFolder, mine: Mine
) -> None:
    class Half(Editor):
        def committed(self, batch: Batch) -> None:
            if batch.tick > NINE and len(batch.agents) == 1 and batch.watermark != batch.tick:
                raise SystemExit

    with pytest.raises(SystemExit):
        live(folder, UNTIL, editor=Half())
    with History(folder) as history:
        ticks = [state.done for state in history.state_of(folder.spec.cast).values()]
    done = [tick for tick in ticks if tick is not None]
    assert min(done) < max(done), "both have done it"
    mine.write(text())
    live(folder, UNTIL, mine)
    assert [each.tick for each in edits(folder)] == [max(done) + 1]
    assert all(mark == (tick > max(done)) for tick, _, mark in asked(folder))


def test_an_interview_is_held_with_the_runs_templates_or_others(
    folder: RunFolder, mine: Mine, small: Asked
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


def laid(folder: RunFolder) -> None:
    """Two edits, recorded before anything of their ticks is lived."""
    first = TemplateSet({**shipped_texts(), FILE: text()})
    with History(folder) as history:
        lay(history, TemplateSet(), first, NINE)
        lay(history, first, TemplateSet(), NINE + 360)


def test_killed_anywhere_a_run_goes_on_with_the_same_edits(small: Asked, tmp_path: Path) -> None:
    undisturbed = begin(tmp_path / "undisturbed", "amber", small)
    laid(undisturbed)
    live(undisturbed, UNTIL)
    killed = begin(tmp_path / "killed", "amber", small)
    laid(killed)
    where = random.choice(["call", "before", "inside", "after"])
    count = random.randint(5, 25)
    words = [str(killed.path.parent), "amber", str(UNTIL), where, str(count)]
    child = subprocess.run(
        [sys.executable, "-m", "tests.whole.child", *words], cwd=ROOT, capture_output=True
    )
    assert child.returncode == -signal.SIGKILL, f"{where} {count}: {child.stderr.decode()[-500:]}"
    live(killed, UNTIL)
    assert differing(parts(undisturbed), parts(killed)) == [], f"killed: {where} {count}"


def test_an_edit_taken_while_living_equals_one_that_was_laid_before(
    small: Asked, tmp_path: Path, mine: Mine
) -> None:
    before = begin(tmp_path / "before", "amber", small)
    laid(before)
    live(before, UNTIL)
    while_living = begin(tmp_path / "while", "amber", small)
    live(while_living, NINE * 10)
    mine.write(text())
    live(while_living, (NINE + 360) * 10, mine)
    mine.remove()
    live(while_living, UNTIL, mine)
    assert differing(parts(before), parts(while_living)) == []


def test_templates_too_long_for_the_model_begin_no_run(small: Asked, tmp_path: Path) -> None:
    long = {**shipped_texts(), FILE: text("Mind this. " * 4000)}
    chat = replace(standin(), num_ctx=8192)
    with pytest.raises(ContextError, match=STEP):
        begin(tmp_path / "runs", "amber", replace(small, templates=long), chat)
    assert not (tmp_path / "runs" / "amber").exists()
