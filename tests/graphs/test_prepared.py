"""What code prepares for a small model to choose from: conclusions, reasons, insights, steps."""

import pytest

from graphs.catalogue import SAMPLES
from graphs.decompose import STEP as DECOMPOSE
from graphs.prompt_inputs import NumberedLine, PersonCard, RecalledMemory
from graphs.reasons import prepare_reasons
from graphs.reflections import prepare_insights
from graphs.talk_summaries import prepare_conclusion
from parsers.decompose import Subtasks
from tests.graphs.test_speech_acts import BOOK, NEEDS, PARTY, person

ADA, BEN = "Ada Brook", "Ben Hollis"


def lines(*texts: str) -> tuple[NumberedLine, ...]:
    """Return the lines of a talk that Ada began."""
    return tuple(
        NumberedLine(speaker=(ADA, BEN)[at % 2], text=text, number=at + 1)
        for at, text in enumerate(texts)
    )


def memories(*texts: str) -> tuple[RecalledMemory, ...]:
    """Return memories, numbered from 1."""
    return tuple(RecalledMemory(number=n, when="today", text=t) for n, t in enumerate(texts, 1))


def test_a_summary_says_what_was_said_by_whom_and_a_promise_what_was_agreed_to():
    held = lines(f"{PARTY} Will you come?", "Yes, I will gladly come.", "I am glad! Goodbye, Ben!")
    told = prepare_conclusion(BEN, (ADA,), held)
    assert told.summaries[0].startswith("Ada Brook is planning a lantern party")
    assert told.keep == (1,)
    assert told.promise.startswith("Ben Hollis goes to the lantern party at the Mill Cafe on Tues")
    assert prepare_conclusion(ADA, (BEN,), held).promise == ""


@pytest.mark.parametrize("answer", ["I am not sure yet, but I will try to come.", "I cannot come."])
def test_nothing_is_promised_by_who_is_not_sure(answer):
    assert prepare_conclusion(BEN, (ADA,), lines(f"{PARTY} Will you come?", answer)).promise == ""


def test_a_talk_of_greetings_holds_no_news():
    told = prepare_conclusion(BEN, (ADA,), lines("Hello, Ben!", "Hello, Ada!"))
    assert told.keep == () and told.summaries == (
        "Ben Hollis and Ada Brook greeted each other and asked how it is going.",
    )


def test_a_reason_to_talk_is_news_that_the_other_does_not_have():
    def reasons(last_talk: str) -> list[tuple[str, str]]:
        card = PersonCard(
            name=BEN,
            doing="reading",
            relationship="a friend",
            last_talk=last_talk,
            can_talk=True,
            until="12:00",
        )
        found = prepare_reasons(person(ADA), "baking bread", [card], memories(PARTY))
        return [(each.choice, each.text) for each in found]

    assert reasons("never")[0] == ("talk", "I want to invite Ben Hollis to the lantern party.")
    assert reasons("never")[-1] == ("continue", "I would rather go on baking bread.")
    assert all("lantern" not in text for _, text in reasons(f"today: {PARTY}"))


def test_an_insight_joins_a_need_with_somebody_who_is_remembered():
    found = prepare_insights(
        person(ADA), memories(NEEDS, f"Ada Brook talked with Ben Hollis: {BOOK}")
    )
    idea = next(each for each in found if each.text.startswith("I could ask Ben Hollis to bring"))
    assert idea.because == (1, 2)


def test_without_anything_on_the_mind_one_insight_is_left():
    assert len(prepare_insights(person(ADA), memories("It rained."))) == 1


def test_the_steps_chosen_stand_in_their_order_and_fill_the_time():
    inputs = SAMPLES["decompose"].model_copy(
        update={
            "only_ideas": True,
            "minutes": 60,
            "ideas": ("settling on the sofa", "watching a film", "reading the paper"),
        }
    )
    said = {"subtasks": [{"activity": "watching a film"}, {"activity": "settling on the sofa"}]}
    data, _ = Subtasks.mend(said, DECOMPOSE.context(inputs))
    assert data["subtasks"] == [
        {"activity": "settling on the sofa", "minutes": 5},
        {"activity": "watching a film", "minutes": 55},
    ]
    schema = Subtasks.call_schema(DECOMPOSE.choices(inputs))
    item = schema["properties"]["subtasks"]["items"]
    assert item["properties"] == {"activity": {"type": "string", "enum": list(inputs.ideas)}}


def test_a_favour_that_was_asked_is_what_a_talk_was_about():
    held = lines("Hello, Ben! Could you play music for the party?", "Yes, I can do that.")
    told = prepare_conclusion(BEN, (ADA,), held)
    assert told.summaries == ("Ada Brook asked Ben Hollis to play music for the party.",)
    assert told.keep == () and "play music" in told.promise


def test_two_talks_are_a_lot_and_one_is_not():
    once = memories(
        f"Ada Brook talked with Ben Hollis: {BOOK}", "I am glad that I talked with Ben Hollis."
    )
    assert not any("a lot" in each.text for each in prepare_insights(person(ADA), once))
