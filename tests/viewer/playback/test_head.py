"""The head of a replay: who, where, and what the town looks like."""

import shutil
from pathlib import Path

import numpy as np
import orjson
import pytest

from smolville.agents.errors import TownError
from smolville.history.folder import RunFolder
from smolville.world.run_request import RunRequest
from smolville.world.town.drawing import barrier
from smolville.world.town.town import town_of
from tests.fixtures.small_town import edit_map, write_small_town
from tests.viewer.playback.conftest import head
from tests.whole.lives import HOUR, begin, lived


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return write_small_town(tmp_path / "small town")


def plain(folder: RunFolder) -> dict:  # type: ignore[type-arg]
    """The head as it reaches the page."""
    found: dict = orjson.loads(orjson.dumps(head(folder)))  # type: ignore[type-arg]
    return found


def test_it_tells_the_run_and_its_people(town_run: RunFolder) -> None:
    found = plain(town_run)
    assert (found["run"], found["town"], found["start"]) == ("town", "Smolville", "2024-05-06")
    assert found["forked_from"] == ""
    assert (found["tick"], found["pace"]) == (10, 10)
    assert (found["until"], found["goal"], found["state"]) == (8639, 8640, "finished")
    assert (found["standin"], found["faults"]) == (True, [])
    assert found["models"] == "the built-in stand-in (rules, no model)"
    town = town_of(town_run)
    assert [each["name"] for each in found["people"]] == list(town_run.spec.cast)
    for each in found["people"]:
        assert each["short"] == each["name"].split()[0] and len(each["initials"]) == 2
        assert not each["visitor"] and (each["from"], each["to"]) == (0, None)
        assert town.map.arena_at(tuple(each["at"])) == each["home"]


def test_the_drawing_is_the_map(town_run: RunFolder) -> None:
    found = plain(town_run)["map"]
    town_map = town_of(town_run).map
    blocked = np.zeros((found["height"], found["width"]), bool)
    for kind, tiles in found["barriers"].items():
        for x, y in tiles:
            assert barrier(town_map, (x, y)) == kind
            blocked[y, x] = True
    assert (blocked == town_map.blocked).all()
    painted = np.zeros(blocked.shape, int)
    for _, kind, runs in found["ground"]:
        assert isinstance(kind, str)
        for y, x, width in runs:
            painted[y, x : x + width] += 1
    assert (painted == 1).all()
    assert {"grass", "path", "water"} <= {kind for _, kind, _ in found["ground"]}
    assert [each["address"] for each in found["objects"]] == list(town_map.objects)
    assert [each["address"] for each in found["arenas"]] == list(town_map.arenas)
    bed = next(each for each in found["objects"] if each["name"] == "bed")
    assert (bed["icon"], bed["capacity"], bed["idle"]) == ("bed", 1, "made")


def test_a_run_that_never_began_shows_everybody_at_home(small: Path, tmp_path: Path) -> None:
    folder = begin(tmp_path / "runs", "fresh", RunRequest(town=small, cast=3))
    found = plain(folder)
    assert (found["state"], found["until"], found["faults"]) == ("new", -1, [])
    assert [each["at"] for each in found["people"]] == [[1, 1], [13, 1], [25, 1]]
    with folder.lock():
        assert plain(folder)["state"] == "running"


def test_a_town_that_was_changed_is_shown_as_it_is_now_and_one_that_is_gone_is_told(
    small: Path, tmp_path: Path
) -> None:
    folder = lived(tmp_path / "runs", "early", RunRequest(town=small, cast=3), HOUR)
    before = plain(folder)
    assert before["state"] == "finished"
    edit_map(small, lambda data: data["layers"][-1]["objects"].pop())
    changed = plain(folder)
    assert "was changed after the run" in changed["faults"][0]
    assert len(changed["map"]["objects"]) == len(before["map"]["objects"]) - 1
    for found in (before, changed):
        assert str(tmp_path) not in orjson.dumps(found).decode()
    shutil.rmtree(small)
    with pytest.raises(TownError, match="is gone"):
        plain(folder)
