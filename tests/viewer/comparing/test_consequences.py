"""What a request in a fork has changed in people's deeds, as its page tells it."""

from dataclasses import replace
from pathlib import Path

from agents.action import Action
from history.cut import fork
from history.drafting import remove_run
from history.records import Deed
from tests.viewer.taking_part.test_interview_room import reluctant
from tests.whole.lives import HOUR, live
from viewer.config import AppConfig
from viewer.taking_part.acts import RunActions
from viewer.taking_part.consequences import Consequences, DeedChange, find_consequences
from viewer.taking_part.fate import sentence_of

NOON = 12 * HOUR // 10


def deed(tick: int, place: str = "Cafe: main room") -> Deed:
    """Return a deed of Ada Brook."""
    action = Action(kind="do", activity="carrying plates", place=place, start=0, end=1)
    return Deed(agent="Ada Brook", tick=tick, action=action)


def test_what_is_told_of_two_deeds_is_never_the_same_on_both_sides() -> None:
    moved = DeedChange("Ada Brook", deed(7), deed(7, "Cafe: counter"))
    assert moved.sides(str) == (
        "carrying plates (Cafe, main room)",
        "carrying plates (Cafe, counter)",
    )
    later = DeedChange("Ada Brook", deed(9), deed(7))
    assert (later.tick, later.is_worded, moved.is_worded) == (7, False, True)
    mine, theirs = later.sides(str)
    assert mine == f"{theirs}, from 9"
    assert DeedChange("Ada Brook", deed(7), None).sides(str)[1] == "nothing new"


def test_the_first_changed_deed_is_told_or_that_there_is_none(runs: Path) -> None:
    acts = RunActions(AppConfig(runs=runs, minds=reluctant), "other")
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
    assert told == "Up to Monday 6 May, 12:01 everybody does the same as in the run one."
    remove_run(same)
    assert find_consequences(replace(acts, run="again"), NOON).told == ""
