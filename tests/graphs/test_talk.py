"""A talk: turn by turn, until somebody ends it or the cap does; and what is kept of it."""

from dataclasses import replace

import pytest

from agents.action import Line, Talk
from agents.memory import agent_of
from agents.mind import Impression
from graphs import conclude_talk
from graphs.context import MindContext
from graphs.meeting import MOST_LINES, Meeting
from graphs.say import seconds
from graphs.state import TalkSeen
from graphs.talk import build_talk, talk
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    ADA,
    BEN,
    body,
    calls_of,
    context_for,
    day_plan,
    desk_of,
    memory,
    mind_of,
    records,
    take,
    thinker,
    tick_at,
)
from tests.graphs.replies import bad, good
from tests.graphs.traced import traced

AROUND = Around(tick=360)


def _context(model, impressions=None):
    flour = memory(0, "Ben Hollis sells flour.")
    mind = mind_of(impressions=impressions or {})
    return MindContext(
        owner="talk/1",
        tick=AROUND.tick,
        thinkers={
            ADA.name: thinker(AROUND, memories=[flour], mind=mind),
            BEN.name: thinker(AROUND, persona=BEN, mind=mind_of()),
        },
        desk=desk_of(model),
    )


MEETING = Meeting(
    speakers=(ADA.name, BEN.name),
    doing={ADA.name: "wiping the counter", BEN.name: "buying bread"},
    place="Copper Kettle: counter room",
    reason="Ada needs flour",
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


async def test_every_line_is_one_step_of_its_speaker():
    told, context = (
        [],
        _context(_says(("Hello Ben.", False), ("Hello Ada.", False), ("Bye.", True))),
    )
    done = await talk(context, MEETING)
    assert done.path == ["say", "say", "say"]
    assert [(each.agent, each.ordinal) for each in records(done)] == [
        ("Ada Brook", 0),
        ("Ben Hollis", 1),
        ("Ada Brook", 2),
    ]
    assert {call.key.owner for call in calls_of(context)} == {"talk/1"}
    start = TalkSeen(agent=ADA.name, meeting=MEETING)
    async for _, event in build_talk().astream(
        start, context=context, stream_mode="custom", subgraphs=True
    ):
        told.append((event["agent"], event["step"], event["attempt"]))
    assert told == [(each.agent, "say", 0) for each in records(done)]


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


async def test_lines_follow_each_other_in_time():
    model = _says(("a" * 240, False), ("b" * 60, False), ("Bye.", True))
    done = await _talked(model)
    assert [line.at for line in done.lines] == [3600, 3660, 3675]
    assert seconds(done.lines) == 120


@pytest.mark.parametrize(("characters", "lasts"), [(1, 60), (240, 60), (241, 120), (2400, 600)])
def test_a_talk_lasts_whole_minutes(characters, lasts):
    assert seconds((Line(speaker="a", text="x" * characters, at=0),)) == lasts


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


async def test_a_name_before_the_words_is_not_said():
    done = await _talked(_says(("Ada Brook: Hello.", False), ('Ben: "Bye."', True)))
    assert [line.text for line in done.lines] == ["Hello.", "Bye."]


async def test_what_one_makes_of_the_other_is_shown():
    liked = {"Ben Hollis": Impression(relationship="A dear friend.", feeling="She trusts him.")}
    model = _says(("Bye.", True))
    await _talked(model, liked)
    assert model.asked[0].told["inputs"]["relationship"] == "A dear friend. She trusts him."


async def test_what_speakers_recall_is_accessed_and_nothing_is_remembered():
    done = await _talked(_says(("Hello.", False), ("Bye.", True)))
    (change,) = done.draft.changes
    assert (change.kind, agent_of(change.id)) == ("access", "Ada Brook")
    assert done.draft.memories == ()


BREAD = "Hello, I bring bread tomorrow. Bake less cake!"
HELD = Talk(
    id="t",
    participants=("Ben Hollis", "Ada Brook"),
    place="Copper Kettle: counter room",
    start=35_000,
    end=36_000,
    lines=(
        Line(
            speaker="Ben Hollis", text="Hello, I bring bread tomorrow. Bake less cake!", at=35_000
        ),
    ),
    ended_by="the cap",
)


async def _concluded(otherwise, mind=None, memories=()):
    model = Scripted(otherwise=otherwise)
    own = body(None, ended_talk=HELD)
    context = context_for(model, Around(tick=tick_at(600), own=own), memories=memories)
    return await take(conclude_talk.STEP, context, mind or mind_of(day_plan())), model


async def test_a_talk_is_remembered_with_what_follows_from_it():
    reply = good("conclude_talk", {}) | {"keep": [1], "promise": "bake one cake less today"}
    done, model = await _concluded(lambda step, inputs: reply)
    held, fact, plan = done.draft.memories
    assert held.text == "Ada Brook talked with Ben Hollis: Ben Hollis comes to the soup evening."
    assert (held.kind, held.importance, held.depth) == ("talk", None, 0)
    assert fact.text == 'Ben Hollis said: "Hello, I bring bread on Tuesday 7 May. Bake less cake!"'
    assert plan.text == "For Ada Brook's plans: bake one cake less on Monday 6 May"
    for each in (fact, plan):
        assert (each.kind, each.evidence, each.depth) == ("thought", (held.id,), 1)
    mind = done.mind
    assert mind.unrated == (held.id, fact.id, plan.id) and mind.gathered == 0.0
    assert mind.talked == {"Ben Hollis": 36_000}
    assert mind.impressions["Ben Hollis"] == Impression(
        relationship=ADA.relationships["Ben Hollis"],
        feeling="glad",
        summary="Ben Hollis comes to the soup evening.",
        at=36_000,
        talks=1,
    )
    assert done.disturbed == "A talk with Ben Hollis has just ended."
    inputs = model.asked[0].told["inputs"]
    assert inputs["relationship"] == ADA.relationships["Ben Hollis"]
    assert inputs["plan"][0] == "08:00-12:00 serving guests in the café"


async def test_a_fallback_keeps_the_bare_fact_only():
    old = {"Ben Hollis": Impression(relationship="A friend.", talks=3)}
    done, _ = await _concluded(bad, mind_of(day_plan(), impressions=old))
    (held,) = done.draft.memories
    assert (held.kind, held.text) == ("talk", "Ada Brook talked with Ben Hollis.")
    assert held.importance is None
    mind = done.mind
    assert mind.impressions == old and mind.talked == {"Ben Hollis": 36_000}
    assert mind.gathered == 0.0
    assert mind.unrated == ("Ada Brook/3600/conclude_talk/0/0",)


async def test_impressions_grow_talk_by_talk_and_keep_others():
    old = {
        "Ben Hollis": Impression(relationship="A friend.", feeling="fond", talks=3),
        "Cora Vance": Impression(relationship="A guest."),
    }
    done, model = await _concluded(good, mind_of(day_plan(), impressions=old))
    mind = done.mind
    now = mind.impressions["Ben Hollis"]
    assert (now.relationship, now.talks) == ("A friend.", 4)
    assert mind.impressions["Cora Vance"] == old["Cora Vance"]
    inputs = model.asked[0].told["inputs"]
    assert (inputs["relationship"], inputs["feeling"]) == ("A friend.", "fond")


async def test_a_promise_of_which_nobody_spoke_is_marked_and_not_kept():
    reply = good("conclude_talk", {}) | {"promise": "paint the boat with Cora"}
    done, _ = await _concluded(lambda step, inputs: reply)
    assert [each.kind for each in done.draft.memories] == ["talk"]
    (record,) = records(done)
    assert "fact" in record.odd_kinds and record.outcome == "clean"


@pytest.mark.parametrize(
    "summary",
    [
        "Ada Brook talked with Ben Hollis about the soup evening.",
        "Ben and Ada have talked about the soup evening.",
        "Ada Brook and Ben Hollis talked about this: the soup evening.",
        "About the soup evening.",
    ],
)
async def test_who_talked_with_whom_is_said_once(summary):
    reply = good("conclude_talk", {}) | {"summary": summary}
    done, _ = await _concluded(lambda step, inputs: reply)
    told = done.draft.memories[0].text.casefold()
    assert told.removeprefix("ada brook talked with ben hollis: ") in (
        "about the soup evening.",
        "the soup evening.",
    )


async def test_the_very_same_talk_again_strengthens_its_memory():
    text = "Ada Brook talked with Ben Hollis: Ben Hollis comes to the soup evening."
    past = memory(0, text, kind="talk")
    done, _ = await _concluded(good, memories=[past])
    assert [(c.id, c.kind) for c in done.draft.changes] == [(past.id, "strengthen")]
    assert all(each.evidence == () for each in done.draft.memories)
