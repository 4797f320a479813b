"""Mistakes: at their rates, the same again and again, and gone once the message names the field."""

import json

import pytest
from langchain_core.messages import AIMessage, SystemMessage

from smolville.graphs.catalogue import SAMPLES
from smolville.graphs.context import who_of
from smolville.models.chat import RepairMessage
from smolville.models.standin.mistakes import AskedCall, make_mistake
from smolville.models.standin.model import build
from smolville.models.standin.rule import Dice
from smolville.models.standin.settings import KINDS, MISTAKES
from smolville.prompts.repair import RepairPrompt
from tests.fixtures.standin_call import standin_call

BLIND = "Your answer could not be read. Try again, please."


MENDED = ("fences", "chatter", "single_quotes", "trailing_comma", "think", "wrapper", "python")
UNSEEN = ("copied", "placeless", "forgotten", "sum")
"""Mistakes after which an answer reads as well as before: only sense checks can object."""


def cases(town, own, count):
    rosa = own["Rosa"]
    for number in range(count):
        yield town.given(
            "decompose",
            me=who_of(rosa, rosa.currently),
            date="Monday 6 May",
            activity=f"working at the counter, part {number}",
            start="09:00",
            end="11:00",
            minutes=120,
            around=(),
        )


def told(reply, problem):
    return [AIMessage(content=reply.text), RepairMessage(content=problem)]


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


def made(reply):
    kind: str = reply.message.response_metadata["mistake"]
    return kind


def kinds_in(town, step):
    """The kinds of mistakes that can occur in a step's sample answer."""
    asked = {kind: town.ask(step, SAMPLES[step], model=build({kind: "1"}, 3)) for kind in KINDS}
    assert all(made(reply) in ("", kind) for kind, reply in asked.items())
    return [kind for kind, reply in asked.items() if made(reply)]


def test_every_kind_occurs_at_the_steps_whose_answers_have_a_place_for_it(town):
    at = {step: kinds_in(town, step) for step in SAMPLES}
    always = ("missing", "extra", "truncation", "loop", "copied", *MENDED[:-1])
    assert not [step for step, kinds in at.items() if set(always) - set(kinds)]
    assert {kind for kinds in at.values() for kind in kinds} == set(KINDS) - {"placeless"}
    assert {step for step, kinds in at.items() if "sum" in kinds} == {"decompose", "replan"}
    assert "wrong_choice" in at["react"] and "wrong_choice" not in at["say"]
    assert "hour" in at["plan_day"] and "forgotten" in at["plan_day"]


@pytest.mark.parametrize("step", sorted(SAMPLES))
def test_a_mistake_returns_when_it_is_asked_again_blindly(town, step):
    for kind in kinds_in(town, step):
        model = build({kind: "1"}, 3)
        reply = town.ask(step, SAMPLES[step], model=model)
        again = town.ask(step, SAMPLES[step], model=model, seed=2, more=told(reply, BLIND))
        assert (made(again), again.text) == (kind, reply.text)


@pytest.mark.parametrize("step", sorted(SAMPLES))
def test_a_mistake_is_gone_once_the_repair_message_names_it(town, step):
    right = town.ask(step, SAMPLES[step], seed=3).text
    for kind in kinds_in(town, step):
        model = build({kind: "1"}, 3)
        reply = town.ask(step, SAMPLES[step], model=model)
        if reply.reading.value is not None:
            assert reply.reading.mends or kind in UNSEEN, kind
            continue
        problems = [str(problem) for problem in reply.reading.problems]
        cut = reply.message.response_metadata["finish_reason"] == "length"
        repair = RepairPrompt().text(problems, cut=cut, missing=None)
        mended = town.ask(step, SAMPLES[step], model=model, seed=2, more=told(reply, repair))
        assert (made(mended), mended.text) == ("", right), kind


@pytest.mark.parametrize("step", sorted(SAMPLES))
def test_what_cannot_be_mended_is_a_problem_for_the_reader(town, step):
    for kind in ("missing", "wrong_choice", "out_of_range", "hour", "truncation", "loop"):
        reply = town.ask(step, SAMPLES[step], model=build({kind: "1"}, 3))
        if made(reply) and reply.reading.value is not None:
            assert reply.reading.mends, (kind, reply.text)
            assert kind not in ("missing", "truncation", "loop"), reply.text


@pytest.mark.parametrize("step", sorted(SAMPLES))
def test_a_slip_of_form_is_read_as_what_was_meant(town, step):
    known = town.steps[step]
    for kind in MENDED:
        reply = town.ask(step, SAMPLES[step], model=build({kind: "1"}, 3))
        if made(reply):
            context = known.context(SAMPLES[step])
            meant = known.parser.read(reply.message.response_metadata["intended"], context)
            assert reply.reading.value == meant.value, kind


def test_a_reminder_among_the_rules_heals_what_it_names_and_nothing_else(town, own):
    (inputs,) = cases(town, own, 1)
    model = build({"missing": "1"}, 3)
    faulty = town.ask("decompose", inputs, model=model).message.response_metadata["field"]
    named = faulty.rpartition(".")[2]

    def mistake(reminder):
        (system, human) = town.messages("decompose", inputs)
        rules = SystemMessage(content=f"{system.text}\n{reminder}")
        said = model.invoke([rules, human], **standin_call("decompose", inputs), seed=3)
        return said.response_metadata["mistake"]

    assert mistake("Check: every item has `nothing_of_the_kind`.") == "missing"
    assert (
        mistake("Check: every item has `activity` and `minutes`, and there are `subtasks`.") == ""
    )
    assert named in ("activity", "minutes", "subtasks")


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
        assert json.loads(beside["intended"]).keys() == {
            *("wake", "go_to", "dated", "morning", "afternoon", "evening")
        }
        assert beside["field"]
    assert "intended" not in reply.text


def test_a_cut_reply_says_so(town):
    reply = town.ask("plan_day", SAMPLES["plan_day"], model=build({"truncation": "1"}, 1))
    assert reply.message.response_metadata["finish_reason"] == "length"


def test_only_the_items_asked_for_again_are_answered(town):
    reply = town.ask("rate_importance", SAMPLES["rate_importance"])
    repair = "The rest of it is good and is kept. Answer again, with only these: 2, 3."
    again = town.ask("rate_importance", SAMPLES["rate_importance"], more=told(reply, repair))
    assert [item["number"] for item in json.loads(again.text)["ratings"]] == [2, 3]


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ({"what": "tea", "place": "Bell Hall"}, {"what": "tea", "place": None}),
        ({"what": "having tea at the Bell Hall, with Ben"}, {"what": "having tea, with Ben"}),
        ({"what": "having tea in the garden"}, None),
    ],
)
def test_a_deed_loses_its_place_where_it_names_one(answer, left):
    made = make_mistake({"placeless": 1}, AskedCall({}, ""), answer, json.dumps(answer), Dice(1))
    assert (json.loads(made.text) if made else None) == left
