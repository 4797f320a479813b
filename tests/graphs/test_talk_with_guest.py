"""A talk with a guest: the graph waits for the person's line, and asks no mind twice."""

import pytest

from smolville.agents.errors import InternalError
from smolville.graphs.meeting import (
    Guest,
    GuestLine,
    GuestTurn,
    Meeting,
    ends_in_goodbye,
    is_goodbye,
)
from smolville.graphs.talk import talk
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import ADA, context_for, mind_of

ROSA = Guest(name="Rosa Lind", about="a reporter", doing="taking notes")
AROUND = Around(tick=360)


class Person:
    """Says prepared lines, and keeps the turns it was asked for."""

    def __init__(self, *lines: str, ends: bool = False) -> None:
        self.lines = list(lines)
        self.ends = ends
        self.turns: list[GuestTurn] = []

    async def hear(self, turn: GuestTurn) -> GuestLine:
        self.turns.append(turn)
        text = self.lines.pop(0) if self.lines else ""
        return GuestLine(text=text, ends=self.ends and not self.lines)


async def _talked(model, person=None, *, guest_first=True, **more):
    speakers = (ROSA.name, ADA.name) if guest_first else (ADA.name, ROSA.name)
    meeting = Meeting(
        speakers=speakers,
        doing={ADA.name: "wiping the counter", ROSA.name: ROSA.doing},
        place="the café",
        guests={ROSA.name: ROSA},
        **more,
    )
    context = context_for(model, AROUND, mind=mind_of())
    return await talk(context, meeting, person.hear if person else None)


def _says(*lines):
    return Scripted(replies={"say": [{"text": text, "ends": ends} for text, ends in lines]})


async def test_they_speak_in_turn_and_each_mind_is_asked_once():
    model = _says(("Good day.", False), ("The soup evening.", False), ("Bye.", True))
    person = Person("Hello.", "What is new?", "Thank you.")
    done = await _talked(model, person)
    assert [(line.speaker, line.text) for line in done.lines] == [
        ("Rosa Lind", "Hello."),
        ("Ada Brook", "Good day."),
        ("Rosa Lind", "What is new?"),
        ("Ada Brook", "The soup evening."),
        ("Rosa Lind", "Thank you."),
        ("Ada Brook", "Bye."),
    ]
    assert done.ended_by == "Ada Brook"
    assert len(model.asked) == len(done.finished) == 3
    assert done.path == ["visitor_turn", "say"] * 3
    assert [turn.n for turn in person.turns] == [0, 2, 4]
    assert person.turns[1].to == ("Ada Brook",)
    assert [line.text for line in person.turns[1].lines] == ["Hello.", "Good day."]
    inputs = model.asked[0].told["inputs"]
    assert inputs["others"] == ["Rosa Lind"]
    assert inputs["relationship"] == "They say that they are a reporter: a stranger."
    assert "Rosa Lind was taking notes." in inputs["doing"]


async def test_a_goodbye_that_ends_it_is_the_last_line():
    person = Person("I must go.", ends=True)
    done = await _talked(_says(("Good day.", False)), person, guest_first=False)
    assert [line.text for line in done.lines] == ["Good day.", "I must go."]
    assert done.ended_by == "Rosa Lind"


async def test_a_guest_needs_somebody_who_listens():
    with pytest.raises(InternalError, match="needs somebody who listens"):
        await _talked(_says())


@pytest.mark.parametrize("line", ["Bye!", "Goodbye, Ada.", "ok, see you later", "Thanks, bye bye"])
def test_a_farewell_is_known(line):
    assert is_goodbye(line)


@pytest.mark.parametrize(
    ("line", "ends"),
    [
        ("It was good to talk to you, Ben. Until next time!", True),
        ("I must not keep you any longer. Goodbye, Ben!", True),
        ("Goodbye is a sad word. Is it not?", False),
        ("", False),
    ],
)
def test_a_line_that_ends_in_a_farewell_needs_none_back(line, ends):
    assert ends_in_goodbye(line) == ends
