"""Actions, lines and talks as values."""

import pytest

from smolville.agents.action import Talk, TalkLine, describe_action

LINE = TalkLine(speaker="Ada Brook", text="Hello.", at=60)


@pytest.mark.parametrize(
    ("activity", "sentence"),
    [
        ("baking bread", "Ada is baking bread"),
        ("breakfast at home", "Ada: breakfast at home"),
        ("sleeping", "Ada is sleeping"),
        ("", "Ada: "),
    ],
)
def test_an_activity_is_told_as_a_sentence(activity, sentence):
    assert describe_action("Ada", activity) == sentence


def test_the_others_of_a_talk_are_everyone_else():
    names = ("Ada Brook", "Ben Hollis", "Cora Vance")
    talk = Talk(id="t", participants=names, place="", start=0, end=60, lines=(LINE,))
    assert talk.others("Ben Hollis") == ("Ada Brook", "Cora Vance")


@pytest.mark.parametrize(
    ("activity", "sentence"),
    [
        ("telling everybody about my party", "Ada Brook is telling everybody about Ada's party"),
        ("asking who can lend me lanterns", "Ada Brook is asking who can lend Ada lanterns"),
        ("inviting whoever I meet", "Ada Brook is inviting whoever they meet"),
    ],
)
def test_what_somebody_calls_theirs_has_their_name_for_others(activity: str, sentence: str) -> None:
    assert describe_action("Ada Brook", activity) == sentence
