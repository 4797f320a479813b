"""Wishes reach the town once, whatever happens; interviews never do."""

import pytest

from smolville.history.digest import digest
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.inbox import Inbox, InterviewRecord, OperatorRequest, read_interviews
from smolville.history.reader import RunReader
from tests.history.made_up import CAST, batch, lived

RUN = OperatorRequest(kind="whisper", target=CAST[0], text="run")
HOT = OperatorRequest(kind="object_state", target="Oak Cottage: kitchen: stove", text="burning")


def commit(history: History, tick: int, inbox: Inbox) -> None:
    made = batch(tick)
    made.interventions = inbox.take(history.intervention_ids, tick + 1)
    history.commit(made)


def in_history(folder: RunFolder) -> list[tuple[int, str]]:
    with RunReader(folder) as reader:
        return [(one.tick, one.text) for one in reader.interventions()]


def test_wishes_are_taken_in_their_order_and_once(folder: RunFolder) -> None:
    with Inbox(folder) as viewer, Inbox(folder) as inbox, History(folder) as history:
        viewer.put(RUN)
        viewer.put(HOT)
        commit(history, 0, inbox)
        commit(history, 1, inbox)
        viewer.put(RUN)
        commit(history, 2, inbox)
        commit(history, 3, inbox)
        assert inbox.waiting() == []
    assert in_history(folder) == [(1, "run"), (1, "burning"), (3, "run")]


def test_a_wish_whose_commit_failed_is_given_again(folder: RunFolder) -> None:
    with Inbox(folder) as inbox, History(folder) as history:
        inbox.put(RUN)
        assert len(inbox.take(history.intervention_ids, 1)) == 1
    with Inbox(folder) as inbox, History(folder) as history:
        commit(history, 4, inbox)
    assert in_history(folder) == [(5, "run")]


def test_a_wish_whose_commit_stands_is_not_given_again_after_a_crash(folder: RunFolder) -> None:
    with Inbox(folder) as inbox, History(folder) as history:
        inbox.put(RUN)
        commit(history, 0, inbox)
        # The inbox has not heard of the commit yet: a crash here must not double the wish.
        assert inbox.waiting() == [RUN]
    with Inbox(folder) as inbox, History(folder) as history:
        commit(history, 1, inbox)
        assert inbox.waiting() == []
    assert in_history(folder) == [(1, "run")]


@pytest.mark.parametrize("agent", CAST)
def test_interviews_are_kept_beside_the_history(folder: RunFolder, agent: str) -> None:
    lived(folder, range(3))
    with RunReader(folder) as reader:
        before = digest(reader)
    assert read_interviews(folder) == []
    asked = [
        InterviewRecord(asker="a reporter", agent=agent, question=f"{n}?", answer=f"{n}.", at=20)
        for n in range(2)
    ]
    with Inbox(folder) as inbox:
        for one in asked:
            inbox.put_interview(one)
    assert read_interviews(folder, agent) == read_interviews(folder) == asked
    assert read_interviews(folder, "Nobody") == []
    with RunReader(folder) as reader:
        assert digest(reader) == before
