"""What differs between two variants: fields, choices that moved, and the furthest pairs."""

import io
from typing import Any

from rich.console import Console

from smolville.lab.evaluation.differences import EvaluationView, differences
from smolville.lab.evaluation.results import Evaluation, Result, VariantName
from smolville.lab.evaluation.summary import summarise

Two = tuple[dict[str, Any], dict[str, Any]]
SAME = ({"text": "Good morning.", "ends": False},) * 2
LONGER = (SAME[0], {"text": "Good morning to you, dear neighbour.", "ends": True})
OTHER = (SAME[0], {"text": "Tomorrow we dance.", "ends": True})
MOVED = (
    {"do": "wait", "why": "I am in no hurry at all today."},
    {"do": "go", "why": "It is late now, and I am tired."},
)


def asked(*pairs: tuple[str, Two], outcome: Any = "clean") -> Evaluation:
    """An evaluation of two variants that answered these, a moment for each."""
    results = [
        Result(moment=f"r/{at}", variant=which, turn=0, outcome=outcome, answer=answer)
        for at, (_, two) in enumerate(pairs)
        for which, answer in enumerate(two)
    ]
    return Evaluation(
        variants=(VariantName(prompts="a", model="m"), VariantName(prompts="b", model="m")),
        moments={f"r/{at}": step for at, (step, _) in enumerate(pairs)},
        people={f"r/{at}": f"r/Person {at}" for at in range(len(pairs))},
        turns=1,
        results=results,
        repairs=0,
    )


def test_fields_are_counted_and_choices_that_moved_often_are_told() -> None:
    says = [("say", SAME), ("say", LONGER), ("say", OTHER)]
    found = differences(asked(*says, ("react", MOVED), ("react", MOVED)), 0, 1)
    assert [each.line for each in found.steps] == [
        "say: 2 of 3: text 2, ends 2; moved: ends no → yes (2)",
        "react: 2 of 2: do 2, why 2; moved: do wait → go (2)",
    ]


def test_the_furthest_pair_of_each_step_comes_first_side_by_side() -> None:
    says = [("say", SAME), ("say", LONGER), ("say", OTHER)]
    evaluation = asked(*says, ("react", MOVED))
    assert [each.moment for each in differences(evaluation, 0, 1).most] == ["r/2", "r/3", "r/1"]
    stream = io.StringIO()
    view = EvaluationView(evaluation=evaluation, summary=summarise(evaluation))
    Console(file=stream, width=100).print(view.render())
    shown = stream.getvalue()
    assert "say · Person 2 · r/2" in shown
    (line,) = [line for line in shown.splitlines() if "Tomorrow we dance." in line]
    assert line.startswith("text: Good morning.")
    told: Any = view.plain()
    assert told["differences"][0]["most"][0]["answers"][1]["text"] == "Tomorrow we dance."


def test_answers_that_were_not_accepted_or_are_alike_are_no_difference() -> None:
    assert not differences(asked(("say", OTHER), outcome="fallback"), 0, 1).steps
    alike = differences(asked(("say", SAME)), 0, 1)
    assert (alike.steps[0].differing, alike.most) == (0, ())
