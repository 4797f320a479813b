"""What code prepares for a small model to choose from: conclusions, reasons, insights, steps."""

import pytest

from graphs.activities.filling import parts_known
from graphs.catalogue import SAMPLES
from graphs.decompose import STEP as DECOMPOSE
from graphs.prompt_inputs import NumberedLine, PersonCard, RecalledMemory
from graphs.reasons import prepare_reasons
from graphs.reflections import QUIET, prepare_insights
from graphs.sense.check import CheckContext
from graphs.sense.days import find_drawn_out
from graphs.sense.thinking import find_lost_favours
from graphs.talk_memories import PastTalk
from graphs.talk_summaries import prepare_conclusion
from models.standin.rule import Dice
from parsers.conclude_talk import TalkConclusion
from parsers.decompose import Subtask, Subtasks
from tests.graphs.test_speech_acts import BOOK, NEEDS, PARTY, person

ADA, BEN = "Ada Brook", "Ben Hollis"
INVITED = "Ada Brook invited Ben Hollis to the lantern party. Ben Hollis wants to come."


def lines(*texts: str) -> tuple[NumberedLine, ...]:
    """Return the lines of a talk that Ada began."""
    return tuple(
        NumberedLine(speaker=(ADA, BEN)[at % 2], text=text, number=at + 1)
        for at, text in enumerate(texts)
    )


def memories(*texts: str) -> tuple[RecalledMemory, ...]:
    """Return memories, numbered from 1."""
    return tuple(RecalledMemory(number=n, when="today", text=t) for n, t in enumerate(texts, 1))


def _in_sight(last_talk: str = "never") -> PersonCard:
    """Return the card of Ben, who can talk."""
    return PersonCard(
        name=BEN,
        doing="reading",
        relationship="a friend",
        last_talk=last_talk,
        can_talk=True,
        until="12:00",
    )


def test_a_summary_says_what_was_said_by_whom_and_a_promise_what_was_agreed_to():
    held = lines(f"{PARTY} Will you come?", "Yes, I will gladly come.", "I am glad! Goodbye, Ben!")
    told = prepare_conclusion(BEN, (ADA,), held)
    assert told.summaries == (
        "Ada Brook invited Ben Hollis to the lantern party. Ben Hollis wants to come.",
    )
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


def test_what_a_sentence_of_news_begins_with_is_no_part_of_a_summary():
    held = lines(
        "As it happens, I am looking for the old drawings and have got stuck in 1987.",
        "Hello Ada! I was just thinking of having a chat. There is something I want to tell you.",
        "Really?",
        "To be honest, I have been offered a place far away and have not decided about it.",
    )
    (told,) = prepare_conclusion(BEN, (ADA,), held).summaries
    assert told == (
        "Ada Brook is looking for the old drawings and has got stuck in 1987. "
        "Ben Hollis has been offered a place far away and has not decided about it."
    )


@pytest.mark.parametrize("asked", ["Please come, everybody is invited.", "We could go together."])
def test_a_yes_to_any_wording_of_an_invitation_is_in_the_summary(asked):
    held = lines(f"{PARTY} {asked}", "Count me in, I will come!", "I am glad!")
    (told,) = prepare_conclusion(BEN, (ADA,), held).summaries
    assert told.endswith("Ben Hollis wants to come.") and "the lantern party" in told


def test_a_reason_to_talk_is_news_that_the_other_does_not_have():
    def reasons(last_talk: str) -> list[tuple[str, str]]:
        card = _in_sight(last_talk)
        found = prepare_reasons(person(ADA), "baking bread", [card], memories(PARTY))
        return [(each.choice, each.text) for each in found]

    assert reasons("never")[0] == ("talk", "I want to invite Ben Hollis to the lantern party.")
    # Who gives a party need not ask a small model whether to ask somebody.
    assert all(choice == "talk" for choice, _ in reasons("never"))
    invited = reasons(f"today: {PARTY}")
    assert invited[-1] == ("continue", "I am in the middle of baking bread.")
    assert all("lantern" not in text for _, text in invited)


def test_an_insight_joins_a_need_with_somebody_who_is_remembered():
    found = prepare_insights(
        person(ADA), memories(NEEDS, f"Ada Brook talked with Ben Hollis: {INVITED}")
    )
    idea = next(each for each in found if each.text.startswith("I could ask Ben Hollis to bring"))
    assert idea.because == (1, 2)


def test_without_anything_on_the_mind_one_insight_is_left():
    assert len(prepare_insights(person(ADA), memories("It rained."))) == 1


def test_without_anything_new_one_looks_back_on_what_one_did():
    done = memories("Ada Brook is writing to her aunt.", "Ada Brook is baking.")
    (found,) = prepare_insights(person(ADA), done)
    assert found.text == "I have been writing to my aunt and baking." and found.because == (1, 2)
    (alone,) = prepare_insights(person(ADA), memories("Ada Brook is baking."))
    assert alone.text == QUIET


def test_without_anything_else_one_tells_what_others_were_seen_doing():
    seen = memories(
        "Ben Hollis is putting the chess board away.",
        "Cleo Marsh is talking with Ben Hollis.",
        "Dora Lind is greeting the others.",
    )
    (found,) = prepare_insights(person(ADA), seen)
    assert found.because == (3, 1) and found.text == (
        "I have seen Dora Lind greeting the others and Ben Hollis putting the chess board away."
    )


def test_a_reason_to_go_on_speaks_of_ones_own():
    told = prepare_reasons(person(ADA), "having breakfast with her father", [_in_sight()], ())
    assert told[-1].text == "I am in the middle of having breakfast with my father."


def test_when_all_is_known_already_something_is_left_to_choose():
    known = memories(PARTY, "It is time that I got on with the preparations for the lantern party.")
    (left,) = prepare_insights(person(ADA), known)
    assert left.text == QUIET and left.because == (1, 2)
    (seen,) = prepare_insights(person(ADA), memories('Ben Hollis said: "It is warm."'))
    assert seen.text == "It was good to see Ben Hollis." and seen.because == (1,)


def test_who_plays_music_is_asked_for_it_and_else_somebody_must_be_found():
    need = "I need someone to play music for the party."
    heard = "Ada Brook talked with Ben Hollis: Ben Hollis is writing music."
    asked = prepare_insights(person(ADA), memories(need, heard))[0]
    assert asked.text == "I could ask Ben Hollis to play music for the party."
    assert asked.because == (1, 2)
    other = f"Ada Brook talked with Ben Hollis: {BOOK}"
    sought = prepare_insights(person(ADA), memories(need, other))[0]
    assert sought.text == "I still have to find someone to play music for the party."
    assert sought.because == (1,)


def test_a_summary_that_leaves_something_out_keeps_what_came_of_an_invitation():
    long = "I am writing a book about mosses, ferns, lichens and whatever grows on the north wall"
    held = lines(f"{PARTY} Will you come?", "Count me in!", f"{long} of the mill.", f"{long} here.")
    (kept,) = prepare_conclusion(BEN, (ADA,), held).summaries
    assert "invited" in kept and "Ben Hollis wants to come" in kept


def test_the_steps_chosen_stand_in_their_order_and_fill_the_time():
    inputs = SAMPLES["decompose"].model_copy(
        update={
            "only_ideas": True,
            "minutes": 60,
            "ideas": (
                "settling on the sofa",
                "watching the first half of a film",
                "reading the paper",
            ),
        }
    )
    said = {
        "subtasks": [
            {"activity": "watching the first half of a film"},
            {"activity": "settling on the sofa"},
        ]
    }
    data, _ = Subtasks.mend(said, DECOMPOSE.context(inputs))
    assert data["subtasks"] == [
        {"activity": "settling on the sofa", "minutes": 5},
        {"activity": "watching the first half of a film", "minutes": 55},
    ]
    schema = Subtasks.call_schema(DECOMPOSE.choices(inputs))
    item = schema["properties"]["subtasks"]["items"]
    assert item["properties"] == {"activity": {"type": "string", "enum": list(inputs.ideas)}}


def test_a_favour_that_was_asked_is_what_a_talk_was_about():
    held = lines("Hello, Ben! Could you play music for the party?", "Yes, I can do that.")
    told = prepare_conclusion(BEN, (ADA,), held)
    asked = "Ada Brook asked Ben Hollis to play music for the party."
    assert told.summaries == (f"{asked} Ben Hollis agreed.",)
    assert told.keep == () and "play music" in told.promise


def test_a_question_about_what_was_told_before_is_no_mere_greeting():
    asked = "You told me that you are writing a book about mosses. How is that going?"
    told = prepare_conclusion(BEN, (ADA,), lines(f"Hello, Ben! {asked}", "One day at a time."))
    assert told.summaries == (
        "Ada Brook asked Ben Hollis, who is still writing a book about mosses, how it is going.",
    )
    keen = "I look forward to the lantern party. Is there anything I can help with?"
    told = prepare_conclusion(BEN, (ADA,), lines(f"Hello, Ben! {keen}"))
    assert told.summaries == ("Ada Brook looks forward to the lantern party.",)


def test_only_who_talked_more_than_once_enjoys_the_talks():
    once = memories(
        f"Ada Brook talked with Ben Hollis: {BOOK}", "I am glad that I talked with Ben Hollis."
    )
    assert not any("enjoy" in each.text for each in prepare_insights(person(ADA), once))


def test_what_was_told_or_asked_in_any_earlier_talk_does_not_come_to_mind_again():
    asked = "Ada Brook asked Ben Hollis to bring paper lanterns for the party."
    invited = f"Ada Brook talked with Ben Hollis: {INVITED}"
    known = memories(PARTY, BOOK, NEEDS, "I have known Ben Hollis for years.", invited)
    told = (
        PastTalk(BEN, "Ada Brook invited Ben Hollis to the lantern party."),
        PastTalk(BEN, f"{asked} Ben Hollis agreed."),
        PastTalk(BEN, "Ada Brook is writing a book about mosses."),
    )
    about_ben = [each.text for each in prepare_insights(person(ADA), known) if BEN in each.text]
    assert len(about_ben) > 2
    left = [each.text for each in prepare_insights(person(ADA), known, told) if BEN in each.text]
    assert left == ["I am glad that I talked with Ben Hollis."]
    reasons = prepare_reasons(person(ADA), "baking", [_in_sight()], known, told)
    assert [each.text for each in reasons if each.choice == "talk"] == [
        "I would like to hear how Ben Hollis is."
    ]


@pytest.mark.parametrize("minutes", [45, 90, 120])
def test_a_long_activity_has_more_steps_and_none_is_drawn_out(minutes):
    parts = parts_known("taking a walk in the park", person(ADA), Dice(1), minutes=minutes)
    assert ("walking one more round" in parts) == (minutes > 75)
    inputs = SAMPLES["decompose"].model_copy(
        update={"only_ideas": True, "minutes": minutes, "ideas": parts}
    )
    chosen = {"subtasks": [{"activity": each} for each in parts[:2]]}
    data, _ = Subtasks.mend(chosen, DECOMPOSE.context(inputs))
    steps = Subtasks.model_validate(data, context=DECOMPOSE.context(inputs))
    assert list(find_drawn_out(steps, inputs, CheckContext())) == []


def test_a_step_that_takes_far_too_long_is_marked():
    parts = ("looking at the bread on the shelf", "paying and packing the bag")
    inputs = SAMPLES["decompose"].model_copy(
        update={"only_ideas": True, "minutes": 60, "ideas": parts}
    )
    steps = Subtasks.model_construct(
        subtasks=[Subtask(activity=parts[0], minutes=55), Subtask(activity=parts[1], minutes=5)]
    )
    (found,) = find_drawn_out(steps, inputs, CheckContext())
    assert found.kind == "hours" and found.field == "subtasks.0.minutes"
    asked_whole = inputs.model_copy(update={"only_ideas": False})
    assert list(find_drawn_out(steps, asked_whole, CheckContext())) == []


def test_a_summary_that_leaves_out_the_favour_is_marked():
    held = lines("Hello, Ben! Could you play music for the party?", "Yes, I can do that.")
    inputs = SAMPLES["conclude_talk"].model_copy(update={"lines": held, "others": (ADA,)})

    def marks(summary: str, **more: object) -> list[str]:
        said = {"summary": summary, "keep": [], "promise": None, "feeling": "glad", **more}
        answer = TalkConclusion.model_construct(**said)
        return [each.kind for each in find_lost_favours(answer, inputs, CheckContext())]

    assert marks("They greeted each other.") == ["fact"]
    assert marks("Ada Brook wants music for the party.") == []
    assert marks("They greeted each other.", keep=[1]) == []
    assert marks("They greeted each other.", promise="Ben Hollis plays music.") == []
