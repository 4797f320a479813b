"""Needs over a day: everybody sleeps, eats and dresses; who is very hungry sees to it."""

from dataclasses import replace
from pathlib import Path

import pytest

from smolville.graphs.loop.rules import Rules
from smolville.history.cut import fork
from smolville.history.folder import RunFolder
from smolville.history.moments import needs_of
from smolville.history.reader import RunReader
from smolville.world.run_request import RunRequest
from smolville.world.town.town import Town
from tests.fixtures.small_town import edit_text, write_small_town
from tests.whole import days
from tests.whole.lives import HOUR, differing, live, lived, parts

NOON = 12 * HOUR


@pytest.fixture(scope="module")
def hungry(tmp_path_factory: pytest.TempPathFactory) -> RunRequest:
    """The small town, in which Ada is hungry two hours after a meal."""
    town = write_small_town(tmp_path_factory.mktemp("hungry") / "town")
    edit_text(town / "personas" / "ada.toml", "\n[relationships]", NEEDS)
    return RunRequest(town=town, cast=3, seed=3, schedule="free")


NEEDS = """
[needs]
hunger = 40

[relationships]"""


def test_in_a_day_everybody_sleeps_eats_twice_and_dresses(small_day: RunFolder) -> None:
    with RunReader(small_day) as reader:
        for name in reader.agents():
            found = days.stretches(reader, name, 1)
            assert days.asleep(found) >= 5 * HOUR, name
            assert len(days.meals(found)) >= 2, name
            assert any("getting dressed" in each.action.activity for each in found), name


def test_needs_stay_below_their_bounds_in_an_ordinary_day_and_nobody_is_asked(
    small_day: RunFolder, small: RunRequest
) -> None:
    assert small.town is not None
    people = Town.load(small.town).personas
    with RunReader(small_day) as reader:
        for name in reader.agents():
            rows = needs_of(reader.connection, name)
            assert [row.at for row in rows] == sorted(row.at for row in rows)
            assert rows[0].at == 0 and rows[-1].at > 14 * HOUR
            for row in rows:
                assert row.urgent == "" and set(row.levels) == set(people[name].needs.had())
                for need, level in row.levels.items():
                    assert 0 <= level < people[name].needs.of(need).bound, (name, need)
            assert min(row.levels["hunger"] for row in rows) == 0
        assert not any("need" in row.stimuli for row in reader.thoughts())


def test_who_is_very_hungry_thinks_of_it_and_eats_the_same_under_every_schedule(
    hungry: RunRequest, tmp_path: Path
) -> None:
    one = lived(tmp_path, "free", hungry, NOON)
    other = lived(tmp_path, "lockstep", replace(hungry, schedule="lockstep"), NOON)
    assert differing(parts(one), parts(other)) == []
    with RunReader(one) as reader:
        urgent = [row for row in needs_of(reader.connection, "Ada Brook") if row.urgent]
        assert {row.urgent for row in urgent} == {"hunger"}
        asked = {row.tick for row in reader.thoughts("Ada Brook") if "react" in row.path}
        assert {row.tick for row in urgent} <= asked
        assert any("need" in row.stimuli for row in reader.thoughts("Ada Brook"))
        snacks = [each for each in reader.deeds("Ada Brook") if "snack" in each.action.activity]
        assert snacks and all(each.outcome == "accepted" for each in snacks)
    early = fork(tmp_path, "free", "fork", 9 * HOUR // 10)
    live(early, NOON)
    assert differing(parts(one), parts(early)) == []


def test_without_needs_nothing_is_felt(hungry: RunRequest, tmp_path: Path) -> None:
    rules = replace(Rules(), without=("needs",))
    folder = lived(tmp_path, "without", replace(hungry, rules=rules), NOON)
    with RunReader(folder) as reader:
        assert needs_of(reader.connection, "Ada Brook") == []
    assert "needs" not in parts(folder)
