"""A talk with a guest: the graph pauses for the person's line, and asks no mind twice."""

import pytest

from agents.errors import InternalError
from graphs.guests import Guest, Spoken, Turn, is_goodbye
from graphs.talk import Meeting, Speaker, talk
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import mind_of, thought_of

ROSA = Guest(name="Rosa Lind", about="a reporter", doing="taking notes")
AROUND = Around(tick=360)


class Person:
    """Says prepared lines, and keeps the turns it was asked for."""

    def __init__(self, *lines: str, ends: bool = False) -> None:
        self.lines = list(lines)
        self.ends = ends
        self.turns: list[Turn] = []

    async def hear(self, turn: Turn) -> Spoken:
        self.turns.append(turn)
        text = self.lines.pop(0) if self.lines else ""
        return Spoken(text=text, ends=self.ends and not self.lines)


def _meeting(model, person, *, guest_first=True, **more):
    ada = Speaker(thought=thought_of(model, AROUND), mind=mind_of(), doing="wiping the counter")
    speakers = (ROSA, ada) if guest_first else (ada, ROSA)
    return Meeting(speakers=speakers, place="the café", reason="", hear=person.hear, **more)


def _says(*lines):
    return Scripted(replies={"say": [{"text": text, "ends": ends} for text, ends in lines]})


async def test_they_speak_in_turn_and_each_mind_is_asked_once():
    model = _says(("Good day.", False), ("The soup evening.", False), ("Bye.", True))
    person = Person("Hello.", "What is new?", "Thank you.")
    done = await talk(_meeting(model, person))
    assert [(line.speaker, line.text) for line in done.lines] == [
        ("Rosa Lind", "Hello."),
        ("Ada Brook", "Good day."),
        ("Rosa Lind", "What is new?"),
        ("Ada Brook", "The soup evening."),
        ("Rosa Lind", "Thank you."),
        ("Ada Brook", "Bye."),
    ]
    assert done.ended_by == "Ada Brook"
    assert len(model.asked) == 3
    assert [turn.n for turn in person.turns] == [0, 2, 4]
    assert person.turns[1].to == ("Ada Brook",)
    assert [line.text for line in person.turns[1].lines] == ["Hello.", "Good day."]
    inputs = model.asked[0].told["inputs"]
    assert inputs["others"] == ["Rosa Lind"]
    assert inputs["relationship"] == "They say that they are a reporter: a stranger."
    assert "Rosa Lind was taking notes." in inputs["doing"]


async def test_who_says_nothing_more_ends_the_talk_without_a_line():
    person = Person("Hello.")
    done = await talk(_meeting(_says(("Good day.", False)), person))
    assert (len(done.lines), done.ended_by) == (2, "Rosa Lind")
    silent = await talk(_meeting(_says(), Person()))
    assert (silent.lines, silent.ended_by) == ((), "Rosa Lind")


async def test_a_goodbye_that_ends_it_is_the_last_line():
    person = Person("I must go.", ends=True)
    done = await talk(_meeting(_says(("Good day.", False)), person, guest_first=False))
    assert [line.text for line in done.lines] == ["Good day.", "I must go."]
    assert done.ended_by == "Rosa Lind"


async def test_after_a_mere_goodbye_nobody_waits_for_the_guest_again():
    person = Person("Goodbye, Ada!", "never said")
    done = await talk(_meeting(_says(("See you. And Ben?", False)), person))
    assert [line.text for line in done.lines] == ["Goodbye, Ada!", "See you. And Ben?"]
    assert (done.ended_by, len(person.turns)) == ("Rosa Lind", 1)


async def test_the_cap_holds_with_a_guest_too():
    model = Scripted(otherwise=lambda step, inputs: {"text": "And then?", "ends": False})
    done = await talk(_meeting(model, Person(*("More. " * 9).split()), most_lines=5))
    assert (len(done.lines), done.ended_by) == (5, "the cap")


async def test_a_guest_needs_somebody_who_listens():
    meeting = Meeting(speakers=_meeting(_says(), Person()).speakers, place="here", reason="")
    with pytest.raises(InternalError, match="needs somebody who listens"):
        await talk(meeting)


@pytest.mark.parametrize("line", ["Bye!", "Goodbye, Ada.", "ok, see you later", "Thanks, bye bye"])
def test_a_farewell_is_known(line):
    assert is_goodbye(line)


@pytest.mark.parametrize(
    "line", ["", "Goodbye is a sad word, is it not?", "I will see you and Ben"]
)
def test_what_says_more_is_no_farewell(line):
    assert not is_goodbye(line)
