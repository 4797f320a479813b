"""A run without a component of the mind lives its day without it, the same under every schedule."""

from dataclasses import replace
from pathlib import Path

from smolville.agents.mind import Mind
from smolville.agents.plan import is_sleep
from smolville.graphs.components import component_names
from smolville.graphs.loop.rules import Rules
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.history.records import read_mind
from smolville.history.spec import rules_in
from smolville.world.run_request import RunRequest
from tests.whole.lives import HOUR, differing, lived, parts


def _lived_without(runs: Path, small: RunRequest, *names: str) -> RunFolder:
    rules = replace(Rules(), without=names)
    return lived(runs, "-".join(names), replace(small, rules=rules), 11 * HOUR)


def _steps(folder: RunFolder) -> set[str]:
    with RunReader(folder) as reader:
        return {step.step for step in reader.steps()}


def _minds(folder: RunFolder) -> list[Mind]:
    with RunReader(folder) as reader:
        rows = [reader.mind(agent) for agent in reader.agents()]
    minds = [read_mind(row.blob, Mind) for row in rows if row is not None]
    return [mind for mind in minds if mind is not None]


def _memory_kinds(folder: RunFolder) -> set[str]:
    with RunReader(folder) as reader:
        return {each.kind for agent in reader.agents() for each in reader.memories(agent)}


def test_a_whole_mind_plans_reflects_and_has_impressions(day: RunFolder) -> None:
    assert {"plan_day", "plan_hours", "reflect_questions"} <= _steps(day)
    assert _memory_kinds(day) == {"event", "thought", "talk"}
    assert any(mind.impressions for mind in _minds(day))


def test_without_planning_reflection_and_impressions_everybody_lives_the_usual_day_by_rule(
    small: RunRequest, tmp_path: Path
) -> None:
    folder = _lived_without(tmp_path, small, "planning", "reflection", "social")
    planning = {"plan_day", "plan_hours", "decompose", "replan", "revise_identity"}
    assert not {*planning, "reflect_questions", "reflect_insights"} & _steps(folder)
    minds = _minds(folder)
    assert len(minds) == 3 and not any(mind.impressions for mind in minds)
    for mind in minds:
        assert mind.plan is not None
        blocks = [each for each in mind.plan.blocks if not is_sleep(each.activity)]
        assert {each.source for each in blocks} == {"habit"}
        assert len({each.activity for each in blocks}) > 5
    with RunReader(folder) as reader:
        assert reader.talks()


def test_without_observation_only_thoughts_are_remembered(
    small: RunRequest, tmp_path: Path
) -> None:
    folder = _lived_without(tmp_path, small, "observation")
    assert _memory_kinds(folder) == {"thought"}
    with RunReader(folder) as reader:
        assert reader.talks()


def test_what_is_left_out_is_the_same_under_both_schedules_and_kept_by_the_run(
    small: RunRequest, tmp_path: Path
) -> None:
    asked = replace(small, rules=replace(Rules(), without=component_names()))
    one = lived(tmp_path, "lockstep", asked, 11 * HOUR)
    other = lived(tmp_path, "serial", replace(asked, schedule="serial"), 11 * HOUR)
    assert differing(parts(one), parts(other)) == []
    assert rules_in(one.spec.settings).without == component_names()
