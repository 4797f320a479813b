"""How people greet, answer and part in a prepared talk: by household, by hour, by what was said."""

import pytest

from graphs.prompt_inputs import NumberedLine, PersonCard, RecalledMemory
from graphs.reasons import prepare_reasons
from graphs.speech_acts import choose_act
from graphs.talk_summaries import prepare_conclusion
from tests.graphs.test_speech_acts import BOOK, NEEDS, PARTY, person, talk

ASK = "I could ask Ben Hollis to bring buns for the party."


def _bond(text: str, **more: str) -> dict[str, str]:
    return {"relationship": text, **more}


def _ben(relationship: str) -> PersonCard:
    return PersonCard(
        name="Ben Hollis",
        doing="reading",
        relationship=relationship,
        last_talk="never",
        can_talk=True,
        until="12:00",
    )


def test_the_people_of_a_house_do_not_meet_like_neighbours():
    usual = choose_act(talk(knows=(BOOK,))).options
    assert any("nice to see you" in each or "Hello" in each or "Hi " in each for each in usual)
    married = talk(knows=(BOOK,)).model_copy(update=_bond("Ada is married to Ben."))
    assert all(each.startswith(("Ben, ", "Good morning")) for each in choose_act(married).options)
    part = talk("Hello!", "Nothing new here.", "Goodbye!").model_copy(update=_bond("your wife"))
    assert all("See you later" in each for each in choose_act(part).options)


def test_a_parent_is_called_as_children_call_them():
    child = talk(knows=(BOOK,)).model_copy(update=_bond("Ben is Ada's father, who mends clocks."))
    assert all("Dad" in each and "Ben" not in each for each in choose_act(child).options)


@pytest.mark.parametrize(
    ("clock", "said", "unsaid"),
    [("10:00", "good day", "evening"), ("18:30", "good evening", "good day")],
)
def test_a_goodbye_names_the_right_hour(clock, said, unsaid):
    part = talk("Hello!", "Nothing new here.", "Goodbye!")
    texts = set()
    for minute in range(10):
        now = f"Monday 6 May, {clock[:4]}{minute}"
        texts |= set(choose_act(part.model_copy(update={"now": now})).options)
    told = " ".join(texts)
    assert said in told and unsaid not in told
    late = choose_act(part.model_copy(update={"now": "Monday 6 May, 21:40"}))
    assert late.options == ("Good night, Ben!",)


def test_who_has_talked_today_is_not_greeted_like_after_a_long_time():
    again = talk(knows=(BOOK,)).model_copy(
        update=_bond("Friends. You talked today 09:18: Ben told Ada of the weather.")
    )
    told = choose_act(again).options
    assert all(each.startswith(("Hello again", "Ben, one moment")) for each in told)


def test_who_begins_a_talk_to_hear_how_somebody_is_asks_it_before_they_go():
    said = (f"Hello, Ben! {PARTY} Will you come?", "Yes, I will gladly come.")
    reason = "I would like to hear how Ben Hollis is."
    asked = choose_act(talk(*said).model_copy(update={"reason": reason}))
    assert not asked.ends and all(each.endswith("?") for each in asked.options)
    assert choose_act(talk(*said)).ends


def test_who_offers_to_bring_something_is_taken_at_their_word():
    said = (
        f"Hello, Ben! {PARTY} Will you come?",
        "I would love to come! Can I bring something?",
        "Yes, paper lanterns would be a great help.",
    )
    card = choose_act(talk(*said, me="Ben Hollis"))
    assert card.ends and all(each.startswith("I will ") for each in card.options)
    lines = [
        NumberedLine(speaker=("Ada Brook", "Ben Hollis")[at % 2], text=text, number=at + 1)
        for at, text in enumerate((*said, card.options[0]))
    ]
    (told, *_) = prepare_conclusion("Ada Brook", ("Ben Hollis",), lines).summaries
    assert "Ada Brook asked Ben Hollis to bring paper lanterns. Ben Hollis agreed." in told


def test_a_host_who_is_asked_says_what_is_still_missing():
    said = ("Hello, Ada! I look forward to the lantern party. How are the preparations going?",)
    card = choose_act(talk(*said, knows=(PARTY, NEEDS)))
    assert card.options == ("It is coming along, but I still need paper lanterns.",)


def test_nobody_breaks_off_for_a_stranger_but_to_invite_them():
    def reasons(relationship: str, fact: str) -> list[str]:
        card = _ben(relationship)
        memory = RecalledMemory(number=1, when="today", text=fact)
        prepared = prepare_reasons(person("Ada Brook"), "baking bread", [card], [memory])
        return [each.text for each in prepared if each.choice == "talk"]

    assert any("mosses" in each for each in reasons("a friend", BOOK))
    assert not any("mosses" in each for each in reasons("You do not know each other.", BOOK))
    assert any("invite" in each for each in reasons("You do not know each other.", PARTY))


@pytest.mark.parametrize(
    ("doing", "told"),
    [
        ("baking bread", "I am in the middle of baking bread."),
        ("walking to Larkspur Cottage", "I am on my way to Larkspur Cottage."),
        ("asleep", "I would rather go on as before."),
    ],
)
def test_who_goes_on_says_with_what(doing, told):
    assert [each.text for each in prepare_reasons(person("Ada Brook"), doing, [], [])] == [told]


@pytest.mark.parametrize(("now", "is_asked"), [("10:00", True), ("18:25", False), ("19:30", False)])
def test_nobody_is_asked_to_bring_something_to_a_party_that_has_begun(now, is_asked):
    card = _ben("a friend")
    told = ("I am planning a party at Mill Cafe on Monday, May 6th, from 5pm to 7pm.", ASK)
    memories = [RecalledMemory(number=n, when="today", text=each) for n, each in enumerate(told, 1)]
    prepared = prepare_reasons(
        person("Ada Brook"), "dancing", [card], memories, now=f"Monday 6 May, {now}"
    )
    assert any("bring buns" in each.text for each in prepared) == is_asked
