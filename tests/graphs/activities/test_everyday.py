"""What is known of everyday doings: what they weigh, what parts they have, who is in the way."""

import pytest

from smolville.agents.persona import Persona
from smolville.graphs.activities.kinds import free_time, kind_for
from smolville.graphs.context import who_of
from smolville.graphs.rate_importance import routine_importance
from smolville.models.standin.rule import Dice
from smolville.parsers.prompt_inputs import PersonaInput
from smolville.parsers.react import is_in_the_way


def somebody(learned: str = "Ada Holm writes letters.", work: str = "") -> PersonaInput:
    persona = Persona(
        name="Ada Holm",
        age=40,
        innate="calm",
        learned=learned,
        currently="Ada is thinking of spring.",
        lifestyle="Ada wakes up at 6am and goes to bed at 10pm.",
        home="Mill House: attic",
        work=work,
        daily_requirement="Write some letters.",
    )
    return who_of(persona, persona.currently)


@pytest.mark.parametrize(
    ("activity", "importance"),
    [
        ("brushing teeth and washing the face at the sink", 2),
        ("having breakfast", 2),
        ("walking along the path", 3),
        ("playing a game of chess", 4),
        ("dancing at the lantern party", None),
        ("crying over a lost letter", None),
        ("quarrelling at breakfast", None),
        ("zorbing", None),
    ],
)
def test_everyday_doings_weigh_little_and_anything_else_wants_a_judgement(
    activity: str, importance: int | None
) -> None:
    assert routine_importance(activity) == importance


@pytest.mark.parametrize(
    ("activity", "kind"),
    [
        ("having lunch", "lunch"),
        ("having lunch at the Copper Kettle Cafe", "eating_out"),
        ("sitting in the Copper Kettle Cafe", "coffee"),
        ("sitting at home", "rest"),
        ("opening the Paper Boat Bookshop", "bookseller"),
        ("opening the shop", "shopkeeper"),
    ],
)
def test_where_something_is_done_tells_what_it_is(activity: str, kind: str) -> None:
    where = "bookshop" if "Bookshop" in activity else "shop"
    found = kind_for(activity, somebody(f"Ada Holm keeps a {where}."))
    assert found is not None and found.name == kind


def test_free_time_holds_different_kinds_of_activities_and_differs_by_chance() -> None:
    taken: set[str] = set()
    day = [
        activity
        for start, end in ((420, 540), (780, 900), (1140, 1260))
        for activity in free_time(start, end, somebody(), taken, Dice(1))
    ]
    assert len(day) == len(set(day)) == len(taken) >= 3
    others = {free_time(420, 540, somebody(), set(), Dice(seed))[0] for seed in range(8)}
    assert len(others) > 3


def test_somebody_is_in_the_way_where_a_thing_serves_one_at_a_time() -> None:
    assert is_in_the_way("taking a shower", "going to the shower")
    assert not is_in_the_way("reading at the table", "eating at the table")
    assert not is_in_the_way("playing the piano", "taking a shower")
