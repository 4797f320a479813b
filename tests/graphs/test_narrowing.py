"""Where asking again is no use, less is asked: a greeting, a goodbye, or only what is missing."""

from smolville.graphs import decompose, plan_hours, react, say
from smolville.graphs.catalogue import SAMPLES
from smolville.graphs.frame.day import OPEN
from smolville.graphs.plan_day import about_sample
from smolville.graphs.scenes import ROSA
from smolville.parsers.plan_hours import HourlyPlan
from tests.fixtures.scripted import Scripted
from tests.graphs.minds import ask, context_for, records

SERVICE = {"text": "How can I assist you today?", "ends": False}
AGAIN = {"text": SAMPLES["say"].lines[-1].text, "ends": False}
COPIED = "reading the newspaper at the kitchen table"
HOURS = SAMPLES["plan_hours"]
LETTERS = [gap.letter for gap in HOURS.gaps]


async def _asked(step, *replies, inputs=None, **client):
    model = Scripted(replies={step.name: list(replies)})
    ended = await ask(step, context_for(model, **client), inputs=inputs)
    (record,) = records(ended)
    return ended, record, model


def _first_alone(text):
    """A plan whose first gap is filled with a text, and all others well."""
    rest = {letter: [f"mending shelf {letter}"] for letter in LETTERS[1:]}
    return {LETTERS[0]: [text], **rest}


async def test_a_helpdesks_line_is_answered_by_asking_for_a_greeting_or_a_goodbye_alone():
    ended, record, model = await _asked(say.STEP, SERVICE, {"text": "Bye, Ben!", "ends": False})
    assert (ended.outcome, ended.answer.text, record.odd) == ("repaired", "Bye, Ben!", ())
    assert "because you have to go on now" in model.asked[1].last
    assert model.asked[1].roles == ["system", "human"]
    assert model.asked[1].told["inputs"]["memories"] == []


async def test_a_goodbye_that_was_asked_for_ends_the_talk_whatever_the_model_says_of_that():
    ended, _, _ = await _asked(say.STEP, SERVICE, {"text": "Goodbye, Ben!", "ends": False})
    assert ended.answer.ends


async def test_who_speaks_first_is_asked_for_a_greeting():
    first = SAMPLES["say"].model_copy(update={"lines": ()})
    _, _, model = await _asked(
        say.STEP, SERVICE, {"text": "Good morning!", "ends": False}, inputs=first
    )
    assert "say hello to" in model.asked[1].last
    assert "tell or ask one thing" not in model.asked[1].last


async def test_a_line_said_twice_over_is_followed_by_the_narrower_question_and_no_fallback():
    ended, record, model = await _asked(say.STEP, AGAIN, AGAIN, {"text": "Goodbye!", "ends": True})
    assert (ended.outcome, len(model.asked), record.odd) == ("repaired", 3, ())


async def test_the_narrower_question_is_asked_once_then_the_fallback_is_used():
    ended, _, model = await _asked(say.STEP, AGAIN, AGAIN, AGAIN)
    assert (ended.outcome, len(model.asked)) == ("fallback", 3)
    assert ended.answer == say.fallback(SAMPLES["say"])


async def test_an_odd_line_stands_where_the_narrower_question_brings_nothing_better():
    ended, record, _ = await _asked(say.STEP, SERVICE, AGAIN, AGAIN, AGAIN)
    assert (ended.outcome, record.odd_kinds) == ("clean", ("voice",))


async def test_with_the_same_question_again_nothing_is_narrowed():
    ended, _, model = await _asked(say.STEP, *[AGAIN] * 4, history="none")
    assert (ended.outcome, len(model.asked)) == ("fallback", 4)
    assert not any("only" in asked.told["inputs"] for asked in model.asked)


async def test_only_the_gap_that_is_wrong_is_asked_again():
    ended, record, model = await _asked(
        plan_hours.STEP,
        _first_alone(COPIED),
        {LETTERS[0]: ["oiling the gate"]},
        examples=3,
    )
    assert COPIED in model.asked[0].messages[0].text
    asked = model.asked[1]
    assert [gap["letter"] for gap in asked.told["inputs"]["gaps"]] == LETTERS[:1]
    assert list(asked.told["schema"]["properties"]) == LETTERS[:1]
    assert f"mending shelf {LETTERS[1]}" in asked.last and "EXAMPLES" not in asked.last
    assert ended.outcome == "repaired" and not record.odd
    assert ended.answer.model_dump() == _first_alone("oiling the gate")


async def test_a_gap_that_stays_wrong_is_filled_by_rule_and_marked():
    wrong = _first_alone(COPIED)
    again = {LETTERS[0]: [COPIED]}
    ended, record, _ = await _asked(plan_hours.STEP, wrong, again, again, again, examples=3)
    usual = plan_hours.fallback(HOURS).of(LETTERS[0])
    assert ended.outcome == "repaired"
    assert ended.answer.model_dump() == _first_alone(usual[0])
    assert record.odd_kinds == ("empty",) and "a rule filled it in" in record.odd[0]
    assert record.odd


async def test_gaps_that_are_valid_are_kept_from_an_answer_that_is_not():
    half = {letter: [f"mending shelf {letter}"] for letter in LETTERS[1:]}
    ended, _, model = await _asked(plan_hours.STEP, half, {LETTERS[0]: ["oiling the gate"]})
    assert ended.answer.model_dump() == _first_alone("oiling the gate")
    assert len(model.asked[1].told["inputs"]["gaps"]) == 1


async def test_a_plan_of_which_nothing_is_right_is_asked_again_as_a_whole():
    wrong = {letter: [f"{COPIED} in {letter}"] for letter in LETTERS}
    _, _, model = await _asked(plan_hours.STEP, wrong, _first_alone("oiling the gate"), examples=3)
    assert len(model.asked[1].told["inputs"]["gaps"]) == len(LETTERS)


def test_only_the_gap_filled_by_rule_is_marked_in_the_day():
    _, blocks = about_sample(ROSA)
    gaps = [block for block in blocks if block.source == OPEN]
    answer = HourlyPlan.model_validate(
        {letter: ["mending a shelf"] for letter, _ in zip("ABCDE", gaps, strict=False)}
    )
    day = plan_hours.fill_gaps(blocks, answer, HourlyPlan(A=["mending a shelf"]))
    marked = [block for block in day if block.fallback]
    assert [(block.start, block.activity) for block in marked] == [
        (gaps[0].start, "mending a shelf")
    ]


PAGE = {"reason": "I want to finish this page.", "choice": "continue"}
"""Copied from a shipped example of `react`."""


async def test_an_answer_that_copies_an_example_is_asked_for_again_without_examples():
    own = {"reason": "The soup is on the stove.", "choice": "continue"}
    ended, record, model = await _asked(react.STEP, PAGE, own, examples=3)
    first, again = model.asked
    assert (ended.outcome, record.odd) == ("repaired", ())
    assert PAGE["reason"] in first.messages[0].text
    assert PAGE["reason"] not in "".join(str(each.text) for each in again.messages)
    assert again.roles == ["system", "human"]


async def test_an_answer_that_copies_the_formats_example_is_asked_for_again_without_it():
    shown = decompose.STEP.answer.example().model_dump()
    first = shown["subtasks"][0]["activity"]
    own = {"subtasks": [{"activity": "kneading the dough", "minutes": 30}]}
    _, _, model = await _asked(decompose.STEP, shown, own, examples=0)
    assert first in model.asked[0].messages[0].text
    assert first not in "".join(str(each.text) for each in model.asked[1].messages)
    assert '"subtasks" (required)' in model.asked[1].messages[0].text


async def test_a_copy_where_no_example_is_left_is_given_up():
    ended, _, model = await _asked(react.STEP, *[PAGE] * 4, examples=3)
    assert (ended.outcome, len(model.asked)) == ("fallback", 2)
