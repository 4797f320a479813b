"""What is kept of a talk: its gist, lines in their words, what was agreed, impressions."""

from dataclasses import replace

import pytest

from smolville.agents.action import Talk, TalkLine
from smolville.agents.closeness import KNOWN
from smolville.agents.mind import Impression
from smolville.graphs import conclude_talk
from smolville.graphs.catalogue import SAMPLES
from smolville.graphs.conclude_talk import NEWS
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    ADA,
    body,
    context_for,
    day_plan,
    mind_of,
    records,
    take,
    tick_at,
)
from tests.graphs.replies import good

BREAD = "Hello, I bring bread tomorrow. Bake less cake!"
HELD = Talk(
    id="t",
    participants=("Ben Hollis", "Ada Brook"),
    place="Copper Kettle: counter room",
    start=35_000,
    end=36_000,
    lines=(
        TalkLine(
            speaker="Ben Hollis", text="Hello, I bring bread tomorrow. Bake less cake!", at=35_000
        ),
        TalkLine(speaker="Ada Brook", text="Then I bake one cake less today.", at=35_060),
    ),
    ended_by="the cap",
)


async def _concluded(otherwise, mind=None, memories=()):
    model = Scripted(otherwise=otherwise)
    own = body(None, ended_talk=HELD)
    context = context_for(model, Around(tick=tick_at(600), own=own), memories=memories)
    return await take(conclude_talk.STEP, context, mind or mind_of(day_plan())), model


def _agreed(**more):
    made = {"who": ["Ada Brook"], "what": "baking one cake less", "line": 2, "day": "today"}
    return made | {"time": "10:15", "place": None} | more


async def test_a_talk_is_remembered_with_what_follows_from_it():
    reply = good("conclude_talk", {}) | {"keep": [1], "agreements": [_agreed()]}
    done, model = await _concluded(lambda step, inputs: reply)
    held, fact, plan = done.draft.memories
    assert held.text == "Ada Brook talked with Ben Hollis: Ben Hollis comes to the soup evening."
    assert (held.kind, held.importance, held.depth) == ("talk", 6, 0)
    assert fact.text == f'On Monday 6 May at 10:00, Ben Hollis said: "{BREAD}"'
    assert plan.text == (
        "For Ada Brook's plans: baking one cake less on Monday 6 May at 10:15, agreed with Ben "
        'Hollis. Ada Brook said: "Then I bake one cake less today."'
    )
    for each in (fact, plan):
        assert (each.kind, each.evidence, each.depth) == ("thought", (held.id,), 1)
        assert each.importance == NEWS
    mind = done.mind
    assert mind.unrated == () and mind.gathered == 6 + 2 * NEWS
    assert mind.talked == {"Ben Hollis": 36_000}
    impression = mind.impressions["Ben Hollis"]
    assert impression.course == ((36_000, KNOWN), (36_000, impression.closeness))
    assert replace(impression, closeness=None, course=()) == Impression(
        relationship=ADA.relationships["Ben Hollis"],
        feeling="glad",
        summary="Ben Hollis comes to the soup evening.",
        at=36_000,
        talks=1,
    )
    assert done.disturbed == (
        "A talk with Ben Hollis has just ended. Agreed just now: baking one cake less at 10:15."
    )
    assert done.agreed == mind.appointments != ()
    inputs = model.asked[0].told["inputs"]
    assert inputs["relationship"] == ADA.relationships["Ben Hollis"]
    assert [inputs["plan"][at] for at in (0, -1)] == [
        "10:00-12:00 serving guests in the café",
        "19:30-22:00 reading a novel",
    ]


@pytest.mark.parametrize(
    ("more", "is_for_now"),
    [
        ({}, True),
        ({"time": "11:59"}, True),
        ({"time": "18:00"}, False),
        ({"time": None}, False),
        ({"day": "tomorrow"}, False),
        ({"day": "Sunday 12 May"}, False),
    ],
)
async def test_only_what_is_agreed_for_this_hour_disturbs_it(more, is_for_now: bool):
    reply = good("conclude_talk", {}) | {"agreements": [_agreed(**more)]}
    done, _ = await _concluded(lambda *_: reply)
    assert any(each.text.startswith("For Ada Brook's plans") for each in done.draft.memories)
    assert bool(done.disturbed) == is_for_now


async def test_an_agreement_that_stays_wrong_is_left_out_alone():
    mine, unsaid = _agreed(time="18:00"), _agreed(line=1, what="bringing bread", day="tomorrow")
    past = _agreed(time="09:00", what="opening the café")
    for wrong, told in ((unsaid, "which Ben Hollis says"), (past, "which is past: it is 10:00")):
        reply = good("conclude_talk", {}) | {"keep": [1], "agreements": [mine, wrong]}
        done, model = await _concluded(lambda *_, reply=reply: reply)
        assert [each.what for each in done.mind.appointments] == [mine["what"]]
        (record,) = records(done)
        assert record.outcome == "repaired" and len(done.draft.memories) == 3
        assert any(told in message.text for message in model.asked[1].messages), told


async def test_a_repair_that_forgets_the_right_agreement_does_not_lose_it():
    mine, wrong = _agreed(time="18:00"), _agreed(line=7, what="bringing bread", day="tomorrow")
    again = wrong | {"line": 1, "who": ["Ben Hollis", "Ada Brook"]}
    replies = [
        good("conclude_talk", {}) | {"agreements": each} for each in ([mine, wrong], [again])
    ]
    done, _ = await _concluded(lambda *_: replies.pop(0))
    assert [each.what for each in done.mind.appointments] == [mine["what"], again["what"]]


@pytest.mark.parametrize(
    ("lines", "offered"),
    [
        (("Hello, Ada! How are you today?", "The fair is on Saturday."), [2]),
        (("How can I assist you today?", "I'm good, too! What's up?"), []),
        (("Hi! I'm Ben Hollis. How can I help you?", "I have to go on now. See you."), []),
        (("I'm ill today.", "Thank you, Ada. Bring bread."), [1, 2]),
    ],
)
def test_only_lines_that_tell_something_can_be_kept(lines, offered):
    spoken = tuple(
        {"speaker": "Ben Hollis", "text": text, "number": at} for at, text in enumerate(lines, 1)
    )
    sample = SAMPLES["conclude_talk"]
    inputs = type(sample).model_validate(
        sample.model_dump() | {"others": ("Ben Hollis",), "lines": spoken}
    )
    assert conclude_talk.context(inputs)["numbers"] == offered
