"""A thought, a talk and an interview of what was filled in by hand."""

import pytest

from smolville.graphs.studio.moment import KnownRoom, senses_of
from smolville.lab import studio
from tests.graphs.minds import planning_from

STANDIN = {"model": "standin"}


def _default(graph, field):
    return graph.get_input_jsonschema()["properties"][field]["default"]


async def _thought(**fields):
    return await studio.mind.ainvoke(STANDIN | fields)


async def test_whoever_is_in_sight_is_met():
    done = await _thought()
    assert done["nodes"] == ["feel_needs", "perceive", "react"]
    assert done["intent"]["talk_to"] == "Milo Varga" and done["intent"]["reason"]
    assert {
        "kind": "event",
        "text": "Ida Lund is talking with the postman",
        "importance": 4,
    } in (done["remembered"])
    (step,) = done["steps"]
    assert (step["step"], step["outcome"], step["attempts"]) == ("react", "clean", 1)
    assert step["answer"]["person"] == "Milo Varga"


async def test_what_is_over_is_followed_by_a_new_action_at_a_place():
    done = await _thought(until="09:10", people=[])
    assert done["nodes"] == [
        "feel_needs",
        "perceive",
        "decompose",
        "reuse_places",
        "place_named",
        "ground_block",
        "act",
    ]
    wish = done["intent"]
    assert wish["place"].startswith("Marin Café: counter room") and wish["until"] > "09:10"
    (now,) = [each for each in done["plan"] if each["time"].startswith("09:10")]
    assert (wish["activity"], wish["place"]) == (now["activity"], now["place"])


async def test_a_day_that_is_not_planned_is_planned_first():
    done = await _thought(planned=[], people=[], doing="")
    assert done["nodes"][:4] == ["feel_needs", "perceive", "plan_day", "plan_hours"]
    assert done["plan"][0]["time"].startswith("00:00") and len(done["plan"]) > 5
    assert any("plan for Monday 6 May" in each["text"] for each in done["remembered"])


async def test_an_inner_voice_is_heeded():
    done = await _thought(inner_voice="I want to paint the door green.", people=[])
    assert "hear_whispers" in done["nodes"] and "heed_inner_voice" not in done["nodes"]
    (kept,) = [each for each in done["remembered"] if each["kind"] == "thought"]
    assert kept["text"] == "I want to paint the door green."


async def test_an_inner_voice_in_doubt_is_heeded():
    done = await _thought(inner_voice="Paint the door green on Friday.", people=[])
    assert "heed_inner_voice" in done["nodes"]
    (kept,) = [each for each in done["remembered"] if each["kind"] == "thought"]
    assert "paint the door green" in kept["text"] and kept["importance"]


async def test_many_memories_of_weight_make_a_mind_reflect():
    # What waits for its rating is what the thought itself takes in: people, as many as it takes.
    people = [{"name": f"Guest {n}", "doing": f"asking for cake {n}"} for n in range(40)]
    done = await _thought(people=people, doing="", until="09:10")
    assert "rate_importance" in done["nodes"]
    assert any(each["importance"] for each in done["remembered"])


ROOM = {
    "place": "Marin Café: counter room",
    "objects": ["counter", "till"],
    "states": ["till: out of coins"],
    "taken": ["counter"],
}


async def test_an_unusual_object_is_noticed():
    done = await _thought(rooms=[ROOM], people=[])
    assert "the till is out of coins" in [each["text"] for each in done["remembered"]]


def test_only_the_room_where_one_stands_is_in_sight():
    rooms = [
        KnownRoom.model_validate(ROOM),
        KnownRoom(place="Oak Cottage: bedroom", objects=("bed",)),
    ]
    senses = senses_of(at=3600, place=rooms[0].place, rooms=rooms)
    assert [sight.arena for sight in senses.sights()] == [rooms[0].place]
    assert senses.is_taken("Marin Café: counter room: counter")
    assert not senses.is_taken("Marin Café: counter room: till")
    with pytest.raises(LookupError):
        senses.is_taken("Oak Cottage: bedroom: bed")


@pytest.mark.parametrize(
    ("phase", "nodes"),
    [
        ("perception", ["feel_needs", "perceive"]),
        ("planning", planning_from("plan_hours")),
        ("reaction", ["react"]),
        ("action", ["decompose", "reuse_places", "place_named", "ground_block", "act"]),
        ("reflection", ["reflect_questions", "reflect_insights"]),
    ],
)
async def test_a_phase_is_entered_whatever_the_moment_wants(phase, nodes):
    done = await getattr(studio, phase).ainvoke(STANDIN)
    assert done["nodes"] == nodes
    assert {step["outcome"] for step in done["steps"]} <= {"clean"}


async def test_two_people_talk_in_turn_until_one_ends_it():
    done = await studio.talk.ainvoke(STANDIN)
    speakers = [line["speaker"] for line in done["lines"]]
    assert speakers == ["Rosa Marin", "Milo Varga"] * (len(speakers) // 2) and len(speakers) > 1
    assert [step["agent"] for step in done["steps"]] == speakers
    assert done["ended_by"] in {"Rosa Marin", "Milo Varga", "the cap"}
    assert not any(line["is_fallback"] for line in done["lines"])


async def test_a_talk_ends_after_the_lines_it_may_have():
    done = await studio.talk.ainvoke(STANDIN | {"most_lines": 1})
    assert (len(done["lines"]), done["ended_by"]) == (1, "the cap")


async def test_an_interview_brings_back_what_is_remembered():
    graph = studio.interview
    memories = [{"text": "Rosa Marin hid the spare key under the bench.", "hours_ago": 5}]
    question = "Where did you hide the spare key?"
    done = await graph.ainvoke(STANDIN | {"memories": memories, "question": question})
    assert done["recalled"] == [memories[0]["text"]]
    asked = done["attempts"][0]["messages"][1]["text"]
    assert memories[0]["text"] in asked and question in asked and "today 04:10" in asked
    assert done["answer"] and done["outcome"] == "clean"


async def test_an_interview_of_who_does_and_remembers_nothing_is_held():
    done = await studio.interview.ainvoke(STANDIN | {"memories": [], "doing": "", "lines": []})
    assert done["recalled"] == [] and done["answer"]
    assert "nothing yet" in done["attempts"][0]["messages"][1]["text"]


async def test_a_second_person_is_asked_as_themselves():
    me = _default(studio.talk, "second")["me"]
    done = await studio.interview.ainvoke(STANDIN | {"me": me})
    assert "You are Milo Varga" in done["attempts"][0]["messages"][0]["text"]
