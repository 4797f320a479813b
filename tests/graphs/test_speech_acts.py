"""The lines prepared for a small model: news, questions about it, answers, and an end."""

import pytest

from graphs.prompt_inputs import PersonaInput, SpokenLine
from graphs.say import SayInput, TalkMemory
from graphs.speech_acts import choose_act
from graphs.talk_view import ready_lines

PARTY = "I am planning a lantern party at the Mill Cafe on Tuesday, May 7th, from 5pm to 7pm."
NEEDS = "I need paper lanterns and buns for the party."
BOOK = "I am writing a book about mosses and am stuck in chapter two."


def person(name: str) -> PersonaInput:
    """Return a card on which nothing stands that is worth telling."""
    first = name.split()[0]
    return PersonaInput(
        name=name,
        first_name=first,
        age=40,
        innate="calm",
        learned="",
        currently="",
        lifestyle="",
        home="House: room",
        work="none",
    )


def talk(*lines: str, knows: tuple[str, ...] = (), me: str = "Ada Brook") -> SayInput:
    """Return the inputs of the next line of a talk of two that `me` did not begin if odd."""
    others = ("Ben Hollis",) if me == "Ada Brook" else ("Ada Brook",)
    mine = len(lines) % 2 == 0
    speakers = [me, others[0]] if mine else [others[0], me]
    return SayInput(
        me=person(me),
        now="Monday 6 May, 12:30",
        place="Mill Cafe: room",
        others=others,
        doing="",
        relationship="friends",
        reason="",
        memories=tuple(
            TalkMemory(number=n, when="today 08:00", text=text, is_theirs="Ben" in text)
            for n, text in enumerate(knows, 1)
        ),
        lines=tuple(
            SpokenLine(speaker=speakers[at % 2], text=text) for at, text in enumerate(lines)
        ),
        turns_left=16 - len(lines),
    )


def test_a_talk_may_begin_with_an_invitation_in_the_words_in_which_it_is_remembered():
    card = choose_act(talk(knows=(BOOK, PARTY)))
    assert card.kind == "open" and not card.ends
    assert PARTY in card.options[0] and card.options[0].endswith(("?", "!"))
    assert any(BOOK in option for option in card.options)


def test_what_was_told_in_an_earlier_talk_is_not_told_again():
    before = f"Ada Brook talked with Ben Hollis: {PARTY}"
    assert not any(PARTY in each for each in choose_act(talk(knows=(PARTY, before))).options)


def test_an_invitation_is_answered():
    card = choose_act(talk(f"Hello, Ada! {PARTY} Would you like to come?"))
    assert card.kind == "accept" and len(card.options) > 1


def test_a_question_about_needs_is_answered_with_what_is_needed():
    said = (f"Hello! {PARTY} Will you come?", "I will be there! What do you still need for it?")
    assert NEEDS in choose_act(talk(*said, knows=(PARTY, NEEDS))).options


def test_who_has_told_their_needs_before_knows_them_still():
    asked = (
        f"{PARTY} Will you come?",
        "Count me in, I will be there! What do you still need for it?",
    )
    before = f"Ada Brook talked with Ben Hollis: Ada Brook needs paper lanterns and buns. {NEEDS}"
    card = choose_act(talk(*asked, knows=(PARTY, NEEDS, before)))
    assert NEEDS.replace("need", "still need") in card.options


def test_nobody_goes_without_a_word_on_the_answer_that_they_asked_for():
    asked = f"Hello, Ben! {PARTY} Will you come?", "Count me in! What do you still need for it?"
    card = choose_act(talk(*asked, NEEDS, me="Ben Hollis"))
    assert card.ends and all(each.startswith("I will ") for each in card.options)
    unknown = choose_act(talk(*asked, "I do not know that yet.", me="Ben Hollis"))
    assert unknown.ends and all("time" in each or "hurry" in each for each in unknown.options)


def test_what_one_has_asked_somebody_about_is_not_passed_over():
    asked = talk("Hello, Ben! What keeps you busy today?", BOOK, knows=())
    card = choose_act(asked)
    assert card.kind == "ask" and all(each.endswith("?") for each in card.options)
    last = choose_act(asked.model_copy(update={"turns_left": 1}))
    assert last.ends and not any(each.startswith(("Goodbye", "Have")) for each in last.options)


def test_news_of_others_is_not_told_to_whom_it_was_told_or_from_whom_it_came():
    heard = 'Cleo Marsh said: "I am planning a lantern party at the Mill Cafe on Tuesday, May 7th, \
from 5pm to 7pm."'
    told = "Ada Brook talked with Ben Hollis: Ben Hollis told Ada Brook about the lantern party."
    assert any("Cleo" in each for each in choose_act(talk(knows=(heard,))).options)
    assert not any("Cleo" in each for each in choose_act(talk(knows=(heard, told))).options)


def test_a_question_about_something_unknown_is_not_answered_with_an_invention():
    card = choose_act(talk("What was the colour of the first tram?", knows=(BOOK,)))
    assert card.kind == "answer"
    assert {*card.options} <= {
        "I have not thought about that yet.",
        "I do not know that yet.",
        "I cannot say yet.",
    }


@pytest.mark.parametrize(("told", "kind"), [(BOOK, "ask"), ("It is warm today.", "goodbye")])
def test_one_asks_about_what_is_worth_it_and_else_goes(told, kind):
    card = choose_act(talk(f"Hello, Ada! {told}"))
    assert (card.kind, card.ends) == (kind, kind == "goodbye")


def test_a_farewell_is_answered_with_one():
    assert choose_act(talk("Hello!", "Hello, Ada!", "I must go. See you, Ada!")).ends


def test_a_line_is_never_offered_twice():
    first = choose_act(talk(BOOK))
    again = choose_act(talk(BOOK, "Hm.", f"{BOOK}", knows=()))
    said = {line.text for line in talk(BOOK, first.options[0]).lines}
    assert said.isdisjoint(again.options)


def test_an_idea_about_somebody_becomes_a_request():
    idea = "I could ask Ben Hollis to read from his memoirs."
    options = choose_act(talk(knows=(idea,))).options
    assert any("could you read from your memoirs?" in each.casefold() for each in options)


def test_who_gets_a_favour_says_thanks_and_who_is_stuck_is_not_asked_what_they_like():
    granted = choose_act(talk("Hello, Ben! Could you sing?", "Yes, I can do that."))
    assert granted.ends and all("Thank you" in each for each in granted.options)
    asked = choose_act(talk(f"Hello, Ada! {BOOK}"))
    assert not any("like about it" in each for each in asked.options)


def test_a_question_among_three_goes_to_who_told_something():
    third = "Cleo Marsh"
    inputs = talk("Hello, you two!", f"Good morning! {BOOK}", me="Ada Brook")
    inputs = inputs.model_copy(update={"me": person(third), "others": ("Ada Brook", "Ben Hollis")})
    card = choose_act(inputs)
    assert card.kind == "ask"
    assert all("Ben" in each and "Ada" not in each for each in card.options)


def test_after_the_answer_to_ones_own_question_one_wishes_luck_and_goes():
    asked = f"Hello, Ben! {BOOK}", "Hello, Ada! How far have you got with it?"
    card = choose_act(talk(*asked, "A little further than last week.", me="Ben Hollis"))
    wishes = ready_lines()["luck_hard"]  # One who is stuck needs more than luck.
    assert card.ends and all(each.startswith(tuple(wishes)) for each in card.options)
