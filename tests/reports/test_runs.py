"""The list of runs: what a fork says of itself."""

from pathlib import Path

import pytest

from smolville.history.cut import fork
from smolville.history.drafting import new_run
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.inbox import Inbox, OperatorRequest
from smolville.history.records import Intervention, WishKind
from smolville.reports.runs import describe_fork, read_rows
from tests.history.made_up import CAST, lived, spec

PLACE = '{"about":"a hiker","place":"Oak Cottage: kitchen","doing":"looking around"}'
AT = "fork of amber-otter at day 1, 00:01"


@pytest.fixture
def forked(tmp_path: Path) -> RunFolder:
    """A fork at tick 8, 90 seconds into the day."""
    lived(new_run(tmp_path, spec()), range(10))
    return fork(tmp_path, "amber-otter", "what-if", 8)


def told(folder: RunFolder) -> str:
    rows = {row.name: row for row in read_rows(folder.path.parent)}
    assert describe_fork(rows["amber-otter"]) == ""
    assert rows["what-if"].forked_at == "1 00:01:30"
    return describe_fork(rows["what-if"])


@pytest.mark.parametrize(
    ("kind", "target", "text", "act"),
    [
        ("whisper", CAST[0], "Walter is ill.", ", with a whisper to Rosa Marin"),
        ("announcement", "", "There is music.", ", with an announcement"),
        (
            *("object_state", "Oak Cottage: kitchen: {stove}", "on fire"),
            ", with the {stove} of Oak Cottage set to 'on fire'",
        ),
        ("visitor_enters", "Sam Carter", PLACE, ", with a visit by Sam Carter"),
        ("visitor_calls", "Sam Carter", PLACE, ", with a call from Sam Carter"),
        ("visitor_leaves", "Sam Carter", "", ""),
    ],
)
def test_a_fork_says_what_was_done_in_it(
    kind: WishKind, target: str, text: str, act: str, forked: RunFolder
) -> None:
    assert told(forked) == AT
    with Inbox(forked) as inbox:
        wish = inbox.put(OperatorRequest(kind=kind, target=target, text=text))
    # A request that waits for the run to go on counts; taken in, it is told in the same words.
    assert told(forked) == f"{AT}{act}"
    with Inbox(forked) as inbox, History(forked) as history:
        (taken,) = inbox.take(history, 9)
        history.record(taken)
        inbox.settle([wish])
    assert told(forked) == f"{AT}{act}"


def test_the_first_act_after_the_fork_is_told_and_if_it_came_later_so_is_that(
    forked: RunFolder,
) -> None:
    def whisper(tick: int, target: str) -> Intervention:
        return Intervention(id=target, tick=tick, kind="whisper", target=target, text="Go.")

    with History(forked) as history:
        history.record(whisper(8, CAST[0]), whisper(60, CAST[1]))
    assert told(forked) == f"{AT}, later with a whisper to Tom O'Hara"
    with History(forked) as history:
        history.record(whisper(9, CAST[2]))
    assert told(forked) == f"{AT}, with a whisper to Žofie Nováková"


def test_a_fork_whose_inbox_is_damaged_is_listed(forked: RunFolder) -> None:
    forked.inbox_path.write_bytes(b"no inbox at all" * 400)
    assert told(forked) == AT
    (row,) = [row for row in read_rows(forked.path.parent) if row.name == "what-if"]
    assert (row.state, row.problem) == ("paused", "")
