"""How a prepared talk begins and ends: strangers, families, colleagues, several at once."""

import pytest

from graphs.prompt_inputs import NumberedLine
from graphs.ready_thoughts import private_thought
from graphs.speech_acts import choose_act
from graphs.talk_memories import PastTalk
from graphs.talk_summaries import prepare_conclusion
from graphs.talk_view import ready_lines
from tests.graphs.test_speech_acts import BOOK, NEEDS, PARTY, talk

ADA, BEN, CLEO = "Ada Brook", "Ben Hollis", "Cleo Marsh"
VOLUNTEERS = "I am looking for volunteers for a free blood pressure day at the clinic."
MAYOR = "I am thinking of running for mayor in the autumn election."


def numbered(*lines: tuple[str, str]) -> list[NumberedLine]:
    return [
        NumberedLine(speaker=speaker, text=text, number=at)
        for at, (speaker, text) in enumerate(lines, 1)
    ]


def test_strangers_say_who_they_are():
    strangers = {"relationship": "You do not know them."}
    begun = choose_act(talk(knows=(BOOK,)).model_copy(update=strangers)).options
    assert all("I am Ada." in each and "Ben" not in each for each in begun)
    told = choose_act(talk(begun[0], knows=(BOOK,)).model_copy(update=strangers)).options
    assert all("I am Ada" in each and "Ben" in each for each in told)
    met = prepare_conclusion(ADA, (BEN,), numbered((ADA, "Hello! I am Ada."), (BEN, "Hello!")))
    assert met.summaries == ("Ada Brook and Ben Hollis got to know each other.",)


@pytest.mark.parametrize(
    ("clock", "asked"),
    [("07:10", "did you sleep well?"), ("19:20", "how was your day?")],
)
def test_a_family_at_table_asks_what_fits_the_hour_and_does_not_stop_anybody(clock, asked):
    at_home = {
        "relationship": "Ada is married to Ben. You talked today 06:30: They talked.",
        "now": f"Monday 6 May, {clock}",
        "doing": "Ada Brook was eating at the table. Ben Hollis was laying the table.",
    }
    assert choose_act(talk().model_copy(update=at_home)).options == (f"Ben, {asked}",)
    parting = talk("Nothing new here.", "I see.", "Nothing special.").model_copy(update=at_home)
    assert not any("See you" in each for each in choose_act(parting).options)


def test_how_was_your_day_is_answered_and_asked_back():
    evening = {"now": "Monday 6 May, 19:20"}
    answers = choose_act(talk("How was your day?").model_copy(update=evening)).options
    assert all(each.endswith("And how was yours?") for each in answers)
    back = talk("How was your day?", answers[0]).model_copy(update=evening)
    assert all("day" in each or "Long" in each for each in choose_act(back).options)


def test_a_stranger_who_asks_something_is_told_a_name_whatever_the_answer():
    strangers = {"relationship": "You do not know them."}
    for asked in ("Is it not a lovely evening?", "What keeps you busy today?"):
        line = f"Hello! I am Ben. {asked}"
        answers = choose_act(talk(line, knows=(BOOK,)).model_copy(update=strangers)).options
        assert all(each.count("I am Ada") == 1 for each in answers)
        assert not any("news?" in each for each in answers)


def test_nobody_asks_what_they_can_see_or_were_told():
    colleague = {"relationship": "Ben is Ada's employer. You talked today 06:30: They talked."}
    asked = choose_act(talk().model_copy(update=colleague)).options
    assert not any("busy" in each for each in asked)
    on_the_way = {"doing": "Ada Brook was walking to Mill Cafe. Ben Hollis was reading."}
    told = choose_act(talk("What keeps you busy today?").model_copy(update=on_the_way)).options
    assert all("on my way to Mill Cafe" in each for each in told)
    news = talk("Nothing new here. And how are you?")
    assert all("well" in each or "fine" in each for each in choose_act(news).options)


def test_who_has_just_come_in_does_not_take_leave_for_the_day():
    comes_in = {
        "place": "Copper Kettle Cafe: main room",
        "doing": "Ada Brook was walking to Copper Kettle Cafe. Ben Hollis was pouring coffee.",
    }
    said = ("How is your day so far?", "All is well, thank you.", "I see.")
    parting = talk(*said).model_copy(update=comes_in)
    goodbyes = choose_act(parting).options
    assert any("let you get on" in each or "not keep you" in each for each in goodbyes)
    assert not any("See you" in each or "Have a good" in each for each in goodbyes)
    elsewhere = parting.model_copy(update={"place": "Weathervane Square: market stalls"})
    assert any("See you" in each for each in choose_act(elsewhere).options)


def test_who_plays_on_or_works_beside_the_other_does_not_take_leave():
    game = {"doing": "Ada Brook was playing chess. Ben Hollis was playing chess."}
    shop = {
        "doing": "Ada Brook was serving customers. Ben Hollis was writing price tags.",
        "relationship": "Ben is Ada's employer at the bookshop.",
    }
    for near in (game, shop):
        parting = talk("Nothing new here.", "I see.", "Nothing special.")
        told = choose_act(parting.model_copy(update=near)).options
        assert told and not any("See you" in each or "Have a good" in each for each in told)


def test_one_whose_work_is_unknown_is_not_beside_the_other():
    parting = talk("Nothing new here.", "I see.", "Nothing special.")
    alone = parting.model_copy(update={"doing": "Ada Brook was playing chess."})
    told = choose_act(alone).options
    assert all("See you" in each or "Have a good" in each for each in told)


def test_only_who_does_not_know_of_it_is_invited_among_several():
    inputs = talk(knows=(PARTY,)).model_copy(update={"others": (BEN, CLEO)})
    invited = [PastTalk(BEN, "Ada Brook invited Ben Hollis to the lantern party.")]
    told = [each for each in choose_act(inputs, invited).options if PARTY in each]
    assert told and all(each.endswith("come, Cleo?") for each in told)
    assert not any("Cleo?" in each for each in choose_act(inputs).options)


def test_all_who_accept_an_invitation_are_remembered_and_keep_their_promise():
    held = numbered(
        (ADA, f"{PARTY} Will you come?"), (BEN, "Count me in!"), (CLEO, "I would love to.")
    )
    told = prepare_conclusion(CLEO, (ADA, BEN), held)
    assert told.summaries == (
        "Ada Brook invited Cleo Marsh and Ben Hollis to the lantern party. "
        "Ben Hollis and Cleo Marsh want to come.",
    )
    assert told.promise.startswith("Cleo Marsh goes to the lantern party")
    assert prepare_conclusion(BEN, (ADA, CLEO), held).promise.startswith("Ben Hollis goes to")


def test_news_that_was_known_is_no_news():
    heard = f"Here is some news. Dora Vale is planning {PARTY.removeprefix('I am planning ')}"
    held = numbered(
        (ADA, heard), (BEN, "I know. What do you make of it?"), (ADA, "I like the idea.")
    )
    told = prepare_conclusion(BEN, (ADA,), held)
    assert told.keep == ()
    assert told.summaries == ("Ada Brook and Ben Hollis talked about the lantern party.",)


def test_a_name_before_a_line_hides_nothing_of_it():
    held = numbered(
        (ADA, "Ben, you told me that you are painting. How is that going?"), (BEN, "Well.")
    )
    assert prepare_conclusion(ADA, (BEN,), held).summaries == (
        "Ada Brook asked Ben Hollis, who is still painting, how it is going.",
    )
    news = prepare_conclusion(BEN, (ADA,), numbered((ADA, f"Ben, {MAYOR}"), (BEN, "I see.")))
    assert news.keep == (1,) and "Ada Brook is thinking of running" in news.summaries[0]


def test_who_looks_for_volunteers_takes_help_that_is_offered():
    offered = talk(VOLUNTEERS, "Is there anything I can help with?", me=ADA)
    wanted = choose_act(offered).options
    assert all("would help" in each or "ask around" in each for each in wanted)
    thanked = choose_act(talk(VOLUNTEERS, "Is there anything I can help with?", wanted[0], me=BEN))
    assert all("ask" in each for each in thanked.options)


def test_what_is_not_decided_is_not_asked_as_if_it_were():
    asked = choose_act(talk(f"Hello, Ada! {MAYOR}")).options
    assert asked and not any("begin?" in each or "need for it" in each for each in asked)


def test_a_host_does_not_ask_again_for_what_somebody_looks_for():
    asks = "Hello, Ada! I look forward to the lantern party. Is everything going to plan?"
    looked = [
        PastTalk(BEN, "Ada Brook still needs paper lanterns. Ben Hollis will help with that.")
    ]
    told = choose_act(talk(asks, knows=(PARTY, NEEDS)), looked).options
    assert told and not any("lanterns" in each for each in told)


@pytest.mark.parametrize(
    ("memory", "thought"),
    [
        (
            "I am still angry with Vivian Ashdown about the post office counter.",
            "Sooner or later I have to speak with Vivian Ashdown about the post office counter.",
        ),
        (
            "I have a secret crush on Amara Okoro and have told nobody.",
            "I think of Amara Okoro more than I let on.",
        ),
        (
            "I worry that my daughter Nadia works too hard.",
            "I want to make things easier for my daughter Nadia.",
        ),
        (
            "I have been offered a summer place at a research station and must answer soon.",
            "I cannot put off my answer about a summer place at a research station much longer.",
        ),
        (BOOK, ""),
    ],
)
def test_what_weighs_on_somebody_leads_to_a_thought_that_nobody_is_told(memory, thought):
    assert private_thought(memory) == thought
    assert not thought or not any(
        thought in each for each in choose_act(talk(knows=(thought,))).options
    )


def test_a_plan_that_few_are_told_of_is_told_to_these_alone():
    few = "I have not announced anything and am telling only people I trust, such as Ben Hollis."
    assert any(MAYOR in each for each in choose_act(talk(knows=(MAYOR, few))).options)
    others = talk(knows=(MAYOR, few)).model_copy(update={"others": (CLEO,)})
    assert not any(MAYOR in each for each in choose_act(others).options)


def test_before_strangers_among_several_nobody_tells_what_occupies_them():
    several = {
        "others": (BEN, CLEO),
        "relationship": "Ben Hollis: a friend. Cleo Marsh: You do not know them.",
    }
    told = choose_act(talk(knows=(BOOK,)).model_copy(update=several)).options
    assert told and not any("mosses" in each or "Cleo" in each for each in told)


def test_who_wants_to_tell_something_begins_with_it():
    reason = "I want to tell Ben Hollis that I am writing a book about mosses."
    begun = choose_act(talk(knows=(BOOK, MAYOR)).model_copy(update={"reason": reason}))
    assert begun.options and all("mosses" in each for each in begun.options)


@pytest.mark.parametrize(
    ("answer", "goes", "words"),
    [
        ("Yes, I would not miss it.", True, "see_there"),
        ("Yes, I would not miss it.", False, "may_come"),
        ("I am not sure yet.", True, "time_left"),
    ],
)
def test_whether_somebody_goes_is_answered_by_whether_one_goes_too(answer, goes, words):
    plan = "For Ben Hollis's plans: Ben Hollis goes to the dance on Tuesday, May 7th, from 5pm."
    said = ("Here is some news. Dora Vale is planning a dance.", "Are you going?", answer)
    card = choose_act(talk(*said, me=BEN, knows=(plan,) if goes else ()))
    assert card.ends and all(each.startswith(tuple(ready_lines()[words])) for each in card.options)
