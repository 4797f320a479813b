"""What is known of everyday doings: what they weigh, what parts they have, who is in the way."""

import pytest

from smolville.agents.persona import Persona
from smolville.graphs.activities.filling import free_time, kind_for, parts_known
from smolville.graphs.activities.kinds import is_in_the_way
from smolville.graphs.context import who_of
from smolville.graphs.frame.day import TimetableEntry
from smolville.graphs.rate_importance import routine_importance
from smolville.models.standin.rule import Dice
from smolville.parsers.prompt_inputs import PersonaInput


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


def test_the_parts_of_an_activity_are_those_of_its_kind_and_of_nothing_else() -> None:
    parts = parts_known("having dinner", somebody(), Dice(1))
    assert any("eating dinner" in part for part in parts)
    assert not any("{" in part for part in parts), "every choice in a phrase is made"
    assert parts_known("zorbing", somebody(), Dice(1)) == ()
    assert parts_known("sleeping", somebody(), Dice(1)) == ()


@pytest.mark.parametrize(
    "activity",
    [
        "clearing a corner of the shop and counting how many chairs would fit",
        "folding paper lanterns with my father in the living room",
        "ordering sixty buns from Piotr at Zielinski Bakery",
        "knocking at Ottoline's door to ask for the choir",
        "walking on to the Copper Kettle Cafe",
        "inviting Mateo at Rivas Grocery",
        "washing the windows",
    ],
)
def test_an_activity_that_only_mentions_a_kind_has_none_of_its_parts(activity: str) -> None:
    for learned in ("Ada Holm keeps a bakery.", "Ada Holm owns a bookshop.", "Ada Holm writes."):
        assert parts_known(activity, somebody(learned), Dice(1)) == ()


@pytest.mark.parametrize(
    ("activity", "part"),
    [
        ("having lunch at the Copper Kettle Cafe", "eating"),
        ("going for a walk", "walking"),
        ("baking bread with Piotr", "kneading"),
        ("playing chess with Idris", "chess"),
        ("singing in the choir at Bell Hall", "singing"),
    ],
)
def test_an_activity_in_the_words_of_its_kind_has_its_parts(activity: str, part: str) -> None:
    assert any(part in each for each in parts_known(activity, somebody(), Dice(1)))


def test_a_duty_has_the_parts_of_its_work() -> None:
    me = somebody("Ada Holm owns a bookshop.", "Mill House: shop")
    activity = "working at the bookshop"
    assert parts_known(activity, me, Dice(1)) == ()
    assert parts_known(activity, me, Dice(1), is_duty=True) != ()


def test_free_time_holds_different_kinds_of_activities_and_differs_by_chance() -> None:
    taken: set[str] = set()
    day = [
        entry.activity
        for start, end in ((420, 540), (780, 900), (1140, 1260))
        for entry in free_time(TimetableEntry(start, end, "", 0), somebody(), taken, Dice(1))
    ]
    assert len(day) == len(set(day)) == len(taken) >= 3
    morning = TimetableEntry(420, 540, "", 0)
    others = {free_time(morning, somebody(), set(), Dice(seed))[0].activity for seed in range(8)}
    assert len(others) > 3


def test_somebody_is_in_the_way_where_a_thing_serves_one_at_a_time() -> None:
    assert is_in_the_way("taking a shower", "going to the shower")
    assert not is_in_the_way("reading at the table", "eating at the table")
    assert not is_in_the_way("playing the piano", "taking a shower")
