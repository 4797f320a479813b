"""A town with rules: nobody goes where a rule forbids it, and every broken rule is counted."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from smolville.graphs.components import NORMS
from smolville.graphs.loop.rules import Rules
from smolville.history.cut import fork
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.reports.analysis import analyse
from smolville.reports.diff import verify_run
from smolville.reports.present import presences
from smolville.reports.runs import opened_run
from smolville.world.run_request import RunRequest
from smolville.world.town.town import Town, town_of
from tests.whole.lives import AFTERNOON, HOUR, begin, differing, live, lived, parts

PARK = "Nobody walks in the park."
CAFE = "Guests leave the cafe at half past ten."
RULES = f"""
[[rules]]
rule = "{PARK}"
where = ["Willow Park"]
[[rules]]
rule = "{CAFE}"
everybody_but = {{work = "Copper Kettle"}}
where = ["Copper Kettle"]
when = ["10:30-13:00"]
"""
SEED = 9
"""A seed with which somebody walks in the park, and Cora sits in the cafe when its rule begins."""
MORNING, NOON = 10 * HOUR + 1800, 13 * HOUR


@pytest.fixture(scope="module")
def ruled(town: Path, small: RunRequest, tmp_path_factory: pytest.TempPathFactory) -> RunRequest:
    """The small town with rules."""
    folder = tmp_path_factory.mktemp("ruled") / "town"
    shutil.copytree(town, folder)
    (folder / "rules.toml").write_text(RULES, encoding="utf-8")
    return replace(small, town=folder, seed=SEED)


@pytest.fixture(scope="module")
def free_day(small: RunRequest, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """The same day without rules; for reading only."""
    asked = replace(small, seed=SEED)
    return lived(tmp_path_factory.mktemp("free-day"), "free", asked, AFTERNOON)


@pytest.fixture(scope="module")
def ruled_day(ruled: RunRequest, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Its first day until the afternoon; for reading only."""
    return lived(tmp_path_factory.mktemp("ruled-day"), "ruled", ruled, AFTERNOON)


def _placed(folder: RunFolder, since: int, until: int, place: str) -> set[str]:
    tick = folder.spec.tick_seconds
    with RunReader(folder) as reader:
        town: Town = town_of(folder)
        seen = {
            each.name
            for at in range(since, until, 300)
            for each in presences(reader, town.map, at // tick)
            if each.place.startswith(place) and not each.is_walking
        }
        chosen = {
            deed.agent
            for deed in reader.deeds(since=since // tick, until=until // tick - 1)
            if deed.action.place.startswith(place) and deed.action.kind == "do"
        }
    return seen | chosen


def _broken(folder: RunFolder) -> dict[str, int]:
    with RunReader(folder) as reader:
        return {each.detail: each.count for each in analyse(reader) if each.key == "rule"}


def test_nobody_is_where_a_rule_forbids_it_and_tries_are_counted_rule_by_rule(
    ruled_day: RunFolder, free_day: RunFolder
) -> None:
    assert _placed(free_day, 0, AFTERNOON, "Willow Park") and not _broken(free_day)
    assert "Cora Vance" in _placed(free_day, MORNING, NOON, "Copper Kettle")
    assert _placed(ruled_day, 0, AFTERNOON, "Willow Park") == set()
    assert _placed(ruled_day, MORNING, NOON, "Copper Kettle") == {"Ada Brook"}
    assert "Cora Vance" in _placed(ruled_day, 9 * HOUR, MORNING, "Copper Kettle")
    broken = _broken(ruled_day)
    assert set(broken) == {PARK, CAFE}
    assert all(count > 0 for count in broken.values())


def test_who_is_inside_when_a_rule_begins_chooses_anew_at_that_moment(ruled_day: RunFolder) -> None:
    tick = MORNING // ruled_day.spec.tick_seconds
    with RunReader(ruled_day) as reader:
        left = reader.deeds("Cora Vance", tick, tick)
        (thought,) = [each for each in reader.thoughts("Cora Vance") if each.tick == tick]
    assert "leave_forbidden" in thought.path
    assert left and not left[0].action.place.startswith("Copper Kettle")


def test_in_the_third_schedule_a_run_with_rules_goes_on_forks_and_is_rebuilt_the_same(
    ruled: RunRequest, ruled_day: RunFolder, tmp_path: Path
) -> None:
    folder = begin(tmp_path, "ruled", replace(ruled, schedule="lockstep"))
    live(folder, MORNING - HOUR)
    branch = fork(tmp_path, "ruled", "branch", (MORNING - HOUR) // folder.spec.tick_seconds - 1)
    live(folder, AFTERNOON)
    live(branch, AFTERNOON)
    assert differing(parts(ruled_day), parts(folder)) == []
    assert differing(parts(ruled_day), parts(branch)) == []
    with opened_run(folder.path.parent, folder.name) as run:
        assert verify_run(run).is_same


def test_without_norms_rules_are_no_rules(
    ruled: RunRequest, free_day: RunFolder, tmp_path: Path
) -> None:
    rules = replace(Rules(), without=(NORMS.name,))
    without = lived(tmp_path, "ruled", replace(ruled, rules=rules), AFTERNOON)
    assert differing(parts(without), parts(free_day)) == []
