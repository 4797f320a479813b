"""Talks: greetings, news passed on in words, invitations, goodbyes, and what is kept of them."""

import itertools

import pytest

from smolville.graphs.context import who_of
from smolville.graphs.standin.happenings import as_told_by, find_told_events, in_third_person
from smolville.graphs.standin.news import is_news, talk_phrases
from smolville.parsers.prompt_inputs import PersonCard, SpokenLine
from tests.graphs.standin.conftest import PARTY, answered

NOW = "Monday 6 May, 09:20"


def hold(town, one, other, known, seed=1):
    """Return the lines of a talk; `known` is what each remembers, by name."""
    lines = []
    while len(lines) < 16:
        me, them = (one, other) if len(lines) % 2 == 0 else (other, one)
        texts = known.get(me.name, ())
        inputs = town.given(
            "say",
            me=who_of(me, me.currently),
            now=NOW,
            place="Weathervane Square",
            others=(them.name,),
            doing="You were walking.",
            relationship=me.relationships.get(them.name, "strangers"),
            reason="" if lines else "You are glad to see them.",
            memories=[
                {"number": number, "when": "today 08:00", "text": text}
                for number, text in enumerate(texts, start=1)
            ],
            lines=tuple(lines),
            turns_left=16 - len(lines),
        )
        answer = town.ask("say", inputs, seed=seed + len(lines)).answer
        lines.append(SpokenLine(speaker=me.name, text=answer["text"]))
        if answer["ends"]:
            break
    return lines


def conclude(town, me, other, lines):
    inputs = town.given(
        "conclude_talk",
        me=who_of(me, me.currently),
        now=NOW,
        others=(other.name,),
        relationship=me.relationships.get(other.name, "strangers"),
        feeling="",
        plan=("12:00 having lunch",),
        lines=[line.model_dump() for line in lines],
        dates=("Monday 6 May", "Tuesday 7 May", "Wednesday 8 May"),
        places=("Copper Kettle: counter room",),
    )
    answer = town.ask("conclude_talk", inputs).answer
    kept = [line for line in inputs.lines if line.number in answer["keep"]]
    assert all(line.speaker == other.name for line in kept)
    return answer | {"kept": [f'{line.speaker} said: "{line.text}"' for line in kept]}


def test_the_host_invites_and_the_guest_remembers_it_word_for_word(town, own):
    lines = hold(town, own["Rosa"], own["Tom"], {})
    assert any(PARTY in line.text for line in lines)
    kept = conclude(town, own["Tom"], own["Rosa"], lines)
    retold = [sentence for text in kept["kept"] for sentence in find_told_events(text)]
    assert any(each.startswith("Rosa Marin is giving a") and PARTY in each for each in retold)
    assert all("lantern party" in each["what"] for each in kept["agreements"])


def test_news_heard_is_passed_on_so_that_the_third_can_retell_it(town, own):
    news = f"Rosa Marin is giving a {PARTY} and wants everybody to come."
    heard = 0
    for seed in range(8):
        lines = hold(town, own["Tom"], own["Ida"], {"Tom Reed": [news]}, seed=seed)
        kept = conclude(town, own["Ida"], own["Tom"], lines)
        heard += any(PARTY in text and "Rosa Marin" in text for text in kept["kept"])
    assert heard >= 6


def test_some_of_those_invited_plan_to_come(town, own):
    plans = []
    for seed in range(12):
        lines = hold(town, own["Rosa"], own["Tom"], {}, seed=seed)
        plans += conclude(town, own["Tom"], own["Rosa"], lines)["agreements"]
    assert len(plans) >= 6
    for plan in plans:
        assert (plan["who"], plan["day"], plan["time"]) == (["Tom Reed"], "tomorrow", "17:00")
        assert plan["place"] == "Copper Kettle: counter room"


def test_a_talk_ends_politely_after_some_lines(town, everybody):
    lengths = []
    for one, other in itertools.islice(itertools.combinations(everybody, 2), 16):
        lines = hold(town, one, other, {})
        lengths.append(len(lines))
        texts = [line.text for line in lines]
        assert len(set(texts)) == len(texts), texts
        assert any(word in texts[-1].lower() for word in ("goodbye", "see you", "next time"))
    assert all(4 <= length <= 16 for length in lengths)
    assert 6 <= sum(lengths) / len(lengths) <= 12


def test_secrets_are_kept(town, own):
    secret = "Ida Lund has a secret crush on Tom Reed and has told nobody about it."
    lines = hold(town, own["Ida"], own["Rosa"], {"Ida Lund": [secret]})
    assert not any("crush" in line.text for line in lines)


def meet(town, me, other, **fields):
    card = {
        "name": other.name,
        "doing": "walking",
        "relationship": me.relationships.get(other.name, ""),
        "last_talk": "never",
        "can_talk": True,
        "until": "10:00",
    }
    seed = fields.pop("seed", 1)
    doing = fields.pop("mine", "walking")
    events = fields.pop("events", ())
    inputs = town.given(
        "react",
        me=who_of(me, me.currently),
        now=NOW,
        place="Weathervane Square",
        doing=doing,
        until="10:00",
        people=(PersonCard(**{**card, **fields}),),
        events=events,
        memories=(),
    )
    return town.ask("react", inputs, seed=seed).answer


@pytest.mark.parametrize(
    ("event", "activity"),
    [
        ("Announcement to the whole town: There is music in the park, for everybody", None),
        ("the stove is polished to a shine", "looking after the stove"),
    ],
)
def test_what_is_unusual_is_seen_to_at_times_and_what_is_announced_is_only_heard(
    town, own, event, activity
):
    answers = [
        meet(town, own["Rosa"], own["Tom"], seed=seed, can_talk=False, events=(event,))
        for seed in range(100)
    ]
    assert {answer["activity"] for answer in answers} == {None, activity}


@pytest.mark.parametrize(
    ("event", "activity"),
    [
        ("the oven is on fire", "putting out the fire at the oven"),
        ("the desk is in flames", "putting out the fire at the desk"),
        ("the sink is flooding the kitchen", "stopping the water at the sink"),
    ],
)
def test_what_is_dangerous_is_ended_at_once_even_by_who_would_rather_talk(
    town, own, event, activity
):
    answers = [meet(town, own["Rosa"], own["Tom"], seed=seed, events=(event,)) for seed in range(9)]
    assert {(answer["choice"], answer["activity"]) for answer in answers} == {("other", activity)}


def test_people_who_know_each_other_mostly_talk_and_not_always(town, own):
    answers = [meet(town, own["Rosa"], own["Tom"], seed=seed) for seed in range(200)]
    talks = [answer for answer in answers if answer["choice"] == "talk"]
    assert 140 <= len(talks) < 200
    assert {answer["person"] for answer in talks} == {"Tom Reed"}


@pytest.mark.parametrize(
    "fields",
    [{"can_talk": False}, {"doing": "sleeping"}, {"mine": "sleeping"}],
)
def test_nobody_talks_with_who_cannot(town, own, fields):
    for seed in range(30):
        answer = meet(town, own["Rosa"], own["Tom"], seed=seed, **fields)
        assert answer["choice"] != "talk"


def test_a_talk_just_held_is_seldom_held_again(town, own):
    answers = [
        meet(town, own["Rosa"], own["Tom"], seed=seed, last_talk="today 09:00, about bread")
        for seed in range(100)
    ]
    assert sum(answer["choice"] == "talk" for answer in answers) <= 20


def test_one_waits_for_what_serves_one_at_a_time(town, own):
    answers = [
        meet(
            town,
            own["Rosa"],
            own["Tom"],
            seed=seed,
            mine="cooking soup on the stove",
            doing="frying eggs on the stove",
            can_talk=False,
        )
        for seed in range(40)
    ]
    waits = [answer for answer in answers if answer["choice"] == "wait"]
    assert waits
    assert all(answer["person"] == "Tom Reed" and answer["minutes"] >= 5 for answer in waits)


def test_who_is_asked_about_their_own_party_says_yes(town, own):
    asked = f"Hi! I heard that you are giving a {PARTY}. Is that so?"
    for seed in range(10):
        answer = answered(town, own["Rosa"], own["Tom"], asked, seed=seed)
        assert answer.startswith("Yes, that is right.")


def test_a_polite_question_is_never_met_with_not_knowing(town, own):
    for seed in range(30):
        answer = answered(town, own["Tom"], own["Ida"], "How is your day going?", seed=seed)
        assert not any(phrase in answer for phrase in talk_phrases()["no_answer"])


def test_a_visitor_who_asks_what_one_does_hears_it(town, own):
    asked = "Good morning! What are you doing today?"
    assert "I was busy." in answered(town, own["Tom"], own["Ida"], asked)


@pytest.mark.parametrize(
    "text",
    [
        "It matters to Tom that Ida Lund was invited to a party on the square.",
        "Ida Lund matters more and more to Tom: Ida Lund wants to leave for the election.",
        "I keep coming back to Ida Lund, because Ida Lund was offered a scholarship.",
        "Rosa Marin is giving a lantern party and wants everybody in the town to…",
        "This is Rosa Marin's plan for Monday 6 May: preparing the party at 09:00.",
    ],
)
def test_what_one_made_of_memories_is_no_news(text):
    assert not is_news(text)


def test_nobody_is_told_news_of_themselves(town, own):
    news = ["Tom Reed has lost a dog by the pond.", "Ida Lund was offered a scholarship in Rome."]
    for seed in range(10):
        lines = hold(town, own["Tom"], own["Ida"], {"Ida Lund": news, "Tom Reed": news}, seed)
        for line in lines:
            theirs = "scholarship" if line.speaker == "Tom Reed" else "dog"
            assert theirs not in line.text


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I heard a noise and am afraid.", "Tom Reed heard a noise and is afraid."),
        ("I need a new oven and want help.", "Tom Reed needs a new oven and wants help."),
        ("Ida and I are looking for a dog.", "Ida and Tom are looking for a dog."),
        ("I still think about it.", "Tom Reed still thinks about it."),
        ("I lost a tin and still look for it.", "Tom Reed lost a tin and still looks for it."),
        ("I once lent Ida a ladder.", "Tom Reed once lent Ida a ladder."),
        ("I run because I believe in it.", "Tom Reed runs because Tom believes in it."),
        ("Ida is here, and I have hope.", "Ida is here, and Tom has hope."),
        ("I told a secret that was not mine.", "Tom Reed told a secret that was not Tom's."),
    ],
)
def test_what_somebody_says_is_retold_in_good_grammar(said, told):
    assert in_third_person(said, "Tom Reed") == told


def test_what_two_people_do_is_told_as_we_would(own):
    told = as_told_by("Tom and Ida are looking for a dog.", "Tom Reed", "Tom")
    assert told == "Ida and I are looking for a dog."


def test_a_phrase_of_another_talk_is_no_answer(town, own):
    known = ['Rosa Marin said: "How interesting! I will keep that in mind. Tom is well liked."']
    for seed in range(10):
        answer = answered(town, own["Ida"], own["Tom"], "Is there any news in town?", known, seed)
        assert "will keep that in mind" not in answer


def test_no_turn_ends_by_promising_news(town, own):
    long = "The council wants to close the old library by the river for the whole winter because "
    news = f"{long}the roof is leaking and nobody has found the money before the election."
    asked = "Have you met anyone today?"
    for seed in range(10):
        answer = answered(town, own["Tom"], own["Ida"], asked, [news], seed)
        assert not any(answer.endswith(lead) for lead in talk_phrases()["open_news"])


def test_a_greeting_that_names_the_greeted_is_a_polite_question(town, own):
    for seed in range(10):
        answer = answered(town, own["Tom"], own["Ida"], "Hello Tom, still about?", seed=seed)
        assert not any(phrase in answer for phrase in talk_phrases()["no_answer"])
