"""Answers of a real small model that somebody has read: what the checks say of them.

`tests/recordings/read/labels.jsonl` holds 288 answers of Qwen2.5-Coder 1.5B from three mornings
and a day of three people, read blind.
`tests/recordings/read_unseen/labels.jsonl` holds 99 answers of SmolLM2 135M's day and 100 of a
later day of Qwen's, read when the checks were there already. Their questions of places, which had
a list of spots for each task, are told as one list of rooms; their promises, a field that is gone,
are left out, and lists that are new are empty.
"""

import json
from pathlib import Path

import pytest

from smolville.lab.evaluation.labels import LabelledSet, labelled_set
from smolville.lab.evaluation.sense_tally import SenseTally, sense_tally
from smolville.prompts.folder import shipped_texts
from smolville.prompts.prompt import TemplateSet

FOLDER = Path(__file__).parents[2] / "recordings" / "read"
UNSEEN = FOLDER.with_name("read_unseen")
MOST = "most need more than rules: docs/small-models.md"


@pytest.fixture(scope="module")
def read() -> LabelledSet:
    found = labelled_set(FOLDER, "read", FOLDER, [])
    assert found is not None
    return found


@pytest.fixture(scope="module")
def tally(read: LabelledSet) -> SenseTally:
    return sense_tally(read, "shipped", TemplateSet(shipped_texts()))


def test_the_cases_of_old_answers_are_still_cases_of_their_steps(read: LabelledSet) -> None:
    assert (len(read.answers), read.absent) == (288, 0)
    assert len({each.step.name for each in read.answers}) == 12


def test_nothing_is_said_against_an_answer_that_was_read_as_sensible(tally: SenseTally) -> None:
    assert tally.alarmed == ()
    assert tally.false_alarms.of == 93


def test_no_fewer_of_the_senseless_ones_are_found_than_before(tally: SenseTally) -> None:
    lines = (FOLDER / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    senseless = {n for n, line in enumerate(lines, 1) if json.loads(line)["read"] == "senseless"}
    assert len(senseless) == 73
    assert len(senseless - set(tally.missed)) >= 13, MOST


def test_of_answers_that_no_check_was_written_for_few_sensible_ones_are_objected_to() -> None:
    found = labelled_set(UNSEEN, "unseen", UNSEEN, [])
    assert found is not None and (len(found.answers), found.absent) == (199, 0)
    tally = sense_tally(found, "shipped", TemplateSet(shipped_texts()))
    assert tally.false_alarms.of == 63
    assert len(tally.alarmed) <= 2
    assert len(tally.missed) <= 114, MOST
