"""A talk: turn by turn, until somebody ends it or the cap does."""

from dataclasses import replace

import pytest

from smolville.agents.mind import Impression
from smolville.graphs.context import MindContext
from smolville.graphs.meeting import MOST_LINES, Meeting
from smolville.graphs.talk import talk
from smolville.graphs.talk_memories import SHOWN
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    ADA,
    BEN,
    desk_of,
    memory,
    mind_of,
    thinker,
)
from tests.graphs.replies import bad, good
from tests.graphs.traced import traced

AROUND = Around(tick=360)


FLOUR = memory(0, "Ben Hollis sells flour.")


def _context(model, impressions=None, memories=(FLOUR,)):
    mind = mind_of(impressions=impressions or {})
    return MindContext(
        owner="talk/1",
        tick=AROUND.tick,
        thinkers={
            ADA.name: thinker(AROUND, memories=memories, mind=mind),
            BEN.name: thinker(AROUND, persona=BEN, mind=mind_of()),
        },
        client=desk_of(model),
    )


MEETING = Meeting(
    speakers=(ADA.name, BEN.name),
    doing={ADA.name: "wiping the counter", BEN.name: "buying bread"},
    place="Copper Kettle: counter room",
    reasons={ADA.name: "Ada needs flour"},
)


async def _talked(model, impressions=None, **more):
    return await talk(_context(model, impressions), replace(MEETING, **more))


def _says(*lines):
    return Scripted(replies={"say": [{"text": text, "ends": ends} for text, ends in lines]})


async def test_they_speak_in_turn_until_one_ends_it():
    model = _says(("Hello Ben.", False), ("Hello Ada.", False), ("Bye.", True))
    done = await _talked(model)
    assert [line.speaker for line in done.lines] == ["Ada Brook", "Ben Hollis", "Ada Brook"]
    assert done.ended_by == "Ada Brook" and not any(line.fallback for line in done.lines)
    first, second, third = (asked.told["inputs"] for asked in model.asked)
    assert (first["reason"], second["reason"]) == ("Ada needs flour", "")
    assert (first["others"], second["others"]) == (["Ben Hollis"], ["Ada Brook"])
    assert [each["text"] for each in third["lines"]] == ["Hello Ben.", "Hello Ada."]
    assert [each["turns_left"] for each in (first, second, third)] == [16, 15, 14]
    assert first["doing"].startswith("Ada Brook was wiping the counter. Ben Hollis was buying")
    assert [each["text"] for each in first["memories"]] == ["Ben Hollis sells flour."]


async def test_what_the_prompt_says_already_is_not_recalled_as_well():
    said = "Ben Hollis sells flour and oats."
    known = Impression(relationship="A friend.", summary=said, at=100, talks=1)
    past = [
        memory(0, f"Ada Brook talked with Ben Hollis: {said}", kind="talk"),
        *(memory(n, f"Ben Hollis lost mule {n} on the moor.", importance=6) for n in range(1, 9)),
    ]
    model = _says(("Hello Ben.", False), ("Hello Ada.", False), ("Bye.", True))
    await talk(_context(model, {"Ben Hollis": known}, past), MEETING)
    for inputs in (model.asked[0].told["inputs"], model.asked[2].told["inputs"]):
        assert said.rstrip(".") in inputs["relationship"]
        assert len(inputs["memories"]) == SHOWN
        assert not any(said in each["text"] for each in inputs["memories"])


async def test_both_who_want_a_talk_have_their_reason_and_who_was_not_asked_may_refuse():
    both = {ADA.name: "Ada needs flour", BEN.name: "Ben has news of the mill"}
    model = _says(("Hello Ben.", False), ("Hello Ada.", False), ("Bye.", True))
    await _talked(model, reasons=both)
    told = [asked.told["inputs"] for asked in model.asked]
    assert [each["reason"] for each in told] == [*both.values(), both[ADA.name]]
    assert not any("may_refuse" in each for each in told)
    model = _says(("Hello Ben.", False), ("I have no time now.", True))
    done = await _talked(model)
    assert model.asked[1].told["inputs"]["may_refuse"] is True
    assert "Nobody asked if you have time." in model.asked[1].messages[0].text
    assert (len(done.lines), done.ended_by) == (2, BEN.name)


async def test_in_a_trace_each_line_tells_who_speaks_to_whom():
    async def work(_):
        await _talked(Scripted(otherwise=good), most_lines=3)

    trace = await traced(work)
    above = ["root", "Ada Brook & Ben Hollis · talk", "say"]
    assert trace.paths("model") == [
        [*above, "Ada Brook to Ben Hollis · line 1", "ask", "model"],
        [*above, "Ben Hollis to Ada Brook · line 2", "ask", "model"],
        [*above, "Ada Brook to Ben Hollis · line 3", "ask", "model"],
    ]
    models = [run for run, name in trace.names.items() if name == "model"]
    told = [trace.metadata[run] for run in models]
    assert [(each["speaker"], each["to"], each["line"]) for each in told] == [
        ("Ada Brook", ["Ben Hollis"], 1),
        ("Ben Hollis", ["Ada Brook"], 2),
        ("Ada Brook", ["Ben Hollis"], 3),
    ]


@pytest.mark.parametrize("most", [1, 2, 7, MOST_LINES])
async def test_the_cap_ends_a_talk_that_nobody_ends(most):
    model = Scripted(otherwise=lambda step, inputs: {"text": "And then?", "ends": False})
    done = await _talked(model, most_lines=most)
    assert (len(done.lines), done.ended_by) == (most, "the cap")


async def test_a_fallback_ends_the_talk_and_is_marked():
    model = Scripted(replies={"say": [{"text": "Hello.", "ends": False}]}, otherwise=bad)
    done = await _talked(model)
    assert [line.fallback for line in done.lines] == [False, True]
    assert done.ended_by == "Ben Hollis"


@pytest.mark.parametrize(
    ("last", "is_over"),
    [
        ("The flour is good and the bread is good.", True),
        ("Good flour, good bread: is it not good?", False),
        ("Yesterday my cousin married a sailor from Norway.", False),
    ],
    ids=["nothing new", "a question", "news"],
)
async def test_a_talk_in_which_nothing_new_is_said_is_over(last, is_over):
    said = ["The flour is good.", "The bread is good.", "Is there any cake?", "There is none."]
    model = _says(*((text, False) for text in said), (last, False), ("Bye.", True))
    done = await _talked(model)
    assert len(done.lines) == (5 if is_over else 6)


async def test_what_the_other_may_not_know_is_offered_until_it_is_told():
    past = (
        memory(0, "Ben Hollis lost a sack of flour.", importance=9),
        memory(1, "The old mill on the river burnt down last night.", subject="mill", importance=8),
        memory(2, "Ada Brook is afraid of fire and of the river.", kind="thought", importance=9),
        memory(3, "Ada Brook is washing cups.", subject=ADA.name, importance=9),
    )
    told = "Have you heard? The old mill on the river burnt down last night."
    model = _says(("Hello.", False), ("Hi.", False), (told, False), ("No!", False), ("Bye.", True))
    await talk(_context(model, memories=past), MEETING)
    first, _, third, _, fifth = (asked.told["inputs"] for asked in model.asked)
    assert first["news"] == third["news"] == past[1].text
    assert past[1].text not in [each["text"] for each in first["memories"]], "nothing twice"
    assert fifth["news"] == "", "it was told; what is left is Ben's own, private, or her own deed"
