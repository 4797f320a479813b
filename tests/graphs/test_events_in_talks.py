"""What a prepared talk says of an event: before it, on its day, and while it goes on."""

import pytest

from graphs.speech_acts import choose_act
from graphs.talk_memories import PastTalk
from graphs.talk_summaries import prepare_conclusion
from graphs.talk_view import ready_lines
from tests.graphs.test_greetings import ADA, BEN, numbered
from tests.graphs.test_speech_acts import PARTY, talk


def test_on_the_day_of_one_s_own_party_no_day_is_an_ordinary_one():
    said = ("I look forward to the lantern party today.", "How nice!", "Is there any news?")
    invited = PastTalk(BEN, "Ada Brook invited Ben Hollis to the lantern party at the Mill Cafe.")
    noon = talk(*said, knows=(PARTY,)).model_copy(update={"now": "Tuesday 7 May, 12:30"})
    answers = choose_act(noon, [invited]).options
    assert all("the lantern party today" in each for each in answers), answers
    coming = "I am coming to the lantern party later today."
    kept = prepare_conclusion(ADA, (BEN,), numbered((BEN, f"Hello, Ada! {coming}"), (ADA, "Good!")))
    assert any("about the lantern party." in each for each in kept.summaries), kept.summaries


def test_at_a_party_the_host_welcomes_and_a_guest_is_glad_to_be_there():
    now = {"now": "Tuesday 7 May, 17:20"}
    welcome = choose_act(talk(knows=(PARTY,)).model_copy(update=now)).options
    assert all("evening?" in each for each in welcome)
    thought = ("I enjoy my talks with Ben Hollis.",)
    answers = choose_act(talk(welcome[0], knows=thought).model_copy(update=now)).options
    assert set(answers) == {"Yes, very much so!", "It is lovely to have everybody together."}
    plan = "For Ada Brook's plans: Ada Brook goes to the lantern party at the Mill Cafe on Tuesday,"
    guest = talk(knows=(f"{plan} May 7th, from 5pm to 7pm.",))
    assert "lovely evening?" in choose_act(guest.model_copy(update=now)).options[0]
    assert "lovely evening?" not in choose_act(guest).options[0]


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"place": "Weathervane Square: square"},
        {"doing": "Ada Brook was walking to House. Ben Hollis was walking to Mill Cafe."},
    ],
)
def test_who_is_not_at_the_party_does_not_speak_as_if_they_were(elsewhere):
    plan = "For Ada Brook's plans: Ada Brook goes to the lantern party at the Mill Cafe on Tuesday,"
    guest = talk(knows=(f"{plan} May 7th, from 5pm to 7pm.",))
    away = guest.model_copy(update={"now": "Tuesday 7 May, 17:01", **elsewhere})
    assert not any("lovely evening" in each for each in choose_act(away).options)


@pytest.mark.parametrize(
    ("said", "knows", "answered"),
    [
        ("I look forward to the lantern party today.", (PARTY,), "today_host"),
        ("I am getting everything ready for the lantern party today.", "going", "today_to_host"),
        ("I look forward to the lantern party today.", "going", "today_both"),
        ("I look forward to the lantern party today.", (), "today_away"),
    ],
)
def test_an_event_of_the_day_is_spoken_of_and_answered(said, knows, answered):
    plan = f"For Ada Brook's plans: Ada Brook goes to {PARTY.removeprefix('I am planning ')}"
    known = (plan,) if knows == "going" else knows
    morning = {"now": "Tuesday 7 May, 09:10"}
    card = choose_act(talk(said, knows=known).model_copy(update=morning))
    assert all(each.endswith(tuple(ready_lines()[answered])) for each in card.options)
    begun = choose_act(talk(knows=known).model_copy(update=morning)).options
    assert any("today." in each for each in begun) is bool(known)


def test_a_talk_at_a_party_is_remembered_as_one():
    held = numbered(
        (ADA, "Ben, how nice that you are here! Are you enjoying the evening?"), (BEN, "Yes.")
    )
    assert prepare_conclusion(BEN, (ADA,), held).summaries == (
        "Ben Hollis and Ada Brook met at the party and were glad of it.",
    )


def test_what_was_said_of_the_days_event_is_what_a_talk_was_about():
    held = numbered((ADA, "I am getting everything ready for the dance today."), (BEN, "So do I!"))
    assert prepare_conclusion(BEN, (ADA,), held).summaries == (
        "Ben Hollis and Ada Brook talked about the dance.",
    )


def test_nobody_tells_news_of_what_is_going_on_nor_asks_for_what_is_seen_to():
    now = {"now": "Tuesday 7 May, 17:30"}
    news = f'Cleo Marsh said: "Cleo Marsh is planning {PARTY.removeprefix("I am planning ")}"'
    told = choose_act(talk(knows=(news,)).model_copy(update=now)).options
    assert told and not any("Cleo" in each for each in told)
    idea = "I could ask Ben Hollis to bring buns for the party."
    asked = choose_act(talk(knows=(idea,)), ()).options
    looks = [PastTalk(BEN, "Ada Brook still needs buns. Ben Hollis will help with that.")]
    assert any("bring buns" in each for each in asked)
    assert not any("bring buns" in each for each in choose_act(talk(knows=(idea,)), looks).options)
