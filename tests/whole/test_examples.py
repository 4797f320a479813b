"""A run that shows its people their own earlier answers: the same under every schedule."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agents.errors import ContextError
from graphs.loop.ledger import Call
from graphs.loop.rules import Rules, StepRule
from history.folder import RunFolder, list_runs
from history.reader import RunReader
from tests.whole.lives import DAY, begin, differing, live, lived, parts, standin
from world.run_request import RunRequest

NOON = DAY // 2
OWN = Rules(examples=2, examples_from_run=True)


def calls_of(folder: RunFolder) -> list[Call]:
    with RunReader(folder) as reader:
        views = [reader.thought(row.agent, row.tick) for row in reader.thoughts()]
        talks = [reader.talk(talk.id) for talk in reader.talks()]
        return [
            attempt.call
            for view in (*views, *talks)
            if view is not None
            for step in view.steps
            for attempt in step.attempts
        ]


@pytest.fixture(scope="module")
def own(small: RunRequest, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A morning in which people are shown their own answers; for reading only."""
    return lived(tmp_path_factory.mktemp("own"), "own", replace(small, rules=OWN), NOON)


def test_both_schedules_show_the_same_examples(
    own: RunFolder, small: RunRequest, tmp_path: Path
) -> None:
    serial = lived(tmp_path, "serial", replace(small, rules=OWN, schedule="serial"), NOON)
    assert differing(parts(own), parts(serial)) == []
    shown = [json.loads(call.examples) for call in calls_of(own)]
    assert shown == [json.loads(call.examples) for call in calls_of(serial)]
    assert all(len(rows) <= 2 for rows in shown)
    assert {row["from"] == "shipped" for rows in shown for row in rows} == {True, False}


def test_examples_are_a_minds_own_and_older_than_the_thought(own: RunFolder) -> None:
    calls = calls_of(own)
    made = {f"{c.key.owner}/{c.key.tick}/{c.key.step}/{c.key.ordinal}": c for c in calls}
    for call in calls:
        for row in json.loads(call.examples):
            if row["from"] != "shipped":
                source = made[row["from"]]
                assert (source.agent, source.key.step) == (call.agent, call.key.step)
                assert source.key.tick < call.key.tick
                assert row["case"] in json.loads(call.messages)[1]["content"]


def test_a_run_that_is_gone_on_with_shows_the_examples_of_one_undisturbed(
    own: RunFolder, small: RunRequest, tmp_path: Path
) -> None:
    parted = begin(tmp_path, "parted", replace(small, rules=OWN))
    for until in (NOON // 3, NOON // 2, NOON):
        live(parted, until)
    assert differing(parts(own), parts(parted)) == []
    assert [call.examples for call in calls_of(own)] == [call.examples for call in calls_of(parted)]


def test_a_run_keeps_the_templates_it_shows_examples_with(
    small: RunRequest, tmp_path: Path
) -> None:
    folder = lived(tmp_path, "kept", replace(small, rules=Rules(examples=1)), NOON // 2)
    with RunReader(folder) as reader:
        for call in calls_of(folder):
            text = reader.template(call.key.step, call.template)
            assert text is not None
            assert ("_examples.jinja" in text) is (call.examples != "[]")


def test_a_context_too_small_is_told_before_a_run_is_made(
    small: RunRequest, tmp_path: Path
) -> None:
    chat = standin()
    chat.num_ctx = 700
    with pytest.raises(ContextError, match="needs at least"):
        begin(tmp_path, "tiny", small, chat)
    assert list_runs(tmp_path) == []


def test_a_run_is_not_gone_on_with_in_a_context_too_small(
    small: RunRequest, tmp_path: Path
) -> None:
    folder = begin(tmp_path, "later", small)
    chat = standin()
    chat.num_ctx = 700
    with pytest.raises(ContextError, match="needs at least"):
        live(folder, NOON, chat)


def test_a_day_in_a_small_context_leaves_out_memories_and_never_stops(
    small: RunRequest, tmp_path: Path
) -> None:
    chat = standin()
    chat.num_ctx = 2030
    wordy = Rules(steps={"say": StepRule(max_tokens=1215)})
    folder = begin(tmp_path, "narrow", replace(small, rules=wordy), chat)
    live(folder, NOON, chat)
    calls = calls_of(folder)
    assert any(call.dropped for call in calls)
    assert {call.cuts for call in calls} == {0}
