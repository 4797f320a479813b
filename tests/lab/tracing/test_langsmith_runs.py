"""Spans as LangSmith's runs and feedback: shape, order, ids and sizes."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from smolville.agents.errors import SettingError
from smolville.history.folder import RunFolder
from smolville.lab.tracing.langsmith.runs import Body, marks_of, masking, runs_of
from smolville.lab.tracing.langsmith.target import PROJECT, Mask, is_asked_for, target_in
from smolville.lab.tracing.span import Span
from tests.lab.tracing.conftest import everything

Runs = list[tuple[Span, Body]]


@pytest.fixture
def runs(repaired: Span) -> Runs:
    return list(runs_of(repaired))


def of_type(runs: Runs, run_type: str) -> Iterator[dict[str, Any]]:
    return (run for _, run in runs if run["run_type"] == run_type)


def test_every_span_is_one_run_beneath_its_parent(repaired: Span, runs: Runs) -> None:
    assert [span.id for span, _ in runs] == [span.id for span in everything(repaired)]
    by_id = {run["id"]: (span, run) for span, run in runs}
    (_, root), *others = runs
    assert root["parent_run_id"] is None
    assert root["id"] == root["trace_id"]
    for span, run in others:
        above, parent = by_id[run["parent_run_id"]]
        assert span in above.children
        assert run["dotted_order"].startswith(f"{parent['dotted_order']}.")
        assert run["dotted_order"].endswith(f"Z{run['id']}")
        assert run["trace_id"] == root["id"]


def test_runs_sort_by_when_they_began_and_children_lie_within(trees: list[Span]) -> None:
    for tree in trees:
        asked = {run["id"]: run for _, run in runs_of(tree)}
        for one in asked.values():
            assert one["start_time"] <= one["end_time"]
            parent = asked.get(one["parent_run_id"])
            if parent is not None:
                assert parent["start_time"] <= one["start_time"]


def test_ids_have_the_shape_of_version_7_and_tell_all_spans_apart(trees: list[Span]) -> None:
    spans = [span for tree in trees for span in everything(tree)]
    ids = [UUID(span.id) for span in spans]
    assert len(set(ids)) == len(spans)
    for span, ident in zip(spans, ids, strict=True):
        assert ident.version == 7
        assert ident.variant == "specified in RFC 4122"
        assert int.from_bytes(ident.bytes[:6], "big") == int(span.start * 1000)


def test_all_runs_of_a_tree_belong_to_the_agents_thread(repaired: Span, runs: Runs) -> None:
    thread = f"clumsy/{repaired.metadata['agent']}"
    for _, run in runs:
        metadata = run["extra"]["metadata"]
        assert (metadata["session_id"], metadata["thread_id"]) == (thread, thread)


def test_a_call_is_shown_as_a_chat_with_its_tokens(runs: Runs) -> None:
    for asked in of_type(runs, "llm"):
        roles = [message["role"] for message in asked["inputs"]["messages"]]
        assert roles[0] == "system"
        assert roles[-1] == "user"
        [reply] = asked["outputs"]["messages"]
        assert reply["role"] == "assistant"
        told = asked["extra"]["metadata"]
        usage = asked["outputs"]["usage_metadata"]
        assert usage == told["usage_metadata"]
        assert usage["input_tokens"] == told["prompt_tokens"] > 0
        assert usage["total_tokens"] == told["prompt_tokens"] + told["completion_tokens"]
        assert told["ls_provider"] == "standin"
        assert told["ls_model_type"] == "chat"
        assert told["ls_temperature"] == told["temperature"]
        assert told["ls_max_tokens"] == told["max_tokens"]


def test_cached_and_thinking_tokens_are_told_apart(runs: Runs) -> None:
    model = next(span for span, _ in runs if span.kind == "model")
    told = {**model.metadata, "cached_tokens": 100, "thinking_tokens": 7}
    [(_, run)] = runs_of(replace(model, metadata=told))
    usage = run["outputs"]["usage_metadata"]
    assert usage["input_token_details"] == {"cache_read": 100}
    assert usage["output_token_details"] == {"reasoning": 7}


def test_tokens_that_nobody_told_are_not_made_up(runs: Runs) -> None:
    model = next(span for span, _ in runs if span.kind == "model")
    told = {name: value for name, value in model.metadata.items() if "tokens" not in name}
    [(_, asked)] = runs_of(replace(model, metadata=told | {"max_tokens": 9}))
    assert asked["outputs"]["usage_metadata"] == {}
    assert "usage_metadata" not in asked["extra"]["metadata"]


def test_what_the_playground_opens_is_what_the_model_was_asked_with(runs: Runs) -> None:
    for asked in of_type(runs, "llm"):
        told, params = asked["extra"]["metadata"], asked["extra"]["invocation_params"]
        assert params == told["ls_invocation_params"]
        assert params["model"] == told["ls_model_name"] == told["model_name"]
        for name in ("temperature", "max_tokens", "seed"):
            assert params[name] == told[name]
        if told["constrained"]:
            assert params["response_format"]["json_schema"]["schema"]["type"] == "object"
        assert {"role", "content"} == set(asked["inputs"]["messages"][0])


def test_steps_and_roots_are_marked_with_how_they_ended(runs: Runs) -> None:
    marked = {run["id"]: list(marks_of(span, run)) for span, run in runs}
    for span, run in runs:
        marks = {mark["key"]: mark for mark in marked[run["id"]]}
        if span.kind not in ("thought", "step"):
            assert not marks
            continue
        outcome = span.metadata["outcome"]
        assert marks["clean"]["score"] == (1 if outcome == "clean" else 0)
        assert marks["answered"]["score"] == 1
        assert marks["outcome"]["value"] == outcome
        assert {mark["trace_id"] for mark in marks.values()} == {run["trace_id"]}
    ids = [mark["feedback_id"] for marks in marked.values() for mark in marks]
    assert len(set(ids)) == len(ids)
    assert all(isinstance(ident, UUID) for ident in ids)


@pytest.mark.parametrize("outcome", ["fallback", "failed"])
def test_what_was_given_up_is_not_answered(outcome: str, runs: Runs) -> None:
    step = next(span for span, _ in runs if span.kind == "step")
    [(span, run), *_] = runs_of(replace(step, metadata={**step.metadata, "outcome": outcome}))
    marks = {mark["key"]: mark for mark in marks_of(span, run)}
    assert marks["answered"]["score"] == 0
    assert marks["clean"]["score"] == 0


def test_what_is_odd_is_marked_once_for_each_kind(runs: Runs) -> None:
    step = next(span for span, _ in runs if span.kind == "step")
    odd = {"odd_kinds": ["hours", "place", "hours"]}
    [(span, run), *_] = runs_of(replace(step, metadata=step.metadata | odd))
    marks = list(marks_of(span, run))
    assert [mark["value"] for mark in marks if mark["key"] == "odd"] == ["hours", "place"]
    assert len({mark["feedback_id"] for mark in marks}) == len(marks)
    plain = next(span for span, _ in runs if span.metadata.get("odd_kinds") == [])
    [(span, run), *_] = runs_of(plain)
    assert "odd" not in {mark["key"] for mark in marks_of(span, run)}


def test_a_thought_that_asked_nothing_is_not_marked(trees: list[Span]) -> None:
    silent = [tree for tree in trees if tree.kind == "thought" and not tree.children]
    assert silent
    for tree in silent:
        [(span, run)] = runs_of(tree)
        assert list(marks_of(span, run)) == []


def test_a_target_is_what_the_environment_says() -> None:
    env = {
        "LANGSMITH_API_KEY": "k",
        "LANGSMITH_ENDPOINT": "http://127.0.0.1:1984/",
        "LANGCHAIN_PROJECT": "older",
        "LANGSMITH_WORKSPACE_ID": "w",
        "LANGSMITH_TRACING_SAMPLING_RATE": "0.25",
        "LANGSMITH_HIDE_INPUTS": "true",
    }
    target = target_in(env)
    assert target is not None
    assert (target.key, target.url, target.project) == ("k", "http://127.0.0.1:1984", "older")
    assert (target.workspace, target.rate) == ("w", 0.25)
    assert target.hidden == ("inputs",)
    assert "'k'" not in repr(target)
    bare = target_in({"LANGCHAIN_API_KEY": "k"})
    assert bare is not None
    assert (bare.url, bare.project, bare.rate) == (None, PROJECT, 1.0)
    assert target_in({"LANGSMITH_ENDPOINT": "http://127.0.0.1"}) is None


@pytest.mark.parametrize("rate", ["many", "-0.1", "1.5", "nan"])
def test_a_sampling_rate_that_is_none_is_refused(rate: str) -> None:
    with pytest.raises(SettingError, match="write a number from 0 to 1") as caught:
        target_in({"LANGSMITH_API_KEY": "k", "LANGSMITH_TRACING_SAMPLING_RATE": rate})
    assert caught.value.exit_code == 2


def test_older_names_ask_for_traces_too() -> None:
    assert is_asked_for({"LANGSMITH_TRACING": "true"})
    assert is_asked_for({"LANGCHAIN_TRACING_V2": "TRUE"})
    assert not is_asked_for({"LANGSMITH_TRACING": "false"})
    assert not is_asked_for({})


@pytest.fixture
def masked(trees: list[Span], clumsy: RunFolder) -> Callable[[Mask], str]:
    """All trees as they are sent under a mask, as one text."""

    def told(mask: Mask) -> str:
        runs = []
        for tree in trees:
            hide = masking(mask, clumsy.spec.cast, tree)
            runs += [hide(run) for _, run in runs_of(tree)]
        return json.dumps(runs, default=str, ensure_ascii=False)

    return told


def test_who_people_are_is_taken_out_on_request(
    masked: Callable[[Mask], str], trees: list[Span]
) -> None:
    whole, told = masked("off"), masked("personas")
    card = next(each.inputs["me"] for tree in trees for each in tree.children)
    for part in ("name", "first_name", "innate", "learned", "currently", "lifestyle"):
        assert card[part] in whole
        assert card[part] not in told
    assert not re.search(r"\b(Ada|Brook|Ben|Hollis|Cora|Vance)\b", told)
    assert "Person 1 · 07:00" in told
    assert "opening the café" in told
    # Who has no work is not known by the word for it.
    assert '"work": "none"' in told


def test_what_is_odd_quotes_nothing_under_a_mask_of_texts(repaired: Span) -> None:
    told = {"odd": ["`text`: got 'I walked around the pond', said before."]}
    tree = replace(repaired, metadata=repaired.metadata | told, outputs=repaired.outputs | told)
    [(_, run), *_] = runs_of(tree)
    sent = json.dumps(masking("texts", (), tree)(run), default=str)
    assert "around the pond" not in sent
    assert f"[{len(told['odd'][0])} characters]" in sent


def test_every_text_is_taken_out_on_request(masked: Callable[[Mask], str]) -> None:
    told = masked("texts")
    for text in ("opening the café", "You are a person in a small town", "Person 2 thought"):
        assert text not in told
    assert re.search(r"\[\d+ characters\]", told)
    assert '"clean"' in told


def test_a_mask_leaves_the_tree_itself_alone(repaired: Span, clumsy: RunFolder) -> None:
    before = repaired.plain()
    for _, run in runs_of(repaired):
        masking("texts", clumsy.spec.cast, repaired)(run)
    assert repaired.plain() == before
