"""What a request in a fork has changed in people's deeds, as its page tells it."""

from dataclasses import replace
from pathlib import Path

from history.cut import fork
from history.drafting import remove_run
from tests.viewer.taking_part.test_interview_room import reluctant
from tests.whole.lives import HOUR, live
from viewer.house import AppRuns
from viewer.taking_part.acts import RunActions
from viewer.taking_part.consequences import Consequences, find_consequences
from viewer.taking_part.fate import sentence_of

NOON = 12 * HOUR // 10


def test_the_first_changed_deed_is_told_or_that_there_is_none(runs: Path) -> None:
    acts = RunActions(AppRuns(runs=runs, minds=reluctant), "other")
    with acts.open_run() as run:
        [heard] = [each for each in run.reader.interventions() if each.kind == "whisper"]
    found = find_consequences(acts, NOON)
    assert found.told.startswith(f"The first change in deeds: {heard.target}, Monday 6 May, 1")
    assert found.is_final
    landed = acts.landed(heard.id)
    assert landed is not None
    assert sentence_of(landed) == f"{heard.target} heard it, Monday 6 May, 12:00."
    # Without a request nothing differs, which is told as soon as the fork has lived on.
    same = fork(runs, "one", "same", NOON - 1)
    acts = replace(acts, run="same")
    assert find_consequences(acts, NOON) == Consequences(told="", is_final=False)
    live(same, 12 * HOUR + 60)
    told = find_consequences(acts, NOON).told
    assert told == "Up to Monday 6 May, 12:01 everybody does the same as in one."
    remove_run(same)
    assert find_consequences(replace(acts, run="again"), NOON).told == ""
