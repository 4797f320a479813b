"""Mistakes: at their rates, the same again and again, and gone once the message names the field."""

import json

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from graphs.cards import Who
from graphs.samples import SAMPLES
from models.standin import MISTAKES, build

BLIND = "Your answer could not be read. Try again, please."


def cases(town, own, count):
    rosa = own["Rosa"]
    for number in range(count):
        yield town.given(
            "decompose",
            me=Who.of(rosa, rosa.currently),
            date="Monday 6 May",
            activity=f"working at the counter, part {number}",
            start="09:00",
            end="11:00",
            minutes=120,
            around=(),
        )


def kinds_of(town, own, model, count=400):
    kinds = []
    for inputs in cases(town, own, count):
        reply = town.ask("decompose", inputs, model=model)
        kinds.append(reply.message.response_metadata["mistake"])
    return kinds


def test_without_a_rate_there_is_no_mistake(town, own):
    assert set(kinds_of(town, own, build({}, 1), 50)) == {""}


def test_mistakes_come_at_their_rate_and_of_every_kind_that_can_occur(town, own):
    kinds = kinds_of(town, own, build({"mistakes": "0.5"}, 1))
    assert 160 <= sum(kind != "" for kind in kinds) <= 240
    assert set(kinds) - {""} == set(MISTAKES) - {"wrong_choice", "python"}


def test_a_kind_has_a_rate_of_its_own(town, own):
    kinds = kinds_of(town, own, build({"fences": "0.1", "sum": "0.2"}, 1))
    assert 20 <= kinds.count("fences") <= 60
    assert 55 <= kinds.count("sum") <= 105
    assert set(kinds) == {"", "fences", "sum"}


def told(reply, problem):
    return [AIMessage(content=reply.text), HumanMessage(content=problem)]


@pytest.mark.parametrize("kind", [kind for kind in MISTAKES if kind not in ("python",)])
@pytest.mark.parametrize("step", sorted(SAMPLES))
def test_a_mistake_returns_until_the_message_says_what_is_wrong(town, step, kind):
    model = build({kind: "1"}, 3)
    inputs = SAMPLES[step]
    reply = town.ask(step, inputs, model=model)
    made = reply.message.response_metadata
    if not made["mistake"]:
        pytest.skip(f"{kind} cannot occur in {step}")
    assert made["mistake"] == kind
    again = town.ask(step, inputs, model=model, seed=2, more=told(reply, BLIND))
    assert again.message.response_metadata["mistake"] == kind
    fine = reply.reading.value is not None
    problems = " ".join(str(problem) for problem in reply.reading.problems)
    repair = "Answer with the JSON only." if fine else problems
    mended = town.ask(step, inputs, model=model, seed=2, more=told(reply, repair))
    assert mended.message.response_metadata["mistake"] in ("", kind if fine else "")
    assert mended.reading.value is not None


@pytest.mark.parametrize("step", sorted(SAMPLES))
@pytest.mark.parametrize("kind", ["missing", "wrong_choice", "out_of_range", "truncation", "loop"])
def test_what_cannot_be_mended_is_a_problem_for_the_reader(town, step, kind):
    reply = town.ask(step, SAMPLES[step], model=build({kind: "1"}, 3))
    if reply.message.response_metadata["mistake"]:
        assert reply.reading.value is None, reply.text


@pytest.mark.parametrize("step", sorted(SAMPLES))
@pytest.mark.parametrize(
    "kind",
    ["fences", "chatter", "single_quotes", "trailing_comma", "think", "wrapper", "python"],
)
def test_a_slip_of_form_is_read_as_what_was_meant(town, step, kind):
    known = town.steps[step]
    reply = town.ask(step, SAMPLES[step], model=build({kind: "1"}, 3))
    if reply.message.response_metadata["mistake"]:
        context = known.context(SAMPLES[step])
        meant = known.parser.read(reply.message.response_metadata["intended"], context)
        assert reply.reading.value == meant.value


def test_without_stickiness_asking_again_can_help(town, own):
    model = build({"missing": "0.5", "sticky": "0"}, 1)
    gone = 0
    for inputs in cases(town, own, 40):
        reply = town.ask("decompose", inputs, model=model)
        if reply.message.response_metadata["mistake"]:
            again = town.ask("decompose", inputs, model=model, seed=2, more=told(reply, BLIND))
            gone += not again.message.response_metadata["mistake"]
    assert gone > 3


def test_what_was_meant_stands_beside_the_text_only(town):
    reply = town.ask("plan_day", SAMPLES["plan_day"], model=build({"missing": "1"}, 1))
    for beside in (reply.message.response_metadata, reply.message.additional_kwargs):
        assert json.loads(beside["intended"]).keys() == {"wake", "strokes"}
        assert beside["field"]
    assert "intended" not in reply.text


def test_a_cut_reply_says_so(town):
    reply = town.ask("plan_day", SAMPLES["plan_day"], model=build({"truncation": "1"}, 1))
    assert reply.message.response_metadata["finish_reason"] == "length"


def test_only_the_items_asked_for_again_are_answered(town):
    reply = town.ask("ground_block", SAMPLES["ground_block"])
    repair = "The rest of it is good and is kept. Answer again, with only these: 2, 3."
    again = town.ask("ground_block", SAMPLES["ground_block"], more=told(reply, repair))
    assert [item["task"] for item in json.loads(again.text)["items"]] == [2, 3]
