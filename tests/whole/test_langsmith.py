"""A run of the shipped town in LangSmith, from the command to the stored trees."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.langsmith_server import Receiver, serve_langsmith
from tests.fixtures.loopback import free_port
from tests.whole.traced_runs import digest, folder_of, outline, run, said, smolville, spans, traced

WRONG = ("repaired", "escalated", "fallback", "failed")


@pytest.fixture
def smith() -> Iterator[Receiver]:
    with serve_langsmith() as receiver:
        yield receiver


def test_a_half_day_is_in_langsmith_as_it_is_in_the_history(
    smith: Receiver, tmp_path: Path
) -> None:
    done = run(tmp_path, env=traced(smith), hours=10)
    history, posted = spans(tmp_path), smith.trees()
    assert said(done) == [f"{len(history):,} traces sent to LangSmith, town."]
    kept, sent = map(outline, history), (tree.outline() for tree in posted)
    assert sorted(map(_unordered, kept)) == sorted(map(_unordered, sent))
    # LangChain's own tracer took no part: every run is one of ours.
    assert len(smith.bodies) == sum(len(list(tree.walk())) for tree in history)
    threads = {tree.metadata["thread_id"] for tree in posted}
    assert {f"amber/{name}" for name in folder_of(tmp_path).spec.cast} <= threads
    assert {"clean", "repaired"} <= {tree.metadata["outcome"] for tree in posted}
    _check_why_she_spoke_to_him(smith)
    smith.bodies.clear()
    smolville(tmp_path, "trace", "amber", "--langsmith", env=traced(smith))
    assert {tree.id for tree in smith.trees()} == {tree.id for tree in posted}


def _unordered(outline: list[Any]) -> str:
    name, *steps = outline
    return str([name, *sorted(steps, key=str)])


def _check_why_she_spoke_to_him(smith: Receiver) -> None:
    posted = smith.runs()
    talk = next(tree for tree in smith.trees() if "participants" in tree.inputs)
    she, he, *_ = talk.inputs["participants"]
    assert talk.outputs["lines"][0].startswith(f"{she}: ")
    [react] = [
        each
        for each in posted.values()
        if each.name == "react" and each.metadata["moment"] == talk.metadata["begun_by"]
    ]
    assert react.metadata["agent"] == she
    assert react.outputs["answer"]["person"] == he
    reason = react.outputs["answer"]["reason"].rstrip(".")
    assert reason in talk.metadata["why"]
    [recall] = [each for each in react.walk() if each.run_type == "retriever"]
    model = [each for each in react.walk() if each.run_type == "llm"][-1]
    [prompt, *_] = [each for each in react.walk() if each.run_type == "prompt"]
    assert he in str(prompt.inputs["people"])
    assert prompt.outputs["messages"] == model.inputs["messages"]
    assert reason in model.outputs["messages"][0]["content"]
    for each in recall.outputs["documents"]:
        assert each["page_content"] in model.inputs["messages"][1]["content"]


def test_the_settings_file_and_dotenv_are_enough_and_no_key_is_kept(
    smith: Receiver, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text(
        f"LANGSMITH_API_KEY={smith.key}\nLANGSMITH_ENDPOINT={smith.url}\n", encoding="utf-8"
    )
    (tmp_path / "smolville.toml").write_text('trace = "failures"\n', encoding="utf-8")
    run(tmp_path, hours=9)
    wrong = {tree.name for tree in spans(tmp_path) if tree.metadata["outcome"] in WRONG}
    assert {tree.name for tree in smith.trees()} == wrong != set()
    for path in (path for path in (tmp_path / "runs").rglob("*") if path.is_file()):
        assert smith.key[:8].encode() not in path.read_bytes(), path


def test_where_nobody_listens_the_morning_is_the_same_and_one_sentence_says_so(
    tmp_path: Path,
) -> None:
    (tmp_path / "bare").mkdir()
    (tmp_path / "deaf").mkdir()
    run(tmp_path / "bare", hours=7)
    env = {
        "LANGSMITH_TRACING": "true",
        "LANGSMITH_API_KEY": "lsv2_pt_nowhere",
        "LANGSMITH_ENDPOINT": f"http://127.0.0.1:{free_port()}",
    }
    deaf = run(tmp_path / "deaf", env=env, hours=7)
    assert said(deaf) == [
        "Not all traces arrived in LangSmith: no connection. "
        "Send them later with: smolville trace amber --langsmith"
    ]
    assert digest(tmp_path / "deaf") == digest(tmp_path / "bare")
    assert "lsv2" not in deaf.stdout + deaf.stderr


def test_without_a_key_or_with_off_nothing_is_sent(smith: Receiver, tmp_path: Path) -> None:
    done = run(tmp_path, env={**traced(smith), "LANGSMITH_API_KEY": ""}, hours=1)
    assert said(done) == []
    again = ("run", "amber", "--resume", "--for", "1h", "--trace")
    assert said(smolville(tmp_path, *again, "off", env=traced(smith))) == []
    assert said(smolville(tmp_path, *again, "thoughts")) == [
        "Nothing is sent to LangSmith: there is no LANGSMITH_API_KEY in the environment or .env."
    ]
    done = smolville(tmp_path, "interview", "amber", "Nadia", "How are you?", env=traced(smith))
    assert "Nadia" in done.stdout
    assert smith.asked == []
