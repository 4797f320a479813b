"""A talk: turn by turn, until somebody ends it or the cap does; and what is kept of it."""

import pytest

from agents.action import Line, Talk
from agents.mind import Impression
from graphs.conclude_talk import conclude_talk
from graphs.talk import MOST_LINES, Meeting, Speaker, seconds, talk
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import (
    ADA,
    BEN,
    body,
    day_plan,
    memory,
    mind_of,
    run,
    thought_of,
    tick_at,
)
from tests.graphs.replies import bad, good

AROUND = Around(tick=360)


def _meeting(model, impressions=None, **more):
    ada = thought_of(model, AROUND, memories=[memory(0, "Ben Hollis sells flour.")])
    ben = thought_of(model, AROUND, persona=BEN)
    mind = mind_of(impressions=impressions or {})
    speakers = (
        Speaker(thought=ada, mind=mind, doing="wiping the counter"),
        Speaker(thought=ben, mind=mind_of(), doing="buying bread"),
    )
    kept = {"place": "Copper Kettle: counter room", "reason": "Ada needs flour"}
    return Meeting(speakers=speakers, **(kept | more))


def _says(*lines):
    return Scripted(replies={"say": [{"text": text, "ends": ends} for text, ends in lines]})


async def test_they_speak_in_turn_until_one_ends_it():
    model = _says(("Hello Ben.", False), ("Hello Ada.", False), ("Bye.", True))
    done = await talk(_meeting(model))
    assert [line.speaker for line in done.lines] == ["Ada Brook", "Ben Hollis", "Ada Brook"]
    assert done.ended_by == "Ada Brook" and not any(line.fallback for line in done.lines)
    first, second, third = (asked.told["inputs"] for asked in model.asked)
    assert (first["reason"], second["reason"]) == ("Ada needs flour", "")
    assert (first["others"], second["others"]) == (["Ben Hollis"], ["Ada Brook"])
    assert [each["text"] for each in third["lines"]] == ["Hello Ben.", "Hello Ada."]
    assert [each["turns_left"] for each in (first, second, third)] == [16, 15, 14]
    assert first["doing"].startswith("Ada Brook was wiping the counter. Ben Hollis was buying")
    assert [each["text"] for each in first["memories"]] == ["Ben Hollis sells flour."]


async def test_lines_follow_each_other_in_time():
    model = _says(("a" * 240, False), ("b" * 60, False), ("Bye.", True))
    done = await talk(_meeting(model))
    assert [line.at for line in done.lines] == [3600, 3660, 3675]
    assert seconds(done.lines) == 120


@pytest.mark.parametrize(("characters", "lasts"), [(1, 60), (240, 60), (241, 120), (2400, 600)])
def test_a_talk_lasts_whole_minutes(characters, lasts):
    assert seconds((Line(speaker="a", text="x" * characters, at=0),)) == lasts


@pytest.mark.parametrize("most", [1, 2, 7, MOST_LINES])
async def test_the_cap_ends_a_talk_that_nobody_ends(most):
    model = Scripted(otherwise=lambda step, inputs: {"text": "And then?", "ends": False})
    done = await talk(_meeting(model, most_lines=most))
    assert (len(done.lines), done.ended_by) == (most, "the cap")


async def test_a_fallback_ends_the_talk_and_is_marked():
    model = Scripted(replies={"say": [{"text": "Hello.", "ends": False}]}, otherwise=bad)
    done = await talk(_meeting(model))
    assert [line.fallback for line in done.lines] == [False, True]
    assert done.ended_by == "Ben Hollis"


async def test_a_name_before_the_words_is_not_said():
    done = await talk(_meeting(_says(("Ada Brook: Hello.", False), ('Ben: "Bye."', True))))
    assert [line.text for line in done.lines] == ["Hello.", "Bye."]


async def test_what_one_makes_of_the_other_is_shown():
    liked = {"Ben Hollis": Impression(relationship="A dear friend.", feeling="She trusts him.")}
    model = _says(("Bye.", True))
    await talk(_meeting(model, liked))
    assert model.asked[0].told["inputs"]["relationship"] == "A dear friend. She trusts him."


async def test_what_speakers_recall_is_accessed_and_nothing_is_remembered():
    meeting = _meeting(_says(("Hello.", False), ("Bye.", True)))
    await talk(meeting)
    ada, ben = (each.thought.notes for each in meeting.speakers)
    assert [change.kind for change in ada.changes] == ["access"]
    assert ada.memories == ben.memories == ben.changes == []


HELD = Talk(
    id="t",
    participants=("Ben Hollis", "Ada Brook"),
    place="Copper Kettle: counter room",
    start=35_000,
    end=36_000,
    lines=(Line(speaker="Ben Hollis", text="Hello.", at=35_000),),
    ended_by="the cap",
)


async def _concluded(otherwise, mind=None, memories=()):
    model = Scripted(otherwise=otherwise)
    own = body(None, ended_talk=HELD)
    thought = thought_of(model, Around(tick=tick_at(600), own=own), memories=memories)
    done = await run(conclude_talk, thought, mind or mind_of(day_plan()))
    return done, thought, model


async def test_a_talk_is_remembered_with_what_follows_from_it():
    done, thought, model = await _concluded(good)
    held, fact, plan = thought.notes.memories
    assert held.text == "Ada Brook talked with Ben Hollis: Ben Hollis comes to the soup evening."
    assert (held.kind, held.importance, held.depth) == ("talk", 4, 0)
    assert fact.text == "Ben Hollis brings bread on Friday."
    assert plan.text == "For Ada Brook's plans: bake one cake less"
    for each in (fact, plan):
        assert (each.kind, each.evidence, each.depth) == ("thought", (held.id,), 1)
    mind = done["mind"]
    assert mind.unrated == (fact.id, plan.id) and mind.gathered == 4.0
    assert mind.talked == {"Ben Hollis": 36_000}
    assert mind.impressions["Ben Hollis"] == Impression(
        relationship="Ben Hollis is becoming a friend.",
        feeling="pleased",
        summary="Ben Hollis comes to the soup evening.",
        at=36_000,
        talks=1,
    )
    assert done["disturbed"] == "A talk with Ben Hollis has just ended."
    inputs = model.asked[0].told["inputs"]
    assert inputs["relationship"] == ADA.relationships["Ben Hollis"]
    assert inputs["plan"][0] == "08:00-12:00 serving guests in the café"


async def test_a_fallback_keeps_the_bare_fact_only():
    old = {"Ben Hollis": Impression(relationship="A friend.", talks=3)}
    done, thought, _ = await _concluded(bad, mind_of(day_plan(), impressions=old))
    (held,) = thought.notes.memories
    assert (held.kind, held.text) == ("talk", "Ada Brook talked with Ben Hollis.")
    assert held.importance is None
    mind = done["mind"]
    assert mind.impressions == old and mind.talked == {"Ben Hollis": 36_000}
    assert mind.gathered == 0.0
    assert mind.unrated == ("Ada Brook/3600/conclude_talk/0/0",)


async def test_impressions_grow_talk_by_talk_and_keep_others():
    old = {
        "Ben Hollis": Impression(relationship="A friend.", feeling="fond", talks=3),
        "Cora Vance": Impression(relationship="A guest."),
    }
    done, _, model = await _concluded(good, mind_of(day_plan(), impressions=old))
    mind = done["mind"]
    assert mind.impressions["Ben Hollis"].talks == 4
    assert mind.impressions["Cora Vance"] == old["Cora Vance"]
    inputs = model.asked[0].told["inputs"]
    assert (inputs["relationship"], inputs["feeling"]) == ("A friend.", "fond")


async def test_the_very_same_talk_again_strengthens_its_memory():
    text = "Ada Brook talked with Ben Hollis: Ben Hollis comes to the soup evening."
    past = memory(0, text, kind="talk")
    _, thought, _ = await _concluded(good, memories=[past])
    assert [(c.id, c.kind) for c in thought.notes.changes] == [(past.id, "strengthen")]
    assert all(each.evidence == () for each in thought.notes.memories)
