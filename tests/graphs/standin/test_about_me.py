"""What people say of their work and plans: their own only, and in the first person throughout."""

import pytest

from graphs.context import who_of
from graphs.standin.about_me import own_sentences, tell_as_mine
from graphs.standin.news import talk_phrases
from tests.graphs.standin.conftest import PARTY, answered


@pytest.mark.parametrize("asked", ["What is new in the bakery?", "How is business in your shop?"])
def test_who_works_at_a_place_tells_of_it(town, own, asked):
    for seed in range(10):
        answer = answered(town, own["Tom"], own["Ida"], asked, seed=seed)
        assert not any(phrase in answer for phrase in talk_phrases()["no_answer"])
        assert "I bake bread in the town's bakery" in answer


def test_who_does_not_work_there_says_that_they_do_not_know(town, own):
    answer = answered(town, own["Ida"], own["Tom"], "What is new in the bakery?")
    assert any(answer.startswith(phrase) for phrase in talk_phrases()["no_answer"])


def test_nobody_confirms_what_somebody_else_plans(town, own):
    known = [f"Rosa Marin is giving a {PARTY} and wants everybody to come."]
    asked = f"Hi! I heard that you are giving a {PARTY}. Is that so?"
    for seed in range(10):
        answer = answered(town, own["Tom"], own["Ida"], asked, known, seed)
        assert "Yes" not in answer
        assert f"Rosa Marin is giving a {PARTY}" in answer


def test_who_means_to_go_to_a_party_says_so_and_not_that_it_is_theirs(town, own):
    known = [f"Rosa Marin is giving a {PARTY}.", f"Tom Reed plans to go to the {PARTY}."]
    own_plan = f"I heard that you plan to go to the {PARTY}. Is that so?"
    assert answered(town, own["Tom"], own["Ida"], own_plan, known[:1]).startswith("Yes, I mean to")
    hosted = f"I heard that you are giving a {PARTY}. Is that so?"
    assert "Yes" not in answered(town, own["Tom"], own["Ida"], hosted, known)


@pytest.mark.parametrize(
    ("currently", "told"),
    [
        (
            "Tom Reed is running for mayor, because he believes the shops are neglected.",
            "I am running for mayor, because I believe the shops are neglected.",
        ),
        (
            "He asked Ida to marry him and bakes the cake.",
            "I asked Ida to marry me and bake the cake.",
        ),
        (
            "Ida wants to marry, and he has not answered.",
            "Ida wants to marry, and I have not answered.",
        ),
        ("At home he never asks himself why.", "At home I never ask myself why."),
    ],
)
def test_who_tells_what_is_on_their_mind_says_i_throughout(own, currently, told):
    me = who_of(own["Tom"], f"{currently} He is busy.")
    assert tell_as_mine(own_sentences(me)[0], me) == told


def test_he_is_somebody_else_behind_their_name(own):
    me = who_of(own["Tom"], f"{own['Tom'].currently} He is busy.")
    heard = "Tom Reed has seen Theo Lund when he was at the pond."
    assert tell_as_mine(heard, me) == "I have seen Theo Lund when he was at the pond."
