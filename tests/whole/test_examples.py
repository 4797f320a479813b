"""Examples in a run's history, and a context too small for its prompts."""

from dataclasses import replace
from pathlib import Path

import pytest

from smolville.agents.errors import ContextError
from smolville.graphs.loop.ledger import Call
from smolville.graphs.loop.rules import Rules, StepRule
from smolville.history.folder import RunFolder, list_runs
from smolville.history.reader import RunReader
from smolville.world.run_request import RunRequest
from tests.whole.lives import DAY, HOUR, begin, live, lived, standin

NOON = DAY // 2


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
    wordy = Rules(steps={"say": StepRule(max_tokens=1215)})
    chat = standin()
    chat.num_ctx, folder = 1000, None
    while folder is None:
        try:
            folder = begin(tmp_path, "narrow", replace(small, rules=wordy), chat)
        except ContextError as refused:
            least = int(str(refused).partition("needs at least ")[2].split()[0])
            chat.num_ctx = least + 100
    live(folder, 14 * HOUR, chat)
    calls = calls_of(folder)
    assert any(call.dropped for call in calls)
    assert {call.cuts for call in calls} == {0}
