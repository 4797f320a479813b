"""Answers of a real small model that somebody has read: what the checks say of them.

`tests/recordings/read/labels.jsonl` holds 285 answers of Qwen2.5-Coder 1.5B from three mornings
and a day of three people, read blind.
`tests/recordings/read_unseen/labels.jsonl` holds 99 answers of SmolLM2 135M's day and 100 of a
later day of Qwen's, read when the checks were there already. Their questions of places, which had
a list of spots for each task, are told as one list of rooms; their promises, a field that is gone,
are left out, and lists that are new are empty.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from smolville.graphs.alone import asked_person
from smolville.graphs.catalogue import STEPS
from smolville.graphs.loop.repairing import full_context, verdict_on
from smolville.graphs.loop.state import StepState
from smolville.prompts.prompt import shipped_templates

FOLDER = Path(__file__).parents[2] / "recordings" / "read"
BY_NAME = {step.name: step for step in STEPS}
MOST = "most need more than rules: docs/reference/small-models.md"


def is_objected_to(row: dict[str, Any]) -> bool:
    """Whether a check refuses, doubts or marks an answer, or it cannot be read."""
    step, templates = BY_NAME[row["step"]], shipped_templates()
    inputs = step.inputs.model_validate(row["inputs"])
    first = templates.prompt(step).render(inputs)
    state = StepState(agent=asked_person(inputs).name, inputs=inputs, first=first)
    answer = row["answer"] if isinstance(row["answer"], str) else json.dumps(row["answer"])
    reading = step.parser.read(answer, full_context(step, state))
    if reading.value is None:
        return True
    verdict = verdict_on(step, state, reading.value, templates)
    return bool(verdict.refused or verdict.odd)


@cache
def read(name: str) -> list[tuple[dict[str, Any], bool]]:
    """The labelled answers of a folder, each with whether it is objected to."""
    text = (FOLDER.with_name(name) / "labels.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    return [(row, is_objected_to(row)) for row in rows]


def test_nothing_is_said_against_an_answer_that_was_read_as_sensible() -> None:
    found = read("read")
    assert (len(found), len({row["step"] for row, _ in found})) == (285, 11)
    sensible = [objected for row, objected in found if row["sensible"]]
    assert (len(sensible), sum(sensible)) == (90, 0)


def test_no_fewer_of_the_senseless_ones_are_found_than_before() -> None:
    senseless = [objected for row, objected in read("read") if row["read"] == "senseless"]
    assert len(senseless) == 73
    assert sum(senseless) >= 13, MOST


def test_of_answers_that_no_check_was_written_for_few_sensible_ones_are_objected_to() -> None:
    found = read("read_unseen")
    sensible = [objected for row, objected in found if row["sensible"]]
    assert (len(found), len(sensible)) == (199, 63)
    assert sum(sensible) <= 2
    assert sum(not objected for row, objected in found if not row["sensible"]) <= 114, MOST
