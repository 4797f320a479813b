"""Traces through the official client to a server that keeps them, and what becomes of trouble."""

import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from smolville.history.folder import RunFolder
from smolville.lab.langsmith_target import PROJECT, LangSmithTarget, is_asked_for, target_in
from smolville.lab.tracing.langsmith import (
    WRONG,
    Mode,
    TraceSender,
    is_wanted,
    marks_of,
    runs_of,
)
from smolville.lab.tracing.listing import TraceRow
from smolville.lab.tracing.tree import Span
from tests.fixtures.langsmith_posted import when
from tests.fixtures.langsmith_server import Receiver, serve_langsmith
from tests.fixtures.loopback import free_port
from tests.fixtures.waiting import HANGING


@pytest.fixture
def smith() -> Iterator[Receiver]:
    with serve_langsmith() as receiver:
        yield receiver


def target(smith: Receiver, **more: Any) -> LangSmithTarget:
    return LangSmithTarget(**{"key": smith.key, "url": smith.url} | more)


def sent(
    folder: RunFolder,
    to: LangSmithTarget,
    rows: list[TraceRow],
    mode: Mode = "thoughts",
    patience: float = HANGING,
) -> tuple[int, str]:
    """How many traces were taken, and why some did not arrive."""
    sender = TraceSender(folder, to, mode)
    sender.take(rows)
    return sender.finish(patience)


def outline(span: Span) -> list[Any]:
    return [span.name, *(outline(child) for child in span.children)]


def test_what_arrives_are_the_trees_of_all_that_asked_a_model(
    clumsy: RunFolder, trees: list[Span], rows: list[TraceRow], smith: Receiver
) -> None:
    assert sent(clumsy, target(smith), rows) == (sum(not each.is_silent for each in rows), "")
    telling = {str(UUID(tree.id)): tree for tree in trees if tree.metadata["outcome"]}
    posted = {tree.id: tree for tree in smith.trees()}
    assert posted.keys() == telling.keys()
    for ident, tree in posted.items():
        assert tree.outline() == outline(telling[ident])
        for span, run in zip(telling[ident].walk(), tree.walk(), strict=True):
            assert run.body["session_name"] == PROJECT
            assert (run.tags, run.error) == (list(span.tags), span.error)
            assert run.metadata.items() >= span.metadata.items()
            assert run.metadata["thread_id"] == telling[ident].metadata["thread"]
            assert when(run.body["start_time"]) == pytest.approx(span.start, abs=1e-5)
            if span.kind in ("step", "thought", "talk"):
                assert run.feedback["outcome"]["value"] == span.metadata["outcome"]
    assert set(smith.asked) == {"POST /sessions", "POST /runs/multipart"}
    first = dict(smith.bodies)
    assert sent(clumsy, target(smith), rows)[1] == ""
    assert smith.bodies == first


def test_failures_alone_hold_what_went_wrong(
    clumsy: RunFolder, rows: list[TraceRow], smith: Receiver
) -> None:
    wrong = {row.name for row in rows if row.outcome in WRONG}
    assert sent(clumsy, target(smith), rows, "failures") == (len(wrong), "")
    assert {tree.name for tree in smith.trees()} == wrong != set()
    assert not any(is_wanted(row, "off") for row in rows)


def test_what_the_environment_hides_is_not_sent(
    clumsy: RunFolder, rows: list[TraceRow], smith: Receiver
) -> None:
    sent(clumsy, target(smith, hidden=("inputs", "outputs")), rows[:20])
    assert smith.runs()
    assert all(not run.inputs and not run.outputs for run in smith.runs().values())


def test_trouble_is_told_in_words_without_the_key(
    clumsy: RunFolder,
    rows: list[TraceRow],
    smith: Receiver,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.INFO, "smolville")
    nowhere = target(smith, url=f"http://127.0.0.1:{free_port()}")
    assert sent(clumsy, nowhere, rows)[1] == "no connection"
    assert sent(clumsy, target(smith, key="lsv2_wrong"), rows)[1] == "the key was refused"
    smith.status = 500
    assert sent(clumsy, target(smith), rows)[1] == "LangSmithAPIError"
    assert not smith.bodies
    assert smith.key[:5] not in caplog.text + capfd.readouterr().err


def test_the_end_comes_although_the_server_never_answers(
    clumsy: RunFolder, rows: list[TraceRow], smith: Receiver
) -> None:
    smith.hang()
    assert sent(clumsy, target(smith), rows, patience=0.3)[1] == "there was no time left"


def test_nothing_to_send_opens_nothing(clumsy: RunFolder, smith: Receiver) -> None:
    assert sent(clumsy, target(smith), []) == (0, "")
    assert smith.asked == []


def test_a_call_opens_in_the_playground_with_its_tokens(repaired: Span) -> None:
    told = {"cached_tokens": 100, "thinking_tokens": 7, "schema": '{"type": "object"}'}
    model = next(span for span in repaired.walk() if span.kind == "model")
    [run] = runs_of(replace(model, metadata=model.metadata | told))
    assert [each["role"] for each in run["inputs"]["messages"]] == ["system", "user"]
    assert run["outputs"]["messages"][0]["role"] == "assistant"
    fields, params = run["extra"]["metadata"], run["extra"]["invocation_params"]
    assert (fields["ls_provider"], fields["ls_model_type"]) == ("standin", "chat")
    assert params["model"] == fields["ls_model_name"]
    assert params["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert {params[name] == fields[name] for name in ("temperature", "max_tokens")} == {True}
    usage = run["outputs"]["usage_metadata"]
    assert usage["total_tokens"] == fields["prompt_tokens"] + fields["completion_tokens"]
    assert usage["input_token_details"] == {"cache_read": 100}
    assert usage["output_token_details"] == {"reasoning": 7}
    bare = {name: value for name, value in model.metadata.items() if "_tokens" not in name}
    [run] = runs_of(replace(model, metadata=bare | {"max_tokens": 9}))
    assert run["outputs"]["usage_metadata"] == {}


def test_outcomes_and_oddities_are_feedback(repaired: Span) -> None:
    step = next(span for span in repaired.walk() if span.kind == "step")
    for outcome, score in (("clean", 1.0), ("mended", 0.75), ("repaired", 0.5), ("fallback", 0.0)):
        more = {"outcome": outcome, "odd_kinds": ["hours", "place", "hours"]}
        marks = list(marks_of(next(iter(runs_of(replace(step, metadata=step.metadata | more))))))
        assert (marks[0]["value"], marks[0]["score"]) == (outcome, score)
        assert [mark["value"] for mark in marks[1:]] == ["hours", "place"]
        assert len({mark["feedback_id"] for mark in marks}) == 3


def test_a_prompt_is_linked_to_the_hub_that_its_template_names(repaired: Span) -> None:
    prompt = next(span for span in repaired.walk() if span.kind == "prompt")
    [run] = runs_of(replace(prompt, metadata=prompt.metadata | {"hub": "me/say:1a2b3c4d"}))
    told = run["extra"]["metadata"]
    names = ("lc_hub_owner", "lc_hub_repo", "lc_hub_commit_hash")
    assert [told[name] for name in names] == ["me", "say", "1a2b3c4d"]
    assert not any(name in next(runs_of(prompt))["extra"]["metadata"] for name in names)


def test_a_target_is_what_the_environment_says() -> None:
    env = {
        "LANGSMITH_API_KEY": "k",
        "LANGSMITH_ENDPOINT": "http://127.0.0.1:1984/",
        "LANGCHAIN_PROJECT": "older",
        "LANGSMITH_WORKSPACE_ID": "w",
        "LANGSMITH_HIDE_INPUTS": "true",
    }
    told = target_in(env)
    assert told is not None
    assert (told.key, told.url, told.project) == ("k", "http://127.0.0.1:1984", "older")
    assert (told.workspace, told.hidden) == ("w", ("inputs",))
    assert "'k'" not in repr(told)
    assert target_in({"LANGSMITH_ENDPOINT": "http://127.0.0.1"}) is None
    assert is_asked_for({"LANGCHAIN_TRACING_V2": "TRUE"})
    assert not is_asked_for({"LANGSMITH_TRACING": "false"})
