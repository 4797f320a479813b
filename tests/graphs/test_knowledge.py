"""What somebody knows: facts read by rule, and recalled where somebody is asked for."""

import pytest

from smolville.agents.stream import Recollection
from smolville.graphs.knowledge import (
    FACTS,
    facts_in,
    with_facts,
)
from smolville.graphs.recall import recall
from tests.graphs.minds import ADA, memory, thinker


def _facts(text, **more):
    return [
        (fact.subject, fact.relation, fact.object)
        for fact in facts_in(ADA, memory(0, text, **more))
    ]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Ben Hollis is having lunch at the Copper Kettle",
         [("Ben Hollis", "is having lunch at", "Copper Kettle")]),
        ("Ben is talking with Cora Vance", [("Ben Hollis", "is talking with", "Cora Vance")]),
        ("Ada Brook talked with Ben Hollis: Cora Vance is moving to Oak Street on Tuesday 7 May.",
         [("Ada Brook", "talked with", "Ben Hollis"),
          ("Cora Vance", "is moving to", "Oak Street")]),
        ("the stove is on fire", []),
    ],
)  # fmt: skip
def test_a_sentence_with_two_names_says_how_they_are_related(text, facts):
    assert _facts(text) == facts


def test_what_somebody_said_of_themselves_is_known_of_them():
    said = 'Ben Hollis said: "I bake rye bread every week."'
    assert _facts(said, kind="thought") == [("Ben Hollis", "bake rye bread every week", "")]
    assert _facts("Ben Hollis is sweeping the yard") == [], "a moment says nothing of a person"


def test_dreams_and_plans_are_no_knowledge():
    told = "Ben Hollis is talking with Cora Vance"
    assert _facts(told, kind="dream") == []
    assert _facts(told, predicate="plan") == []


async def test_facts_about_whoever_is_asked_for_come_back_beside_what_scores_best():
    dull = [memory(n, f"the oven number {n} is hot, says the baker", at=9_000) for n in range(9)]
    fact = memory(50, "Cora Vance is opening the Paper Boat Bookshop", at=10)
    me = thinker(memories=[*dull, fact])
    plain = await recall(me, ["a hot oven"], 4)
    asked = await recall(me, ["a hot oven"], 4, ("Cora Vance",))
    assert fact.id not in plain.record.ids
    assert fact.id in asked.record.ids and len(asked.record.ids) == 4
    assert asked.record.about == ("Cora Vance",)


def test_facts_take_no_more_places_than_theirs_and_none_twice():
    about = [memory(n, f"Cora Vance is teaching Ben Hollis song {n}") for n in range(5)]
    others = [memory(10 + n, f"the lamp {n} is on") for n in range(5)]
    ranked = [Recollection(each, 1.0, 1.0, 1.0, 1.0) for each in (*others, *about)]
    found = [each.memory.id for each in with_facts(ADA, ranked, ("Cora Vance",), 4)]
    assert found == [each.id for each in (*others[: 4 - FACTS], *about[:FACTS])]
    assert with_facts(ADA, ranked[5:], ("Cora Vance",), 4) == ranked[5:9]
