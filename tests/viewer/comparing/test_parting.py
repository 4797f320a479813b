"""What the page of a comparison tells of two runs, as data."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from smolville.agents.times import read_moment
from smolville.history.cut import fork
from smolville.history.drafting import remove_run
from smolville.history.folder import RunFolder
from smolville.viewer.compare_page import read_comparison
from tests.whole.lives import HOUR

NOON = 12 * HOUR


def test_equal_runs_do_not_part(runs: Path) -> None:
    found = read_comparison(runs, "one", "again")
    assert (found["parts"], found["first"], found["people"]) == (None, None, [])
    assert str(found["told"]).startswith("one and again are equal up to Monday 6 May, 15:00")
    assert found["same"] == list(RunFolder.open(runs, "one").spec.cast)


def test_a_fork_is_told_by_its_cause_and_by_what_each_did_in_only_one_of_the_runs(
    runs: Path,
) -> None:
    found: Any = read_comparison(runs, "one", "other")
    assert NOON <= found["parts"] < 14 * HOUR
    assert found["told"].startswith("one and other share their history up to Monday 6 May, 12:")
    assert "Go for a long swim now" in found["first"]["cause"]
    who = RunFolder.open(runs, "one").spec.cast[0]
    [person] = [each for each in found["people"] if each["name"] == who]
    assert person["memories"][1] > 0
    acts = [act for person in found["people"] for side in person["acts"] for act in side]
    assert acts and all(act["at"] >= NOON and act["words"] for act in acts)
    for act in acts:
        asked = parse_qs(urlsplit(act["page"]).query)
        assert read_moment(asked["at"][0].replace("-", " ")) == act["at"] and asked["who"]


def test_it_is_told_whether_the_runs_are_lived_just_now(runs: Path) -> None:
    folder = fork(runs, "one", "slow", NOON // 10 - 1)
    with folder.lock():
        found: Any = read_comparison(runs, "one", "slow")
        assert found["states"] == ["finished", "living"]
        assert found["told"] == (
            "one and slow are equal up to Monday 6 May, 12:00, where slow is running now; "
            "differences are shown as it goes on. one is finished, slow is living."
        )
    told = str(read_comparison(runs, "one", "slow")["told"])
    assert "12:00, where slow ends; one goes on to Monday 6 May, 15:00. one is finished" in told
    assert told.endswith("slow is stopped.")
    remove_run(folder)


@pytest.mark.parametrize(("a", "b"), [("one", "other"), ("other", "one")])
def test_sides_follow_the_order_in_which_runs_are_named(runs: Path, a: str, b: str) -> None:
    found: Any = read_comparison(runs, a, b)
    assert found["runs"] == [a, b]
    mine, theirs = found["first"]["deeds"]["told"].split(f" In {b}: ")
    assert f" In {a}: " in mine and theirs
