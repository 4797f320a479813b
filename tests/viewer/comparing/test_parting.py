"""What the page of a comparison tells of two runs, as data."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from smolville.agents.times import read_moment
from smolville.history.folder import RunFolder
from smolville.viewer.compare_page import read_comparison
from tests.whole.lives import HOUR

NOON = 12 * HOUR


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
