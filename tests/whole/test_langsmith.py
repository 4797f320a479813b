"""A run of the shipped town in LangSmith, from the command to the stored trees."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.lab.tracing.span import Span
from tests.fixtures.langsmith_posted import Posted
from tests.fixtures.langsmith_server import Receiver, serve_langsmith
from tests.fixtures.loopback import free_port
from tests.whole.traced_runs import (
    ANSWER,
    digest,
    folder_of,
    outline,
    run,
    said,
    smolville,
    spans,
    traced,
)

QUOTA = 5000
"""Traces of a month without paying."""
PIECES = {"recall", "render", "parse"}
LATER = "Send them later with: smolville trace amber --langsmith thoughts"
WRONG = ("repaired", "escalated", "fallback", "failed")


@pytest.fixture
def smith() -> Iterator[Receiver]:
    with serve_langsmith() as receiver:
        yield receiver


def test_a_half_day_is_in_langsmith_as_it_is_in_the_history(
    smith: Receiver, tmp_path: Path
) -> None:
    done = run(tmp_path, env=traced(smith))
    history = spans(tmp_path)
    posted = smith.trees()
    assert said(done) == [f"{len(history):,} traces sent to LangSmith, project town."]
    kept, sent = map(outline, history), (tree.outline() for tree in posted)
    assert sorted(map(_unordered, kept)) == sorted(map(_unordered, sent))
    assert {run.body["session_name"] for run in smith.runs().values()} == {"town"}
    outcomes = {tree.metadata["outcome"] for tree in posted}
    assert {"", "clean", "repaired"} <= outcomes
    for tree in posted:
        _check(tree)
    threads = {tree.metadata["thread_id"] for tree in posted}
    assert {f"amber/{name}" for name in folder_of(tmp_path).spec.cast} <= threads
    # LangChain's own tracer took no part: every run is one of ours.
    assert len(smith.bodies) == sum(_count(tree) for tree in history)
    _check_why_she_spoke_to_him(smith)
    _check_what_planned_an_act(smith)
    talk = next(tree for tree in posted if "participants" in tree.metadata)
    words = ("trace", "amber", talk.metadata["thought"])
    shown = smolville(tmp_path, *words, env=traced(smith)).stdout
    assert f"/r/{talk.id}?poll=true" in "".join(shown.split())
    assert "langsmith" not in smolville(tmp_path, *words).stdout.lower()


def _unordered(outline: list[Any]) -> str:
    """An outline whose steps may come in any order: some are taken side by side."""
    name, *steps = outline
    return str([name, *sorted(steps, key=str)])


def _check_why_she_spoke_to_him(smith: Receiver) -> None:
    """From the posted runs alone: who began, for what reason, and what came to mind."""
    posted = smith.runs()
    talk = next(tree for tree in smith.trees() if "participants" in tree.metadata)
    she, he, *_ = talk.inputs["participants"]
    assert talk.outputs["lines"][0].startswith(f"{she}: ")
    thought = posted[talk.metadata["caused_by_run"]]
    assert thought.metadata["agent"] == she
    [react] = [step for step in thought.children if step.name == "react"]
    assert react.outputs["answer"]["person"] == he
    assert he in str(react.inputs["people"])
    reason = react.outputs["answer"]["reason"].rstrip(".")
    assert reason in talk.metadata["why"]
    assert reason in thought.metadata["why"]
    [recall] = [each for each in react.children if each.run_type == "retriever"]
    model = [each for each in react.walk() if each.run_type == "llm"][-1]
    assert reason in model.outputs["messages"][0]["content"]
    assert recall.outputs["documents"]
    for each in recall.outputs["documents"]:
        assert each["page_content"] in model.inputs["messages"][1]["content"]
        assert {"time", "score", "recency", "importance", "relevance"} <= each["metadata"].keys()


def _check_what_planned_an_act(smith: Receiver) -> None:
    """An act's trace points to the thought that planned it, and to the step in it."""
    posted = smith.runs()
    acts = [tree for tree in smith.trees() if "planned_by" in tree.metadata]
    for act in acts:
        thought = posted[act.metadata["caused_by_run"]]
        moments = [step.metadata["moment"] for step in thought.children]
        assert act.metadata["planned_by"] in moments
    assert any(act.metadata["caused_by_run"] != act.id for act in acts)


def _count(span: Span) -> int:
    return 1 + sum(map(_count, span.children))


def _check(tree: Posted) -> None:
    """A tree is well formed: step → recall, render, attempt → model call and parse."""
    if tree.metadata["outcome"]:
        assert tree.feedback["outcome"]["value"] == tree.metadata["outcome"]
    for step in tree.children:
        names = [child.name for child in step.children]
        attempts = [child for child in step.children if child.name not in PIECES]
        assert names.count("render") == 1
        assert [each.name for each in attempts] == [
            f"attempt {n + 1}" for n in range(step.metadata["attempts"])
        ]
        score = step.feedback["clean"]["score"]
        assert score == (1 if step.metadata["outcome"] == "clean" else 0)
        assert {"template", "model", "tier", "memories", "moment"} <= step.metadata.keys()
        for attempt in attempts:
            model, *parse = attempt.children
            assert model.run_type == "llm"
            assert [each.run_type for each in parse] == ["parser"]
            assert parse[0].metadata["accepted"] is not bool(parse[0].error)
            assert model.size < 40_000
    small = [each.size for each in tree.walk() if each.run_type != "llm"]
    assert sum(small) / len(small) < 4000


def test_failures_alone_are_sent_when_so_asked(smith: Receiver, tmp_path: Path) -> None:
    env = {**traced(smith), "LANGSMITH_TRACING": "false"}
    done = run(tmp_path, "--trace", "failures", env=env, hours=10)
    wrong = {tree.name for tree in spans(tmp_path) if tree.metadata["outcome"] in WRONG}
    assert {tree.name for tree in smith.trees()} == wrong
    assert wrong
    assert f"{len(smith.trees())} traces sent" in done.stderr


def test_what_is_sampled_always_holds_the_failures(smith: Receiver, tmp_path: Path) -> None:
    env = {**traced(smith), "LANGSMITH_TRACING_SAMPLING_RATE": "0.2"}
    run(tmp_path, env=env, hours=10)
    history = spans(tmp_path)
    wrong = {tree.name for tree in history if tree.metadata["outcome"] in WRONG}
    posted = {tree.name for tree in smith.trees()}
    assert wrong < posted
    assert len(posted - wrong) < 0.5 * len(history)


def test_the_settings_file_and_dotenv_are_enough(smith: Receiver, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(
        f"LANGSMITH_API_KEY={smith.key}\nLANGSMITH_ENDPOINT={smith.url}\n", encoding="utf-8"
    )
    (tmp_path / "smolville.toml").write_text('trace = "hours"\n', encoding="utf-8")
    done = run(tmp_path, hours=9)
    names = {tree.name for tree in smith.trees() if "thoughts" in tree.metadata}
    assert "Nadia Farouk · 08:00" in names
    assert "project smolville." in done.stderr
    for path in (path for path in (tmp_path / "runs").rglob("*") if path.is_file()):
        held = path.read_bytes()
        assert smith.key.encode() not in held, path
        assert smith.key[:8].encode() not in held, path


def test_a_day_of_25_by_hours_is_a_fraction_of_the_free_quota(
    crowd_morning: RunFolder, smith: Receiver, tmp_path: Path
) -> None:
    words = ("trace", "morning", "--langsmith", "hours", "--runs", str(crowd_morning.path.parent))
    smolville(tmp_path, *words, env=traced(smith))
    trees = smith.trees()
    hours = [tree for tree in trees if "thoughts" in tree.metadata]
    talks = len(trees) - len(hours)
    with RunReader(crowd_morning) as reader:
        thoughts = len(reader.thoughts())
        assert talks == len(reader.talks())
    assert sum(len(tree.children) for tree in hours) == thoughts
    # 24 hours of 25 people at the most, and ten times the talks of this morning.
    assert 24 * 25 + 10 * talks < QUOTA / 2
    assert len(hours) <= 10 * 25
    assert len(hours) < thoughts / 2


def test_where_nobody_listens_the_morning_is_the_same_and_one_sentence_says_so(
    tmp_path: Path,
) -> None:
    (tmp_path / "bare").mkdir()
    (tmp_path / "deaf").mkdir()
    bare = run(tmp_path / "bare", hours=10)
    env = {
        "LANGSMITH_TRACING": "true",
        "LANGSMITH_API_KEY": "lsv2_pt_nowhere",
        "LANGSMITH_ENDPOINT": f"http://127.0.0.1:{free_port()}",
    }
    deaf = run(tmp_path / "deaf", env=env, hours=10)
    count = len(spans(tmp_path / "deaf"))
    assert said(deaf) == [
        f"0 traces sent to LangSmith, project smolville; {count} not sent: no connection. {LATER}"
    ]
    assert digest(tmp_path / "deaf") == digest(tmp_path / "bare")
    assert len(deaf.stderr.splitlines()) == len(bare.stderr.splitlines()) + 1
    assert "lsv2" not in deaf.stdout + deaf.stderr


def test_a_server_that_never_answers_holds_nothing_up(smith: Receiver, tmp_path: Path) -> None:
    smith.hang()
    done = run(tmp_path, env={**traced(smith), ANSWER: "0.3"}, hours=9)
    count = len(spans(tmp_path))
    assert said(done) == [
        f"0 traces sent to LangSmith, project town; {count} not sent: it did not answer in time. "
        f"{LATER}"
    ]
    assert "Traceback" not in done.stderr


def test_what_was_not_sent_is_sent_later(smith: Receiver, tmp_path: Path) -> None:
    run(tmp_path, hours=9)
    env = traced(smith)
    done = smolville(tmp_path, "trace", "amber", "--langsmith", "thoughts", env=env)
    history = spans(tmp_path)
    assert done.stdout == f"{len(history)} traces sent to LangSmith, project town.\n"
    assert {tree.name for tree in smith.trees()} == {tree.name for tree in history}
    smith.bodies.clear()
    env |= {"SMOLVILLE_TRACE_MASK": "personas"}
    smolville(tmp_path, "trace", "amber", "--langsmith", "thoughts", env=env)
    told = str(list(smith.bodies.values()))
    assert "Person 1 · " in told
    assert "Nadia" not in told
    assert "Farouk" not in told


def test_without_a_key_nothing_is_sent_and_nothing_said(smith: Receiver, tmp_path: Path) -> None:
    env = {**traced(smith), "LANGSMITH_API_KEY": ""}
    done = run(tmp_path, env=env, hours=7)
    assert said(done) == []
    assert smith.asked == []
    log = (tmp_path / "runs" / "amber" / "run.log").read_text(encoding="utf-8")
    assert "langsmith" not in log.lower()


def test_a_trace_asked_for_without_a_key_is_one_sentence_and_the_run_goes_on(
    tmp_path: Path,
) -> None:
    done = run(tmp_path, "--trace", "hours", hours=7)
    assert said(done) == [
        "Nothing is sent to LangSmith: there is no LANGSMITH_API_KEY in the environment or .env."
    ]


def test_off_is_off_whatever_the_environment_asks(smith: Receiver, tmp_path: Path) -> None:
    done = run(tmp_path, "--trace", "off", env=traced(smith), hours=7)
    assert said(done) == []
    assert smith.asked == []


def test_an_interview_is_not_traced_by_anybody(smith: Receiver, tmp_path: Path) -> None:
    run(tmp_path, hours=7)
    done = smolville(tmp_path, "interview", "amber", "Nadia", "How are you?", env=traced(smith))
    assert "Nadia" in done.stdout
    assert smith.asked == []
