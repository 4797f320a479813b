"""What a request in a fork has changed in people's deeds, as its page tells it."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from smolville.history.cut import fork
from smolville.history.drafting import remove_run
from smolville.reports.diff import deed_in_words, describe_first_deed, find_first_deed
from smolville.reports.runs import OpenRun, opened_run
from smolville.viewer.compare_page import read_comparison
from smolville.viewer.config import AppConfig
from smolville.viewer.taking_part.acts import RunActions
from smolville.viewer.taking_part.fate import Consequences, find_consequences, sentence_of
from tests.viewer.taking_part.test_interview_room import reluctant
from tests.whole.lives import HOUR, live

NOON = 12 * HOUR // 10


def doing(run: OpenRun, name: str, tick: int) -> str:
    """What somebody does at a tick, in words."""
    deed = run.reader.doing(name, tick)
    return deed_in_words(deed) if deed else ""


def test_a_deed_that_lasts_longer_makes_a_difference_only_when_the_other_run_goes_on(
    runs: Path,
) -> None:
    folder = shutil.copytree(runs / "one", runs / "longer")
    with opened_run(runs, "one") as one:
        who = one.folder.spec.cast[0]
        later = [deed for deed in one.reader.deeds(who, NOON) if deed.outcome == "accepted"]
        # A deed that its copy will not begin, between two others in other words.
        before, left_out, after = next(
            three
            for three in zip(later, later[1:], later[2:], strict=False)
            if len({deed_in_words(each) for each in three}) == 3
        )
        with closing(sqlite3.connect(folder / "town.sqlite")) as connection:
            gone = "DELETE FROM deeds WHERE agent = ? AND tick = ?"
            assert connection.execute(gone, (who, left_out.tick)).rowcount == 1
            connection.commit()
        with opened_run(runs, "longer") as longer:
            found = find_first_deed(longer, one, NOON * 10)
            assert found is not None
            assert (found.name, found.at, found.is_complete) == (who, left_out.tick * 10, True)
            until = one.format_time(after.tick * 10)[-5:]
            assert describe_first_deed(found, longer, one) == (
                f"The first difference in deeds: {who}, {one.format_time(found.at)}. "
                f"In longer: still {deed_in_words(before)}, until {until}. "
                f"In one: {deed_in_words(left_out)}."
            )
    compared: Any = read_comparison(runs, "one", "longer")
    [person] = [each for each in compared["people"] if each["name"] == who]
    assert person["acts"][0][0]["words"] == deed_in_words(left_out)
    assert person["acts"][1][0]["words"] == deed_in_words(before)
    shutil.rmtree(folder)


def test_the_first_difference_is_told_or_that_there_is_none(runs: Path) -> None:
    acts = RunActions(AppConfig(runs=runs, minds=reluctant), "other")
    with acts.open_run() as run:
        [heard] = [each for each in run.reader.interventions() if each.kind == "whisper"]
    found = find_consequences(acts, NOON)
    told = f"The first difference in deeds: {heard.target}, Monday 6 May, 1"
    assert found.told.startswith(told)
    assert found.is_final
    settled = acts.settled(heard.id)
    assert settled is not None
    refused, landed = settled
    assert not refused
    assert landed is not None
    assert sentence_of(landed) == f"{heard.target} heard it, Monday 6 May, 12:00."
    # Without a request nothing differs, which is told as soon as the fork has lived on.
    same = fork(runs, "one", "same", NOON - 1)
    acts = replace(acts, run="same")
    assert find_consequences(acts, NOON) == Consequences(told="", is_final=False)
    live(same, 12 * HOUR + 60)
    told = find_consequences(acts, NOON).told
    assert told == "Up to Monday 6 May, 12:01 everybody does the same as in the run one."
    remove_run(same)
    assert find_consequences(replace(acts, run="again"), NOON).told == ""
