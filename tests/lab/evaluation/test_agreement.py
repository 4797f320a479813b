"""How far answers agree, for every recorded step: its example, its recorded replies, odd data."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smolville.graphs.catalogue import SAMPLES, STEPS
from smolville.graphs.loop.ledger import StepOutcome
from smolville.lab.evaluation.agreement import agreement, agreement_of
from smolville.lab.evaluation.results import Result, StoredMoment
from smolville.parsers.answer import Answer

RECORDINGS = Path(__file__).parents[2] / "recordings"
NAMES = sorted(path.stem for path in RECORDINGS.glob("*.json"))
ANSWERS = {step.name: step.answer for step in STEPS}
TEXT_ALONE = {"revise_identity", "reflect_questions", "answer_interview"}


def answers_of(step: str) -> list[dict[str, Any]]:
    """The answers that were read from a step's recorded replies, and its example."""
    cases = json.loads((RECORDINGS / f"{step}.json").read_text(encoding="utf-8"))
    told = [case["answer"] for case in cases if "answer" in case]
    return [ANSWERS[step].example().model_dump(mode="json"), *told]


def alike(
    step: str, one: dict[str, Any], other: dict[str, Any], inputs: dict[str, Any] | None = None
) -> float | None:
    return agreement_of(ANSWERS[step], one, other, inputs or {})


@pytest.mark.parametrize("step", NAMES)
def test_every_answer_agrees_with_itself(step: str) -> None:
    inputs = SAMPLES[step].model_dump(mode="json")
    for answer in answers_of(step):
        assert alike(step, answer, answer, inputs) == (None if step in TEXT_ALONE else 1.0)


@pytest.mark.parametrize("step", NAMES)
def test_agreement_is_a_share_and_the_same_both_ways(step: str) -> None:
    told = answers_of(step)
    for one in told[:6]:
        for other in told[-6:]:
            there, back = alike(step, one, other), alike(step, other, one)
            assert there == back
            assert there is None or 0 <= there <= 1


@pytest.mark.parametrize("step", sorted(set(NAMES) - TEXT_ALONE))
def test_some_recorded_answers_decide_otherwise(step: str) -> None:
    told = answers_of(step)
    found = [alike(step, told[0], other) for other in told]
    assert min(each for each in found if each is not None) < 1


def reaction(**told: Any) -> dict[str, Any]:
    empty = {"choice": "continue", "person": None, "minutes": None, "activity": None}
    return {"reason": "I am busy.", **empty, **told}


PEOPLE = {"people": [{"name": "Milo Varga"}, {"name": "Ida Lund"}]}


def test_a_name_that_was_offered_is_a_decision() -> None:
    milo, ida = (reaction(choice="talk", person=name) for name in ("Milo Varga", "Ida Lund"))
    assert alike("react", milo, ida, PEOPLE) == 0.75
    assert alike("react", milo, reaction(choice="talk", person="milo varga"), PEOPLE) == 1.0


def test_whether_something_is_there_is_a_decision() -> None:
    waits = reaction(choice="wait", minutes=10)
    assert alike("react", reaction(), waits) == 0.5


def test_times_are_equal_within_half_an_hour() -> None:
    def day(wake: str) -> dict[str, Any]:
        texts = {"morning": "baking", "afternoon": "reading", "evening": "singing"}
        return {"wake": wake, "go_to": []} | texts

    assert alike("plan_day", day("07:00"), day("07:30")) == 1.0
    assert alike("plan_day", day("07:00"), day("08:00")) < 1.0


def test_items_with_a_key_are_paired_by_it_and_the_key_is_no_merit() -> None:
    def rated(**ratings: int) -> dict[str, Any]:
        return {
            "ratings": [
                {"number": int(key[1:]), "reason": "so", "importance": value}
                for key, value in ratings.items()
            ]
        }

    assert alike("rate_importance", rated(n1=3, n2=8), rated(n2=8, n1=3)) == 1.0
    assert alike("rate_importance", rated(n1=3, n2=8), rated(n1=3, n2=7)) == 0.5
    assert alike("rate_importance", rated(n1=3, n2=8), rated(n1=1, n2=2)) == 0.0


def test_items_without_one_are_paired_by_position_and_a_missing_one_counts() -> None:
    def tasks(*minutes: int) -> dict[str, Any]:
        return {"subtasks": [{"activity": "baking", "minutes": each} for each in minutes]}

    assert alike("decompose", tasks(10, 20, 30), tasks(10, 20)) == 0.6667


def stored(step: str = "react", outcome: StepOutcome = "clean") -> StoredMoment:
    return StoredMoment(
        id="r/1", step=step, agent="Rosa", time="1 07:00", outcome=outcome,
        answer=reaction(), inputs={},
    )  # fmt: skip


def result(outcome: StepOutcome | None) -> Result:
    return Result(moment="r/1", variant=0, turn=0, outcome=outcome, answer=reaction())


def test_with_a_fallback_there_is_nothing_to_agree() -> None:
    assert agreement(stored(outcome="fallback"), result("clean")) is None
    assert agreement(stored(), result("fallback")) is None
    assert agreement(stored(), result(None)) is None
    assert agreement(stored(step="dance"), result("clean")) is None
    assert agreement(stored(), result("repaired")) == 1.0


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=12,
)


@pytest.mark.parametrize("step", NAMES)
@settings(max_examples=25)
@given(data=st.data())
def test_no_data_whatever_stops_a_comparison(step: str, data: st.DataObject) -> None:
    answer: type[Answer] = ANSWERS[step]
    odd = {name: data.draw(ANYTHING) for name in answer.model_fields}
    fine = answer.example().model_dump(mode="json")
    found = agreement_of(answer, fine, odd, {"any": data.draw(ANYTHING)})
    assert found is None or 0 <= found <= 1


def test_inputs_of_any_depth_are_read_so_far() -> None:
    deep: Any = "Milo Varga"
    for _ in range(2000):
        deep = [deep]
    assert alike("react", reaction(), reaction(), {"people": deep}) == 1.0
