"""What the checks object to in the summary of a talk: swapped roles, other days, other talks."""

import pytest

from tests.graphs.sense.judging import kinds

LINES = (
    ("Milo Varga", "Is your father at the chess board already? I have news from the town hall."),
    ("Rosa Marin", "Not yet. Fetch him, Milo, and bring the whole choir to the fair tomorrow."),
    ("Milo Varga", "I will ask them all tonight. Should I start with the old songs?"),
    ("Rosa Marin", "Yes, start with those."),
)


def summary(text: str) -> list[str]:
    told = [{"number": n, "speaker": who, "text": said} for n, (who, said) in enumerate(LINES, 1)]
    lists = {"keep": [], "agreements": [], "in_confidence": []}
    answer = {"summary": text, **lists, "feeling": "glad"}
    return kinds(
        "conclude_talk", answer, lines=told, others=["Milo Varga"], now="Monday 6 May, 15:00"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Milo asked Rosa to fetch her father from the chess board, and she promised to do so.",
        "Milo wondered about the chess board and asked her to fetch her father.",
        "Rosa spoke of her father, and Rosa promised to fetch him before the fair.",
    ],
)
def test_who_asked_whom_is_not_swapped(text: str) -> None:
    assert summary(text) == ["speaker"]


@pytest.mark.parametrize(
    "text",
    [
        "Rosa asked Milo to fetch her father, and he promised to bring the whole choir tomorrow.",
        "Rosa told Milo to start with the old songs, and Milo agreed to ask the choir tonight.",
        "Milo will fetch the father of Rosa and bring the choir to the fair on Tuesday.",
    ],
)
def test_a_summary_of_what_was_said_passes(text: str) -> None:
    assert summary(text) == []


def test_what_was_agreed_stays_on_its_day() -> None:
    assert summary("Milo will bring the whole choir to the fair on Thursday.") == ["fact"]


def test_a_summary_is_about_this_talk() -> None:
    assert summary("Milo repaired the roof of the bakery and painted its window blue.") == ["fact"]
