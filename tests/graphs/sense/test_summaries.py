"""What the checks object to in the summary of a talk: swapped roles, another talk."""

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


def test_a_summary_is_about_this_talk() -> None:
    told = "Rosa asked Milo to fetch her father, and he promised to bring the whole choir tomorrow."
    assert summary(told) == []
    assert summary("Milo repaired the roof of the bakery and painted its window blue.") == ["fact"]


def test_who_asked_whom_is_not_swapped() -> None:
    for text in (
        "Milo asked Rosa to fetch her father from the chess board, and she promised to do so.",
        "Milo wondered about the chess board and asked her to fetch her father.",
        "Rosa spoke of her father, and Rosa promised to fetch him before the fair.",
    ):
        assert summary(text) == ["speaker"]
