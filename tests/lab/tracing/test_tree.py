"""A thought's tree: everything the history knows, each thing where it belongs."""

import re
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.history.records import StepView
from smolville.lab.moments.finding import found_in
from smolville.lab.tracing.listing import (
    TraceKey,
    TraceRow,
    find_worst_outcome,
    rows_of,
    what_was_done,
)
from smolville.lab.tracing.tree import Span, _Tree, model_of, tree_of


def of_kind(root: Span, kind: str) -> list[Span]:
    """The spans of a kind in a tree."""
    return [each for each in root.walk() if each.kind == kind]


def is_nested(tree: Span) -> bool:
    """Whether each bar lies in the one above it, and begins after the one before it."""
    for span in tree.walk():
        edge = span.start
        for child in span.children:
            if not edge <= child.start <= child.end <= span.end:
                return False
            edge = child.end
    return True


def step_of(reader: RunReader, root: Span) -> StepView:
    """A thought's repaired step as it is in the history."""
    thought = reader.thought(root.metadata["agent"], root.metadata["tick"])
    assert thought is not None
    return next(each for each in thought.steps if each.record.outcome == "repaired")


def drawn(reader: RunReader, row: TraceRow, view: StepView) -> Span:
    """A step as a span."""
    return _Tree(reader, row, [view]).step(view, 0.0)


def test_each_node_that_ran_is_a_span_and_each_step_holds_its_own(
    reader: RunReader, trees: list[Span]
) -> None:
    assert len(trees) == len(reader.thoughts()) + len(reader.talks())
    steps = reader.steps()
    told = [span for tree in trees for span in of_kind(tree, "step")]
    assert sorted(each.metadata["step"] for each in told) == sorted(each.step for each in steps)
    assert sum(len(of_kind(each, "ask")) for each in told) == sum(s.attempts for s in steps)
    recalls = sum(len(of_kind(each, "recall")) for each in told)
    assert recalls == sum(len(each.recalls) for each in steps) > 0
    for tree in trees:
        if tree.kind == "thought":
            assert [each.name for each in tree.children] == tree.metadata["nodes"]
        for step in of_kind(tree, "step"):
            nodes = [each.name for each in step.children]
            more = ["repair", "ask", "parse"] * (step.metadata["attempts"] - 1)
            assert nodes == ["gather", "ask", "parse", *more, "apply"]
            for ask in of_kind(step, "ask"):
                assert [each.kind for each in ask.children] == ["prompt", "model"]


def test_a_prompt_shows_its_variables_and_its_messages(repaired: Span) -> None:
    for step in of_kind(repaired, "step"):
        assert of_kind(step, "prompt")[0].inputs == step.inputs
        for ask in of_kind(step, "ask"):
            prompt, model = ask.children
            assert prompt.inputs["me"]["name"] == repaired.metadata["agent"]
            assert prompt.outputs["messages"] == model.inputs["messages"]
            assert re.fullmatch("[0-9a-f]{8}", prompt.metadata["template"])
        assert step.outputs["outcome"] == step.metadata["outcome"]
    added = next(each for each in repaired.walk() if each.name == "repair").outputs["added"]
    assert [each["role"] for each in added][-1:] == ["user"]


def test_ids_are_the_same_at_every_reading_and_nowhere_twice(
    reader: RunReader, trees: list[Span], rows: list[TraceRow]
) -> None:
    ids = [each.id for tree in trees for each in tree.walk()]
    assert len(set(ids)) == len(ids)
    assert [tree_of(reader, row.key) for row in rows] == trees
    reader.spec = reader.spec.model_copy(update={"created": "2001-01-01T00:00:00"})
    anew = tree_of(reader, rows[0].key)
    assert anew is not None
    assert (anew.id != trees[0].id, anew.metadata) == (True, trees[0].metadata)


def test_times_are_the_historys_and_bars_are_nested(
    reader: RunReader, trees: list[Span], repaired: Span
) -> None:
    assert all(map(is_nested, trees))
    thought = reader.thought(repaired.metadata["agent"], repaired.metadata["tick"])
    assert thought is not None
    assert repaired.start == thought.row.started
    assert repaired.milliseconds == pytest.approx(thought.row.milliseconds, abs=1.0)
    for span, view in zip(of_kind(repaired, "step"), thought.steps, strict=True):
        for model, attempt in zip(of_kind(span, "model"), view.attempts, strict=True):
            assert model.milliseconds == pytest.approx(attempt.call.milliseconds, abs=1.0)


def test_unknown_times_leave_the_tree_well_formed(
    reader: RunReader, repaired: Span, rows: list[TraceRow]
) -> None:
    view = step_of(reader, repaired)
    attempts = tuple(replace(each, call=replace(each.call, started=0.0)) for each in view.attempts)
    nothing = replace(view.record, started=0.0, milliseconds=0.0)
    span = drawn(reader, rows[0], replace(view, record=nothing, attempts=attempts))
    assert is_nested(span)
    assert span.milliseconds >= sum(each.call.milliseconds for each in view.attempts)
    bare = drawn(reader, rows[0], replace(view, attempts=()))
    assert [each.name for each in bare.children] == ["gather", "apply"]


def test_a_call_from_the_journal_takes_no_time_and_waiting_stands_before_a_call(
    reader: RunReader, repaired: Span, rows: list[TraceRow]
) -> None:
    view = step_of(reader, repaired)
    first, *rest = view.attempts
    before = replace(first.call, started=first.call.started - 3600.0, milliseconds=60_000.0)
    span = drawn(reader, rows[0], replace(view, attempts=(replace(first, call=before), *rest)))
    assert is_nested(span)
    served, asked = of_kind(span, "model")[:2]
    assert (served.metadata["source"], asked.metadata["source"]) == ("journal", "model")
    assert served.milliseconds == 0.0
    late = replace(view.record, milliseconds=view.record.milliseconds + 5_000.0)
    ask = of_kind(drawn(reader, rows[0], replace(view, record=late)), "ask")[-1]
    assert ask.metadata["waited_ms"] > 4_000.0
    prompt, model = ask.children
    assert model.start - prompt.end == pytest.approx(ask.metadata["waited_ms"] / 1000.0, abs=1e-3)


def test_what_was_recalled_is_there_with_its_scores(trees: list[Span]) -> None:
    found = [each for tree in trees for each in of_kind(tree, "recall")]
    documents = [each for recall in found for each in recall.outputs["documents"]]
    assert all(each["page_content"] and each["metadata"]["time"] for each in documents)
    for recall in found:
        worth = [each["metadata"].get("score", 0) for each in recall.outputs["documents"]]
        assert worth == sorted(worth, reverse=True)
        assert all(each["metadata"]["shown"] for each in recall.outputs["documents"])
    scores = {"score", "recency", "importance", "relevance"}
    assert any(scores <= each["metadata"].keys() for each in documents)


def test_tokens_sum_up_and_the_worst_outcome_counts(trees: list[Span]) -> None:
    for tree in trees:
        steps = of_kind(tree, "step")
        assert tree.metadata["calls"] == len(of_kind(tree, "model"))
        assert tree.metadata.get("prompt_tokens", 0) == sum(
            each.metadata["prompt_tokens"] for each in of_kind(tree, "model")
        )
        outcomes = [each.metadata["outcome"] for each in steps]
        assert tree.metadata["outcome"] == find_worst_outcome(outcomes)


def test_an_act_points_to_the_step_that_planned_it_and_a_talk_to_the_one_that_began_it(
    reader: RunReader, trees: list[Span]
) -> None:
    moments = {f"clumsy/{each.digits}" for each in found_in(reader)}
    for name in ("planned_by", "begun_by"):
        caused = [tree for tree in trees if name in tree.metadata]
        assert caused
        for tree in caused:
            assert tree.metadata[name] in moments


def test_a_talk_names_its_people_and_each_step_its_speaker(
    reader: RunReader, trees: list[Span]
) -> None:
    talk = next(each for each in trees if each.kind == "talk")
    people = talk.inputs["participants"]
    assert talk.name.startswith(" & ".join(people))
    assert {each.metadata["agent"] for each in talk.children} == set(people)
    assert tree_of(reader, TraceKey("talk", "talk/0/Nobody", 0)) is None
    assert tree_of(reader, TraceKey("thought", "Ada Brook", 10**6)) is None


def test_lines_are_numbered_and_say_who_speaks_to_whom(trees: list[Span]) -> None:
    talk = next(each for each in trees if each.kind == "talk")
    people = talk.inputs["participants"]
    for n, (step, line) in enumerate(zip(talk.children, talk.outputs["lines"], strict=True), 1):
        told = step.metadata
        assert step.name == f"say · line {n}" and told["line"] == n
        assert told["to"] == [each for each in people if each != told["speaker"]]
        assert line == f"{told['speaker']}: {step.children[-1].outputs['line']}"


def test_tags_are_on_steps_and_roots_and_find_a_talk_by_each_of_its_people(
    trees: list[Span],
) -> None:
    for tree in trees:
        for span in tree.walk():
            assert bool(span.tags) == (span.kind in ("thought", "talk", "step"))
            assert ("outcome" in span.metadata) == bool(span.tags)
    talk = next(each for each in trees if each.kind == "talk")
    assert talk.tags == (*talk.inputs["participants"], talk.metadata["outcome"])


def test_what_was_remembered_says_where_it_comes_from(trees: list[Span]) -> None:
    thoughts = [each for each in trees if each.kind == "thought"]
    made = [memory for each in thoughts for memory in each.outputs["remembered"]]
    assert {"perceive", "act", "conclude_talk"} <= {each["step"] for each in made}
    assert all(each.keys() >= {"id", "text", "kind", "importance"} for each in made)
    applied = [each for tree in thoughts for each in tree.walk() if each.name == "apply"]
    kept = [memory for each in applied for memory in each.outputs.get("remembered", ())]
    assert [each for each in made if each["step"] == "conclude_talk"] == [
        each for each in kept if each["step"] == "conclude_talk"
    ]


def test_a_parse_says_what_was_mended_and_an_attempt_whether_it_was_accepted(
    trees: list[Span],
) -> None:
    parses = [each for tree in trees for each in of_kind(tree, "parse")]
    assert any(each.outputs["mended"] and each.outputs["answer"] for each in parses)
    repaired = next(
        step for tree in trees for step in of_kind(tree, "step")
        if step.metadata["outcome"] == "repaired"
    )  # fmt: skip
    models = [each.metadata["accepted"] for each in of_kind(repaired, "model")]
    assert models == [False] * (len(models) - 1) + [True]


def test_a_template_may_name_its_prompt_in_the_hub(clumsy: RunFolder, tmp_path: Path) -> None:
    copy = RunFolder(Path(shutil.copytree(clumsy.path, tmp_path / "clumsy")), clumsy.spec)
    with closing(sqlite3.connect(copy.history_path)) as history, history:
        mark = "{# hub: me/plan_day:1a2b3c4d #}\\n{% block system %}"
        history.execute(
            "UPDATE templates SET text = replace(text, '{% block system %}', ?)", (mark,)
        )
    with RunReader(copy) as reader:
        span = tree_of(reader, TraceKey("thought", "Ada Brook", 0))
    assert span is not None
    assert of_kind(span, "prompt")[0].metadata["hub"] == "me/plan_day:1a2b3c4d"


def test_a_failed_thought_is_an_error(clumsy: RunFolder, tmp_path: Path) -> None:
    copy = RunFolder(Path(shutil.copytree(clumsy.path, tmp_path / "clumsy")), clumsy.spec)
    with closing(sqlite3.connect(copy.history_path)) as history, history:
        history.execute(
            "UPDATE thoughts SET failed = 'ValueError: no such place', path = '[]', "
            "milliseconds = 0 WHERE agent = 'Ada Brook' AND tick = 0"
        )
        history.execute("DELETE FROM steps WHERE owner = 'Ada Brook' AND tick = 0")
    with RunReader(copy) as reader:
        span = tree_of(reader, TraceKey("thought", "Ada Brook", 0))
    assert span is not None
    assert (span.error, span.metadata["outcome"]) == ("ValueError: no such place", "failed")
    assert span.name == "Ada Brook · 00:00 · failed"


def test_a_thought_is_called_by_its_steps() -> None:
    assert what_was_done(["say", "say", "react"], ()) == "say ×2, react"
    assert what_was_done(["a", "b", "c", "d", "e", "a"], ()) == "a ×2, b, c +2"
    assert what_was_done([], ("perceive", "act")) == "act"
    assert rows_of((), (), (), 10) == []


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("ollama:qwen2.5:3b", ("ollama", "qwen2.5:3b")),
        ("openai:http://127.0.0.1:8000/v1#mistral", ("openai", "mistral")),
        ("llamacpp:http://127.0.0.1:8080", ("llama.cpp", "llamacpp:http://127.0.0.1:8080")),
        ("langchain:mistralai/small", ("mistral_ai", "small")),
        ("my own chat", ("my own chat", "my own chat")),
    ],
)
def test_a_model_is_told_by_provider_and_name(spec: str, told: tuple[str, str]) -> None:
    assert model_of(spec) == told
