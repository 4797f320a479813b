"""Answers that parse and make no sense, and answers much like them that do.

Most of the senseless ones were written by models of 135 million and 1.5 billion parameters.
"""

from dataclasses import replace
from typing import Any

import pytest

from smolville.graphs.catalogue import SAMPLES
from smolville.graphs.loop.repairing import shown_with
from smolville.graphs.loop.state import StepState
from smolville.graphs.sense import find_copied_texts
from tests.graphs.sense.judging import BY_NAME, kinds, verdict


def say(text: str) -> dict[str, Any]:
    return {"text": text, "ends": False}


def thought(text: str) -> dict[str, Any]:
    return {"thought": text, "importance": 5}


def insights(*texts: str) -> dict[str, Any]:
    return {"insights": [{"insight": text, "because": [1], "importance": 4} for text in texts]}


def talked(**more: Any) -> dict[str, Any]:
    told = {"summary": "Rosa Marin asked Milo Varga about the fiddle.", "keep": []}
    told |= {"agreements": [], "in_confidence": []}
    return told | {"feeling": "hopeful"} | more


def agreed(what: str) -> dict[str, Any]:
    said = {"who": ["Rosa Marin"], "line": 1, "day": "tomorrow", "time": None, "place": None}
    return talked(agreements=[{"what": what, **said}])


def day(morning: str, afternoon: str = "planning the stall", evening: str = "") -> dict[str, Any]:
    told = {"morning": morning, "afternoon": afternoon, "evening": evening or "sewing a blanket"}
    return {"wake": "05:00", "go_to": [1], "dated": [], **told}


def hours(*late: str) -> dict[str, Any]:
    told = {"A": ["baking a cake"], "C": ["drawing the stall"], "D": ["walking by the river"]}
    return {**told, "E": list(late)}


def steps(*told: str) -> dict[str, Any]:
    return {"subtasks": [{"activity": each, "minutes": 90 // len(told)} for each in told]}


def goal(text: str | None) -> dict[str, Any]:
    return {"reason": "so", "decision": "change" if text else "keep", "goal": text}


SENSELESS = [
    ("say", say("Forty rolls by noon? I can manage that, if the flour comes."), "copied"),
    ("say", say("Forty rolls by noon? I can manage that, if the flour comes. Yes."), "copied"),
    ("say", say("only the words you say, without your name and without quotation marks"), "copied"),
    ("say", say("That is fine.<|im_end|>"), "markup"),
    ("say", say("<your words>"), "empty"),
    ("say", say("[INST] What now? [/INST]"), "markup"),
    ("reflect_insights", insights("},{2, 2, 2},{,"), "empty"),
    ("say", say("Hello there! Milo Varga: Hello Rosa, how are you?"), "speaker"),
    ("say", say("It is.\nRosa: I see.\nMilo: Yes."), "speaker"),
    ("say", say('Milo says: "Good morning, Rosa."'), "speaker"),
    ("say", say('"Good morning, Rosa," said Milo.'), "speaker"),
    ("say", say("Better every day. I know four dances by heart now!"), "repeat"),
    ("say", say("If you need any further assistance, don't hesitate to ask."), "voice"),
    ("say", say("As an AI language model I cannot play the fiddle."), "voice"),
    ("say", say("LINES LEFT: 5"), "markup"),
    ("say", say("Hello, Milo. LINES LEFT: It is a fine day."), "markup"),
    ("say", say("Well, well, well, well, well, well, well, well, well, I see."), "empty"),
    ("conclude_talk", talked(summary="I am not, I am not, I am not, I am not sure."), "empty"),
    ("heed_inner_voice", thought("I should tell my sister about the job before Friday."), "copied"),
    ("heed_inner_voice", thought("You want to hold a dance on the square on Saturday at 18:00."),
     "voice"),
    ("heed_inner_voice", thought("I want to hold a dance on the square on Saturday."), "fact"),
    ("heed_inner_voice", thought("I want to hold a dance on the square at 18:00."), "fact"),
    ("reflect_insights",
     insights("Milo Varga told Rosa Marin that he practises the fiddle every day."), "repeat"),
    ("reflect_insights", insights("Anna would rather repair things than buy new ones."), "copied"),
    ("reflect_insights", insights("Milo is good at it.", "Milo is good at it."), "repeat"),
    ("answer_interview", {"answer": "How can I assist you today?"}, "voice"),
    ("answer_interview",
     {"answer": "I run the bakery with my brother. Lately I worry about the rent."}, "copied"),
    ("decompose", steps(*["alright"] * 9), "repeat"),
    ("conclude_talk", agreed("bringing rolls to the fair"), "copied"),
    ("plan_day", day("baking rolls and trying a new recipe"), "copied"),
    ("plan_hours", hours("walking by the river"), "repeat"),
    ("plan_hours", hours("writing a letter to my aunt"), "copied"),
    ("decompose", steps("kneading the dough", "shaping the loaves"), "copied"),
    ("dream", {"dream": "I sat in the mill and dreamt of an evening in 废"}, "markup"),
    ("conclude_talk",
     talked(summary="Milo repaired the roof of the bakery and painted its window blue."), "fact"),
    ("revise_goal", goal(SAMPLES["revise_goal"].goal), "repeat"),
    ("revise_goal", goal(SAMPLES["revise_goal"].memories[0].text), "repeat"),
]  # fmt: skip

SENSIBLE = [
    ("say", say("Good morning! How are the dances coming along?")),
    ("say", say("Four by heart? Then you must play at my stall on Saturday, Milo.")),
    ("say", say("Thank you, Milo. Goodbye!")),
    ("say", say("HELLO, Milo! And what do you say?")),
    ("say", say("Milo, I want to ask you something: will you play for us?")),
    ("heed_inner_voice", thought("I want to hold a dance on the square on Saturday at 18:00.")),
    ("heed_inner_voice",
     thought("On Saturday at 6 pm I want to hold a dance on the square.")),
    ("heed_inner_voice",
     thought("I would like to have a dance on the square this Saturday at 18:00.")),
    ("reflect_insights", insights("Milo Varga's music could help Rosa pay for a new machine.")),
    ("answer_interview", {"answer": "I bake a walnut cake for Ida Lund, and Milo may play."}),
    ("conclude_talk", talked(summary="Milo Varga knows four dances by heart.")),
    ("revise_identity",
     {"currently": "Rosa is looking for music for the spring fair on Saturday.",
      "requirement": "Rosa bakes a walnut cake for Ida Lund by 10:00."}),
    ("plan_day", day("getting up early and baking cakes")),
    ("plan_day", day("serving coffee", "giving Ida Lund her walnut cake at 15:00")),
    ("plan_day", day("serving coffee", "taking a nap", "going to bed early")),
    ("plan_hours", hours("buying paper for the stall", "listening to the radio")),
    ("plan_hours", hours("cooking soup for tomorrow's lunch")),
    ("decompose", steps("wiping the counter", "setting out cups for dinner")),
    ("decompose", steps("serving guests", "ordering cups by 10:00")),
    ("ground_block", {"A": 1, "B": 1, "C": 1}),
    ("dream", {"dream": "I sat in the café and the naïve miller sang until the œuvre was done."}),
    ("revise_goal", goal("Mia wants to walk to the sea and back.")),
    ("revise_goal", goal(None)),
]  # fmt: skip


@pytest.mark.parametrize(("step", "answer", "kind"), SENSELESS)
def test_what_makes_no_sense_is_seen(step, answer, kind):
    assert kind in kinds(step, answer)


@pytest.mark.parametrize(("step", "answer"), SENSIBLE)
def test_what_makes_sense_passes(step, answer):
    found = verdict(step, answer)
    assert [str(problem) for problem in (*found.refused, *found.odd)] == []


def test_what_the_case_itself_says_is_no_copy():
    voice = "Tell your sister about the job before Friday."
    own = thought("I should tell my sister about the job before Friday.")
    assert kinds("heed_inner_voice", own, whisper=voice) == []


def test_letters_that_the_question_uses_are_the_persons_own():
    memory = {"number": 1, "when": "today", "text": "Rosa Marin wrote нет on the wall."}
    answer = {"dream": "I saw the wall of the mill, and it said нет to everybody who came."}
    assert kinds("dream", answer, memories=[memory]) == []


def test_checks_that_read_english_are_silent_in_another_language():
    senseless = thought("You want to hold a dance on the square.")
    assert [p.kind for p in verdict("heed_inner_voice", senseless).doubted] == ["voice", "fact"]
    assert verdict("heed_inner_voice", senseless, "de").odd == ()
    copied = thought("I should tell my sister about the job before Friday.")
    assert [p.kind for p in verdict("heed_inner_voice", copied, "de").refused] == ["copied"]


def test_every_problem_names_its_field_and_ends_as_a_sentence():
    for step, answer, _ in SENSELESS:
        found = verdict(step, answer)
        for problem in (*found.refused, *found.odd):
            assert str(problem).startswith("`") or "`" in str(problem)
            assert str(problem).endswith((".", "!"))
            assert problem.field.split(".")[0] in BY_NAME[step].answer.model_fields


@pytest.mark.parametrize(("own", "copied"), [(1, 1), (2, 1), (5, 0)])
def test_a_plain_phrase_of_an_example_is_a_copy_only_among_few_own_texts(
    own: int, copied: int
) -> None:
    phrase = "serving customers at the counter"
    texts = [phrase, *(f"setting out basket {number} by the door" for number in range(own))]
    declared, inputs = BY_NAME["decompose"], SAMPLES["decompose"]
    state = StepState(agent="Rosa Marin", inputs=inputs, first=declared.prompt.invoke(inputs))
    shown = replace(shown_with(declared, state, "en"), examples=(phrase,), given="")
    answer = declared.answer.model_validate(steps(*texts), context=declared.context(inputs))
    found = find_copied_texts(answer, inputs, shown)
    assert [problem.field for problem in found] == ["subtasks.0.activity"] * copied
