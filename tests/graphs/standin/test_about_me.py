"""What people say of their work and plans: their own only, and in the first person throughout."""

import pytest

from smolville.graphs.context import who_of
from smolville.graphs.standin.about_me import own_sentences, tell_as_mine
from smolville.graphs.standin.guests import asks_who_comes, find_guests
from smolville.graphs.standin.news import talk_phrases
from tests.graphs.standin.conftest import PARTY, answered, memories


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


def interviewed(town, me, question, *known):
    """Return what somebody answers to an interviewer's question."""
    inputs = town.given(
        "answer_interview",
        me=who_of(me, me.currently),
        now="Monday 6 May, 09:20",
        asker="an interviewer",
        doing="walking",
        question=question,
        memories=memories(known, "today 08:00"),
        lines=(),
    )
    answer: str = town.ask("answer_interview", inputs).answer["answer"]
    return answer


ACCEPTED = (
    'Tom Reed said: "Count me in, I will come! I am looking for a bigger oven."',
    'Ida Lund said: "Thank you, I will gladly come."',
    'Milo Varga said: "That sounds nice. I will see if I can make it."',
)


def test_a_host_names_those_who_have_promised_to_come(town, own):
    asked = "A party, lovely. Who else is coming?"
    assert asks_who_comes(asked) and not asks_who_comes("Who is ill?")
    answer = answered(town, own["Rosa"], own["Ida"], asked, ACCEPTED)
    assert answer.startswith("Tom Reed has promised to come.")
    told = interviewed(town, own["Rosa"], "Who is coming to your party?", *ACCEPTED)
    assert told == "Tom Reed and Ida Lund have promised to come."
    alone = answered(town, own["Rosa"], own["Ida"], asked, ACCEPTED[1:])
    assert alone.startswith("I do not know yet who is coming.")


@pytest.mark.parametrize(
    "text",
    ["I will come back later.", "I will not come.", "I hope that Tom will come.", "You will come."],
)
def test_who_only_speaks_of_coming_is_no_guest(text):
    assert find_guests([f'Ida Lund said: "{text}"']) == {}


def test_nobody_is_told_what_they_are_doing_themselves(town, own):
    known = [
        "Ida Lund, a hiker looking for a bed for the night, is looking around",
        "Tom Reed is making the bed for the night",
    ]
    asked = "Is there a bed for the night?"
    answer = answered(town, own["Rosa"], own["Ida"], asked, known)
    assert "hiker" not in answer
    assert "Tom Reed is making the bed for the night. " in answer


def test_an_interview_repeats_statements_and_no_phrases_of_a_talk(town, own):
    shop = "Ida Lund is deciding whether to open a shop"
    known = (
        f"Rosa Marin talked with Ida Lund: {shop}; and Rosa Marin is giving a {PARTY}.",
        'Ida Lund said: "Thank you, I will gladly come. I am deciding whether to open a shop."',
    )
    told = interviewed(town, own["Rosa"], "Did Ida tell you anything about a shop?", *known)
    assert told.endswith(f"I talked with Ida Lund. {shop}. I am giving a {PARTY}.")
    told = interviewed(town, own["Rosa"], "Did Ida tell you anything about a shop?", known[1])
    assert told.endswith(f": {shop}.")


def test_what_was_told_in_a_talk_is_no_longer_called_untold(town, own):
    wish = "I want to invite everyone to the lantern party and have not told anyone about it yet."
    asked = "What about the lantern party?"
    assert "have not told anyone" in interviewed(town, own["Rosa"], asked, wish)
    told = interviewed(town, own["Rosa"], asked, wish, "Rosa Marin talked with Ida Lund: Shops.")
    assert "invite everyone to the lantern party." in told
