"""Turns in the inbox: asked once, answered once, by whichever process."""

from pathlib import Path

import pytest

from smolville.history.drafting import new_run
from smolville.history.folder import RunFolder
from smolville.history.inbox import Inbox, OperatorRequest, VisitorTurn
from tests.history.made_up import spec

TURN = VisitorTurn(
    talk="talk/7/Rosa Lind&Ada Brook",
    n=2,
    visitor="Rosa Lind",
    agent="Ada Brook",
    place="Copper Kettle",
    lines=(("Rosa Lind", "Hello."), ("Ada Brook", 'A "day"; & so on')),
    at=70,
    asked=1000.0,
    until=1120.0,
)


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return new_run(tmp_path, spec())


def test_a_turn_is_seen_by_others_and_answered_once(folder: RunFolder) -> None:
    with Inbox(folder) as owner, Inbox(folder) as person:
        owner.ask_turn(TURN)
        assert person.turns() == [TURN]
        assert owner.answer(TURN.talk, 2) is None
        assert person.say(TURN.talk, 2, "What is new?", ends=True)
        assert not person.say(TURN.talk, 2, "Something else")
        assert not person.say(TURN.talk, 4, "too early")
        answer = owner.answer(TURN.talk, 2)
        assert answer is not None
        assert (answer.text, answer.ends) == ("What is new?", True)
        assert person.turns() == []


def test_asking_again_keeps_the_answer_and_a_turn_that_is_over_takes_none(
    folder: RunFolder,
) -> None:
    with Inbox(folder) as inbox:
        inbox.ask_turn(TURN)
        assert inbox.say(TURN.talk, 2, "kept")
        inbox.ask_turn(TURN)
        assert inbox.answer(TURN.talk, 2) is not None
        other = TURN.talk.replace("7", "8")
        inbox.close_turn(TURN.talk, 2)
        assert not inbox.say(other, 2, "nobody asked")


def test_typing_lets_patience_begin_anew(folder: RunFolder) -> None:
    with Inbox(folder) as inbox:
        inbox.ask_turn(TURN)
        assert inbox.turn_until(TURN.talk, 2) == 1120.0
        inbox.typing(TURN.talk, 2)
        assert inbox.turn_until(TURN.talk, 2) > 1_000_000


def test_what_became_of_a_wish_is_told(folder: RunFolder) -> None:
    with Inbox(folder) as inbox:
        one = inbox.put(OperatorRequest(kind="visitor_leaves", target="Rosa Lind", text=""))
        other = inbox.put(OperatorRequest(kind="announcement", target="", text="Hear, hear"))
        assert inbox.wants("visitor_leaves", "Rosa Lind")
        inbox.refuse(one, "Rosa Lind is not in town.")
        inbox.settle([other])
        assert (inbox.fate(one).state, inbox.fate(one).why) == (
            "refused",
            "Rosa Lind is not in town.",
        )
        assert inbox.fate(other).state == "taken"
        assert inbox.fate("never put").state == "waiting"
        assert not inbox.wants("visitor_leaves", "Rosa Lind")
