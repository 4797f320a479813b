"""Routines save calls on later days, whatever the schedule and however a run is interrupted."""

import signal
from dataclasses import replace
from pathlib import Path

import pytest

from smolville.agents.errors import RunError
from smolville.agents.routines import BROUGHT
from smolville.graphs.loop.rules import Rules
from smolville.history.cut import fork
from smolville.history.folder import RunFolder
from smolville.history.moments import draws_of
from smolville.history.reader import RunReader
from smolville.history.spec import rules_in
from smolville.world.routine_library import learnt, library_of
from smolville.world.run_request import RunRequest
from tests.fixtures.warm import run_warm
from tests.whole.lives import DAY, HOUR, begin, differing, live, lived, parts

UNTIL = DAY + 10 * HOUR
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory, small: RunRequest) -> RunFolder:
    """A day and a morning with routines."""
    return lived(tmp_path_factory.mktemp("two"), "two", small, UNTIL)


def _calls(folder: RunFolder, step: str, since: int = DAY) -> int:
    with RunReader(folder) as reader:
        return sum(each.step == step for each in reader.steps() if each.tick * 10 >= since)


def test_on_the_second_day_less_is_asked_and_what_is_reused_is_recorded(
    two: RunFolder, small: RunRequest, tmp_path: Path
) -> None:
    rules = replace(Rules(), without=("routines",))
    without = lived(tmp_path, "without", replace(small, rules=rules), UNTIL)
    assert _calls(two, "decompose") < _calls(without, "decompose")
    assert _calls(two, "ground_block") <= _calls(without, "ground_block")
    with RunReader(two) as reader:
        reused = reader.reuses()
        assert "tasks" in {each.kind for each in reused}
        for each in reused:
            row = reader.thoughts(each.agent, each.tick, each.tick)[0]
            assert ("reuse_tasks" if each.kind == "tasks" else "reuse_spots") in row.path
            assert BROUGHT < each.learnt < each.tick
    with RunReader(without) as reader:
        assert reader.reuses() == []
    assert not any(each.tasks or each.spots for each in learnt(without).values())
    assert rules_in(without.spec.settings).routine_similarity is None


def test_on_the_second_day_people_dream_and_have_an_idea_and_what_came_up_is_kept(
    two: RunFolder,
) -> None:
    with RunReader(two) as reader:
        drawn = draws_of(reader.connection)
        assert {each.step for each in drawn} == {"dream", "wander"}
        for each in drawn:
            made = [
                memory
                for memory in reader.memories(each.agent)
                if memory.tick == each.tick and memory.evidence == each.memories
            ]
            kinds = {"dream": "dream", "wander": "thought"}
            assert [memory.kind for memory in made] == [kinds[each.step]]


def test_in_another_schedule_stopped_and_killed_it_goes_on_to_the_same_digest(
    two: RunFolder, small: RunRequest, tmp_path: Path
) -> None:
    folder = begin(tmp_path, "killed", replace(small, schedule="serial"))
    for until in (9 * HOUR, DAY + 6 * HOUR):
        live(folder, until)
    command = ["-m", "tests.whole.child", tmp_path, "killed", str(UNTIL), "commit-before", "12"]
    assert run_warm(list(map(str, command)), ROOT).returncode == -signal.SIGKILL
    live(folder, UNTIL)
    assert differing(parts(two), parts(folder)) == []
    assert {"reuses", "draws"} <= parts(two).keys()


def test_a_run_of_a_version_with_fewer_components_goes_on_without_the_others(
    two: RunFolder, small: RunRequest, tmp_path: Path
) -> None:
    folder = begin(tmp_path, "older", small)
    settings = {
        name: value
        for name, value in folder.spec.settings.items()
        if name not in ("routine_similarity", "components")
    }
    models = folder.spec.models.model_copy(update={"keywords": ""})
    spec = folder.spec.model_copy(update={"settings": settings, "models": models})
    (folder.path / "run.json").write_text(spec.model_dump_json(), encoding="utf-8")
    older = RunFolder.open(tmp_path, "older")
    live(older, 10 * HOUR)
    assert not any(each.tasks or each.spots for each in learnt(older).values())
    without = rules_in(older.spec.settings).without
    assert {"keywords", "wandering", "dreams", "knowledge"} <= set(without)
    assert "social" not in without
    with RunReader(older) as reader:
        memories = [memory for name in reader.agents() for memory in reader.memories(name)]
        assert memories and not any(memory.keywords for memory in memories)


def test_a_run_that_brings_routines_reuses_them_on_its_first_day_and_keeps_them(
    two: RunFolder, small: RunRequest, tmp_path: Path
) -> None:
    known = library_of(two)
    asked = replace(small, routines=known)
    warm = lived(tmp_path, "warm", asked, 11 * HOUR)
    assert warm.spec.routines == known.hash
    with RunReader(warm) as reader:
        assert any(each.learnt == BROUGHT for each in reader.reuses())
    assert _calls(warm, "decompose", 0) < _calls(two, "decompose", 0)
    stopped = begin(tmp_path, "stopped", asked)
    live(stopped, HOUR)
    forked = fork(tmp_path, "stopped", "forked", HOUR // 10 - 1)
    live(forked, 11 * HOUR)
    assert differing(parts(warm), parts(forked)) == []
    forked.routines_path.write_text("{}", encoding="utf-8")
    with pytest.raises(RunError, match=r"put routines\.json back as it was"):
        live(forked, 12 * HOUR)


def test_routines_of_another_embedder_and_of_nobody_are_refused(
    two: RunFolder, small: RunRequest, tmp_path: Path
) -> None:
    asked = replace(small, routines=library_of(two), embedder="words")
    with pytest.raises(RunError, match="give it `--embedder wordllama`"):
        begin(tmp_path, "other", asked)
    assert not (tmp_path / "other").exists()
    with pytest.raises(RunError, match="nobody in run 'fresh' has learnt a routine"):
        library_of(begin(tmp_path, "fresh", small))
