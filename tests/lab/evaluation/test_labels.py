"""Labelled answers: read with file and line, held against the checks, counted with intervals."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from smolville.agents.errors import RunError
from smolville.graphs.catalogue import SAMPLES
from smolville.lab.evaluation.labels import FILE, LabelledSet, labelled_set, read_labels
from smolville.lab.evaluation.page import report_page
from smolville.lab.evaluation.sense_tally import sense_tally
from smolville.lab.evaluation.statistics import wilson
from smolville.lab.evaluation.summary import summarise
from smolville.lab.moments.moment import Moment
from smolville.lab.prompting.linting import lint_folder
from smolville.prompts.folder import SENSE, shipped_texts
from smolville.prompts.prompt import TemplateSet, shipped_templates
from tests.lab.evaluation.made_up import made_up
from tests.lab.evaluation.test_page import Page

SAY = {"step": "say", "inputs": SAMPLES["say"].model_dump(mode="json")}
SERVICE = {"text": "How can I assist you today?", "ends": False}
FINE = {"text": "Good morning. The rolls are still warm.", "ends": False}
STOCK = {"text": "The rolls are out of stock, Milo.", "ends": False}


def lines(folder: Path, *labels: Any) -> Path:
    """A folder with these labels, each a line; a text is a line as it is."""
    told = [each if isinstance(each, str) else json.dumps(each) for each in labels]
    (folder / FILE).write_text("\n".join(told) + "\n", encoding="utf-8")
    return folder


def labelled(folder: Path, *labels: Any, runs: Path, moments: Sequence[Moment] = ()) -> LabelledSet:
    """These labels with their cases."""
    found = labelled_set(lines(folder, *labels), "mine", runs, moments)
    assert found is not None
    return found


def test_found_and_false_alarms_are_counted_with_their_intervals(tmp_path: Path) -> None:
    answers = labelled(
        tmp_path,
        {**SAY, "answer": SERVICE, "sensible": False, "kind": "voice"},
        {**SAY, "answer": STOCK, "sensible": False, "kind": "fact"},
        {**SAY, "answer": "I am a model.", "sensible": False},
        "",
        {**SAY, "answer": FINE, "sensible": True},
        {**SAY, "answer": json.dumps(SERVICE), "sensible": True},
        runs=tmp_path,
    )
    tally = sense_tally(answers, "shipped", shipped_templates())
    assert (tally.found.count, tally.found.of) == (2, 3)
    assert tally.found.interval == wilson(2, 3)
    assert (tally.false_alarms.count, tally.false_alarms.of) == (1, 2)
    assert (tally.named.count, tally.named.of) == (1, 2)
    assert {kind: each.count for kind, each in tally.kinds.items()} == {"fact": 0, "voice": 1}
    assert (tally.missed, tally.alarmed) == ((2,), (6,))
    assert tally.sentences == (
        "Labels of mine, checks of shipped: found 2 of 3 senseless answers (67 %, 21–94); false "
        "alarms in 1 of 2 sensible answers (50 %, 9–91). Found by kind: fact 0 of 1, voice 1 of 1. "
        "Not found: line 2. False alarms: line 6."
    )


def test_phrases_of_a_folder_are_measured_by_its_labels(tmp_path: Path) -> None:
    one = {**SAY, "answer": STOCK, "sensible": False, "kind": "fact"}
    answers = labelled(tmp_path, one, runs=tmp_path)
    own = TemplateSet({**shipped_texts(), SENSE: '[say]\nfact = ["out of stock"]\n'})
    assert sense_tally(answers, "shipped", shipped_templates()).found.count == 0
    tally = sense_tally(answers, "mine", own)
    assert (tally.found.count, tally.named.count, tally.missed) == (1, 1, ())
    assert "false alarms in none, for no answer is labelled sensible." in tally.sentences


def test_a_label_may_be_of_what_a_run_has(
    clumsy: Path, moments: list[Moment], tmp_path: Path
) -> None:
    clean = [each for each in moments if each.outcome == "clean" and not each.record.odd]
    asked, in_run = clean[0], clean[1]
    answers = labelled(
        tmp_path,
        {"moment": asked.id, "sensible": True},
        {"moment": in_run.id, "sensible": True},
        {"moment": in_run.id, "answer": "no idea", "sensible": False},
        {"moment": "nowhere/12345678", "sensible": True},
        {"moment": "clumsy/00000000", "sensible": True},
        runs=clumsy,
        moments=[asked],
    )
    assert [each.answer for each in answers.answers][:2] == [
        asked.record.answer,
        in_run.record.answer,
    ]
    tally = sense_tally(answers, "shipped", shipped_templates())
    assert (tally.false_alarms.count, tally.false_alarms.of) == (0, 2)
    assert (tally.found.count, tally.found.of) == (1, 1)
    assert tally.absent == 2
    assert tally.sentences.endswith("2 labels of moments that are not here.")


def test_every_way_in_which_a_line_cannot_be_is_told(tmp_path: Path) -> None:
    wrong: dict[str, Any] = {
        "it is no JSON: ": "{",
        "it should be a JSON object": "[]",
        "`sensible` should be true or false": {"moment": "a/12345678", "sensible": "yes"},
        "`kind` 'vioce' is none (did you mean `voice`?); there are: copied": {
            "moment": "a/12345678",
            "sensible": False,
            "kind": "vioce",
        },
        "`kind` says in which way an answer is odd, and this one is sensible": {
            "moment": "a/12345678",
            "sensible": True,
            "kind": "voice",
        },
        "`answer` should be an object, or a reply as a text": {
            **SAY,
            "answer": 3,
            "sensible": True,
        },
        "`moment` should be an id: `RUN/3f9a1c2e`": {"moment": "x", "sensible": True},
        "it names neither a `moment` nor a `step` that there is (did you mean `say`?)": {
            "step": "sya",
            "sensible": True,
        },
        "without a `moment` it needs an `answer`": {**SAY, "sensible": True},
        "`inputs.me`: field required": {
            "step": "say",
            "inputs": {},
            "answer": FINE,
            "sensible": True,
        },
    }
    folder = lines(tmp_path, *wrong.values())
    told = [(number, label) for number, label in read_labels(folder / FILE)]
    assert [number for number, _ in told] == list(range(1, len(wrong) + 1))
    for begins, (_, label) in zip(wrong, told, strict=True):
        assert isinstance(label, str)
        assert label.startswith(begins)
    with pytest.raises(RunError, match=r"labels.jsonl', line 1: it is no JSON: "):
        labelled_set(folder, "mine", tmp_path, [])
    (folder / SENSE).write_text("")
    found = [each for each in lint_folder(folder).findings if each.kind == "label"]
    assert [each.line for each in found] == [number for number, _ in told]


def test_a_folder_without_labels_has_none(tmp_path: Path) -> None:
    assert labelled_set(tmp_path, "mine", tmp_path, []) is None


def test_the_summary_and_the_page_tell_the_tally(tmp_path: Path) -> None:
    one = {**SAY, "answer": STOCK, "sensible": False}
    answers = labelled(tmp_path, one, runs=tmp_path)
    tally = sense_tally(answers, "<mine>", shipped_templates())
    evaluation = made_up()
    summary = summarise(evaluation, [tally])
    assert summary.plain()["labels"] == [tally.plain()]
    page = report_page(evaluation, summary)
    assert "What the checks find of what readers have labelled" in page
    assert "&lt;mine&gt;" in page
    assert Page(page).stack == []
    assert "have labelled" not in report_page(evaluation, summarise(evaluation))
