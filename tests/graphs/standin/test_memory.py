"""Memories: what weighs how much, questions, insights, inner voices and interviews."""

import pytest

from smolville.graphs.context import who_of
from smolville.graphs.scenes import planned_at

EVENTS = [
    "Rosa Marin is sleeping",
    "Tom Reed is brushing teeth and washing the face at the sink",
    "Tom Reed is wiping the tables",
    "Rosa Marin is having breakfast",
    "Ida Lund is reading on the sofa",
]
TALK = "Rosa Marin talked with Tom Reed: A friendly chat about how the day was going."
GREAT = "Ida Lund told Rosa Marin that Tom Reed is very ill after an accident."


def rated(town, persona, memories, seed=1):
    inputs = town.given("rate_importance", me=who_of(persona, persona.currently), memories=memories)
    return {
        each["number"]: each["importance"]
        for each in town.ask("rate_importance", inputs, seed=seed).answer["ratings"]
    }


def test_a_brushed_tooth_weighs_less_than_a_chat_and_a_chat_less_than_an_accident(
    town, own, recall
):
    marks = rated(town, own["Rosa"], recall([*EVENTS, TALK, GREAT]))
    assert all(marks[number] <= 4 for number in range(1, 6))
    assert 4 <= marks[6] <= 6
    assert marks[7] >= 8


def test_the_same_text_weighs_the_same_in_any_company_and_with_any_seed(town, own, recall):
    alone = rated(town, own["Rosa"], recall([TALK]))[1]
    assert rated(town, own["Rosa"], recall([*EVENTS, TALK]), seed=9)[6] == alone


def test_questions_are_about_what_weighs_most(town, own, recall):
    inputs = town.given(
        "reflect_questions",
        me=who_of(own["Rosa"], own["Rosa"].currently),
        memories=recall([*EVENTS, TALK, GREAT]),
    )
    questions = town.ask("reflect_questions", inputs).answer["questions"]
    assert any("accident" in question for question in questions)
    assert len(set(questions)) == 3


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_insights_rest_on_memories_that_are_there(town, own, recall, count):
    inputs = town.given(
        "reflect_insights",
        me=who_of(own["Rosa"], own["Rosa"].currently),
        questions=("What matters?",),
        memories=recall([GREAT, TALK, *EVENTS][:count]),
    )
    insights = town.ask("reflect_insights", inputs).answer["insights"]
    assert min(count, 2) <= len(insights) <= 5
    said = [each["insight"] for each in insights]
    assert len(set(said)) == len(said)
    assert all(1 <= number <= count for each in insights for number in each["because"])


@pytest.mark.parametrize(
    ("whisper", "thought"),
    [
        ("You are afraid of your oven", "I am afraid of my oven."),
        ("You should run for mayor.", "I should run for mayor."),
        ("Tom trusts you.", "Tom trusts me."),
        ("You play in a band and are nervous.", "I play in a band and am nervous."),
        (
            "Invite everybody to dinner on Friday at 19:00.",
            "I want to invite everybody to dinner on Friday at 19:00.",
        ),
        ("The oven has a crack.", "The oven has a crack."),
        ("Invite Ida to paint with you.", "I want to invite Ida to paint with me."),
        ("Tom, invite Ida to dinner.", "I want to invite Ida to dinner."),
        ("Help is on its way to you.", "Help is on its way to me."),
    ],
)
def test_an_inner_voice_becomes_a_thought_of_ones_own(town, own, whisper, thought):
    inputs = town.given(
        "heed_inner_voice",
        me=who_of(own["Tom"], own["Tom"].currently),
        now="Monday 6 May, 09:00",
        whisper=whisper,
    )
    assert town.ask("heed_inner_voice", inputs).answer["thought"] == thought


def interview(town, persona, question, memories=(), plan=()):
    inputs = town.given(
        "answer_interview",
        me=who_of(persona, persona.currently),
        now="Monday 6 May, 09:00",
        asker="a news reporter",
        plan=planned_at(plan),
        doing="wiping the counter",
        question=question,
        memories=memories,
        lines=(),
    )
    return town.ask("answer_interview", inputs).answer["answer"]


def test_an_interview_is_answered_from_memory(town, own, recall):
    party = "Rosa Marin is giving a lantern party at the Copper Kettle on Tuesday 7 May at 5pm."
    answer = interview(town, own["Tom"], "Do you know of a lantern party?", recall([party]))
    assert "Tuesday 7 May at 5pm" in answer
    assert "Rosa Marin" in answer


def test_who_does_not_know_says_so(town, own):
    answer = interview(town, own["Tom"], "Who won the sailing regatta in Lisbon last summer?")
    assert any(word in answer for word in ("do not", "could not"))


def test_people_know_who_they_are(town, own):
    assert interview(town, own["Tom"], "Who are you?").startswith("I am Tom Reed, 30 years old.")


DAY = [("07:00", "opening the shop"), ("12:30", "having lunch"), ("19:00", "reading at home")]


@pytest.mark.parametrize(
    ("question", "told", "untold"),
    [
        ("What are you doing today?", "opening the shop at 07:00, having lunch at 12:30", "do not"),
        ("What are you up to this evening?", "reading at home at 19:00", "opening"),
        ("Have you heard of a lantern party today?", "5pm", "opening"),
    ],
)
def test_who_is_asked_about_their_day_tells_the_plan(town, own, recall, question, told, untold):
    party = "Rosa Marin is giving a lantern party at the Copper Kettle on Tuesday 7 May at 5pm."
    answer = interview(town, own["Tom"], question, recall([party]), DAY)
    assert told in answer and untold not in answer


NOTES = [
    "This is Rosa Marin's plan for Monday 6 May: opening the cafe at 08:00.",
    "For Rosa Marin's plans: baking and opening the cafe.",
    "Rosa Marin talked with Tom Reed: Tom Reed has an oven with a crack.",
    "It matters to Rosa that Ida Lund is reading, all the more because Tom Reed is baking.",
    "Rosa spends much of the day on this: Rosa Marin is wiping the tables.",
]


@pytest.mark.parametrize("more", [[], EVENTS[:2]])
def test_no_insight_quotes_a_plan_a_talk_or_an_insight(town, own, recall, more):
    inputs = town.given(
        "reflect_insights",
        me=who_of(own["Rosa"], own["Rosa"].currently),
        questions=("What matters?",),
        memories=recall([*NOTES, *more]),
    )
    insights = [each["insight"] for each in town.ask("reflect_insights", inputs).answer["insights"]]
    assert insights
    for quoted in ("plan for", "plans:", "talked", "matters to Rosa that it", "this: Rosa spends"):
        assert not any(quoted in insight for insight in insights), insights


def test_an_insight_names_a_person_and_no_possessive(town, own, recall):
    inputs = town.given(
        "reflect_insights",
        me=who_of(own["Rosa"], own["Rosa"].currently),
        questions=("What matters?",),
        memories=recall(["I have poured Walter Brandt's morning coffee for years."]),
    )
    insight = town.ask("reflect_insights", inputs).answer["insights"][0]["insight"]
    assert "Walter Brandt" in insight
    assert "Brandt's matters" not in insight
    assert "Brandt's, because" not in insight
    assert "What Walter Brandt's" not in insight


def test_a_word_that_begins_a_sentence_is_no_part_of_a_name(town, own, recall):
    earlier = "What Ida Lund does touches Rosa's own days, for the bread is late."
    inputs = town.given(
        "reflect_insights",
        me=who_of(own["Rosa"], own["Rosa"].currently),
        questions=("What matters?",),
        memories=recall([earlier]),
    )
    (insight,) = town.ask("reflect_insights", inputs).answer["insights"]
    assert "Ida Lund" in insight["insight"] and "What" not in insight["insight"]


def insights(town, persona, memories):
    inputs = town.given(
        "reflect_insights",
        me=who_of(persona, persona.currently),
        questions=("What matters?",),
        memories=memories,
    )
    answer = town.ask("reflect_insights", inputs).answer["insights"]
    return [each["insight"] for each in answer]


@pytest.mark.parametrize(
    "said",
    [
        "Really? That is good to know.",
        "How interesting! I will keep that in mind.",
        "Good morning, Rosa, nice to see you.",
        "Count me in, I will come!",
        "Tell me about the bread.",
    ],
)
def test_a_phrase_of_a_talk_is_no_reason_of_an_insight(town, own, recall, said):
    for more in ([], EVENTS[2:3]):
        for insight in insights(town, own["Rosa"], recall([f'Tom Reed said: "{said}"', *more])):
            for word in ("eally", "nteresting", "morning", "come", "ell me", "mind", "bread"):
                assert word not in insight, insight


def test_the_reason_of_an_insight_is_what_was_told_after_the_phrase(town, own, recall):
    said = 'Tom Reed said: "Really? That is good to know. I am looking for a bigger oven."'
    (insight,) = insights(town, own["Rosa"], recall([said]))
    assert "Tom Reed is looking for a bigger oven" in insight


def test_an_order_is_told_as_a_wish_and_its_verb_is_no_name(town, own, recall):
    (insight,) = insights(town, own["Rosa"], recall(["Invite Ida Lund to paint with me."]))
    assert "Rosa Marin wants to invite Ida Lund to paint with Rosa" in insight
    assert "to Invite Ida" not in insight and not insight.startswith("Invite")


def test_a_place_is_no_person_to_talk_with(town, own, recall):
    note = "Rosa Marin talked with Ida Lund: the Copper Kettle Cafe is full."
    (insight,) = insights(town, own["Rosa"], recall([note]))
    assert "Ida Lund" in insight and "Copper" not in insight


def test_a_forecast_is_no_clause_of_an_insight(town, own, recall):
    (insight,) = insights(town, own["Rosa"], recall(["The weather today: clear, 5 degrees."]))
    assert "degrees" not in insight


def test_who_is_interviewed_about_the_place_where_they_work_tells_of_it(town, own):
    answer = interview(town, own["Tom"], "What have you been hearing in your bakery these weeks?")
    assert "oven" in answer or "bake" in answer


def test_what_one_knows_of_oneself_is_a_plain_reason(town, own, recall):
    known = "I share the counter with Ida Lund, because the shop is small."
    (insight,) = insights(town, own["Rosa"], recall([known]))
    assert "Rosa Marin shares the counter with Ida Lund" in insight
    assert "wants" not in insight and "small" not in insight


@pytest.mark.parametrize(
    ("known", "told"),
    [
        (["Tom Reed and I look after the shop."], "Tom Reed and Rosa look after the shop"),
        (['Ida Lund said: "Tom Reed is cross about the oven."'], "Tom Reed"),
        (["Rain runs down the windows."], ": rain"),
    ],
)
def test_an_insight_names_who_it_tells_of(town, own, recall, known, told):
    (insight,) = insights(town, own["Rosa"], recall(known))
    assert told in insight and "Ida Lund" not in insight


def test_a_place_that_is_closed_is_no_person(town, own, recall):
    for insight in insights(town, own["Rosa"], recall(["Alder College is closed today."])):
        assert "What Alder" not in insight and "to Alder" not in insight
