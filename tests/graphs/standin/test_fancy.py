"""The stand-in's dreams: whole clauses of what somebody did, in any order."""

import pytest

from smolville.graphs.context import who_of
from smolville.graphs.standin.fancy import dream
from smolville.models.standin.rule import Dice
from smolville.parsers.dream import DreamInput
from smolville.parsers.prompt_inputs import PersonaInput, RecalledMemory
from tests.graphs.standin.conftest import OWN

ROSA = who_of(OWN[0], OWN[0].currently)


def inputs_of(me: PersonaInput, *texts: str) -> DreamInput:
    memories = tuple(
        RecalledMemory(number=number, when="yesterday 12:00", text=text)
        for number, text in enumerate(texts, 1)
    )
    return DreamInput(me=me, date="Tuesday 7 May", memories=memories)


@pytest.mark.parametrize("seed", range(12))
def test_a_dream_is_made_of_whole_clauses(seed):
    told = inputs_of(
        ROSA,
        f"{ROSA.name} is carrying the bag",
        "Tove Lind is listening to the latest news",
        f'Tove Lind said: "I saw {ROSA.name}."',
        f"Tove Lind is talking with {ROSA.name}",
    )
    text = dream(told, Dice("dream", seed)).answer["dream"]
    clauses = ("I was carrying the bag", "Tove Lind was listening to the latest news")
    assert any(clause in text for clause in clauses)
    assert ROSA.first_name not in text and "snowing the" not in text and text.endswith(".")


def test_who_remembers_no_deed_dreams_all_the_same():
    answer = dream(inputs_of(ROSA, "The moon was round."), Dice("dream"))
    assert answer.answer["dream"].startswith("I looked everywhere")
