"""Talks of three and four: who speaks next, what each is shown, and what each keeps of it."""

import pytest

from smolville.agents.action import TalkLine
from smolville.graphs.context import MindContext
from smolville.graphs.meeting import Meeting
from smolville.graphs.talk import talk
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import ADA, BEN, desk_of, mind_of, thinker

AROUND = Around(tick=360)
CORA = BEN.model_copy(update={"name": "Cora Vance"})
MEETING = Meeting(
    speakers=(ADA.name, BEN.name, CORA.name),
    doing={ADA.name: "baking", BEN.name: "buying bread", CORA.name: "drinking tea"},
    place="Copper Kettle: counter room",
    reasons={ADA.name: "Ada needs flour"},
)


def _lines(*said):
    return [TalkLine(speaker=name, text=text, at=0) for name, text in said]


@pytest.mark.parametrize(
    ("said", "following"),
    [
        ((), "Ada Brook"),
        ((("Ada Brook", "Hello!"),), "Ben Hollis"),
        ((("Ada Brook", "Hello, Cora!"),), "Cora Vance"),
        ((("Ada Brook", "Hello, Cora and Ben!"),), "Ben Hollis"),
        ((("Ada Brook", "Hi."), ("Ben Hollis", "Hi.")), "Cora Vance"),
        ((("Ada Brook", "Hi."), ("Cora Vance", "Hi."), ("Ben Hollis", "Hi.")), "Ada Brook"),
        ((("Ada Brook", "Hi."), ("Cora Vance", "Hi."), ("Ada Brook", "So.")), "Ben Hollis"),
        ((("Ben Hollis", "I am Ben, Ada."),), "Ada Brook"),
        ((("Ada Brook", "Thank you, Ben. And you, Cora? Do you sing?"),), "Cora Vance"),
        ((("Ada Brook", "Cora sings. Shall we ask her, Ben and Cora?"),), "Ben Hollis"),
    ],
)
def test_the_one_who_is_named_speaks_next_else_who_was_silent_longest(said, following):
    assert MEETING.next_speaker(_lines(*said)) == following


async def _talked(*replies):
    said = [{"text": text, "ends": ends} for text, ends in replies]
    model = Scripted(replies={"say": said})
    people = {each.name: thinker(AROUND, persona=each, mind=mind_of()) for each in (ADA, BEN, CORA)}
    context = MindContext(owner="talk/1", tick=AROUND.tick, thinkers=people, client=desk_of(model))
    return await talk(context, MEETING), model


async def test_nobody_ends_a_talk_before_everybody_has_spoken():
    lines = (("Hello.", False), ("Good day. Bye.", True), ("I bake.", False), ("Bye.", True))
    done, _ = await _talked(*lines)
    speakers = [line.speaker for line in done.lines]
    assert speakers == ["Ada Brook", "Ben Hollis", "Cora Vance", "Ada Brook"]
    assert done.ended_by == "Ada Brook"


async def test_each_is_shown_who_is_there_who_said_what_and_whom_they_answer():
    _, model = await _talked(("Hello.", False), ("Fine day.", False), ("So it is. Bye.", True))
    third = model.asked[2]
    system = str(third.messages[0].text)
    assert "with Ada Brook and Ben Hollis." in system and "You answer Ben Hollis;" in system
    assert "Ada Brook: Ada Brook buys" not in system and "Ben Hollis: You do not know" in system
    assert "Ada Brook: Hello." in "\n".join(str(each.text) for each in third.messages[1:])
    assert third.last.endswith("Ben Hollis: Fine day.")
