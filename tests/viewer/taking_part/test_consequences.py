"""What a request in a fork has changed in people's deeds, as its page tells it."""

from dataclasses import replace
from pathlib import Path

from history.cut import fork
from history.inbox import Inbox, OperatorRequest
from tests.fixtures.small_town import write_small_town
from tests.viewer.taking_part.test_interview_room import reluctant
from tests.whole.lives import HOUR, live, lived
from viewer.house import AppRuns
from viewer.taking_part.acts import RunActions
from viewer.taking_part.consequences import Consequences, find_consequences
from viewer.taking_part.fate import sentence_of
from world.run_request import RunRequest

NINE = 9 * HOUR // 10
VOICE = "Go for a long swim now"


def test_the_first_changed_deed_is_told_or_that_there_is_none(tmp_path: Path) -> None:
    asked = RunRequest(town=write_small_town(tmp_path / "town"), cast=2)
    runs = tmp_path / "runs"
    lived(runs, "one", asked, 10 * HOUR)
    folder, same = (fork(runs, "one", name, NINE - 1) for name in ("other", "same"))
    who = folder.spec.cast[0]
    acts = RunActions(AppRuns(runs=runs, minds=reluctant), "other")
    assert find_consequences(acts, NINE) == Consequences(told="", is_final=False)
    with Inbox(folder) as inbox:
        sent = inbox.put(OperatorRequest(kind="whisper", target=who, text=VOICE))
    live(folder, 10 * HOUR)
    found = find_consequences(acts, NINE)
    assert found.told.startswith(f"The first change in deeds: {who}, Monday 6 May, 09:")
    assert found.is_final
    landed = acts.landed(sent)
    assert landed is not None
    assert sentence_of(landed) == f"{who} heard it, Monday 6 May, 09:00."
    live(same, 9 * HOUR + 60)
    found = find_consequences(replace(acts, run="same"), NINE)
    assert found.told == "Up to Monday 6 May, 09:01 everybody does the same as in one."
