"""Trees through the official client to a server that keeps them, and what becomes of trouble."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from smolville.lab.tracing.langsmith import tree_sender as lines
from smolville.lab.tracing.langsmith.sender import quiet
from smolville.lab.tracing.langsmith.target import LangSmithTarget
from smolville.lab.tracing.langsmith.tree_sender import NotSent, TreeSender
from smolville.lab.tracing.span import Span
from tests.fixtures.langsmith_posted import when
from tests.fixtures.langsmith_server import Receiver, serve_langsmith
from tests.fixtures.loopback import free_port
from tests.fixtures.waiting import until
from tests.lab.tracing.conftest import everything


@pytest.fixture
def smith() -> Iterator[Receiver]:
    with serve_langsmith() as receiver, quiet():
        yield receiver


@pytest.fixture
def line(smith: Receiver) -> Iterator[TreeSender]:
    opened = TreeSender(LangSmithTarget(key=smith.key, url=smith.url))
    yield opened
    opened.close()


def outline(span: Span) -> list[Any]:
    return [span.name, *(outline(child) for child in span.children)]


def test_what_arrives_is_the_tree(repaired: Span, line: TreeSender, smith: Receiver) -> None:
    line.send([repaired])
    [tree] = smith.trees()
    assert tree.outline() == outline(repaired)
    for span, run in zip(everything(repaired), tree.walk(), strict=True):
        assert run.id == str(UUID(span.id))
        assert run.body["session_name"] == "smolville"
        assert run.tags == list(span.tags)
        assert run.error == span.error
        assert run.metadata.items() >= span.metadata.items()
        assert when(run.body["start_time"]) == pytest.approx(span.start, abs=1e-5)
        assert when(run.body["end_time"]) == pytest.approx(span.end, abs=1e-5)
        if span.kind == "step":
            assert run.feedback["outcome"]["value"] == span.metadata["outcome"]
    assert tree.feedback["clean"]["score"] == 0
    assert tree.feedback["clean"]["session_id"] == smith.projects["smolville"]["id"]


def test_runs_and_feedback_go_together_and_packed(
    trees: list[Span], line: TreeSender, smith: Receiver
) -> None:
    line.send(trees[:20])
    posts = [asked for asked in smith.asked if asked.startswith("POST") and "sessions" not in asked]
    assert set(posts) == {"POST /runs/multipart"}
    assert len(posts) <= 1 + (len(smith.bodies) + len(smith.marks)) // 25
    assert len(smith.trees()) == 20
    plain = sum(run.size for run in smith.runs().values())
    assert smith.size < plain / 3


def test_what_is_posted_twice_is_one(repaired: Span, line: TreeSender, smith: Receiver) -> None:
    line.send([repaired])
    first = dict(smith.bodies)
    again = TreeSender(line.target)
    again.send([repaired])
    again.close()
    assert smith.bodies == first
    assert len({mark["id"] for mark in smith.marks}) == len(smith.marks) / 2


def test_the_project_is_made_once_and_found_again(
    repaired: Span, line: TreeSender, smith: Receiver
) -> None:
    line.send([repaired])
    line.send([repaired])
    again = TreeSender(line.target)
    again.send([repaired])
    again.close()
    assert smith.asked.count("POST /sessions") == 1
    assert list(smith.projects) == ["smolville"]


def test_what_the_environment_hides_is_not_sent(repaired: Span, smith: Receiver) -> None:
    target = LangSmithTarget(key=smith.key, url=smith.url, hidden=("inputs", "outputs"))
    line = TreeSender(target)
    line.send([repaired])
    line.close()
    assert all(not run.inputs and not run.outputs for run in smith.runs().values())


def test_a_receiver_that_knows_only_traces_gets_them(
    repaired: Span, line: TreeSender, smith: Receiver
) -> None:
    smith.unknown = ("/info", "/sessions", "/feedback")
    line.send([repaired])
    [tree] = smith.trees()
    assert tree.outline() == outline(repaired)
    assert not tree.feedback


def test_a_server_that_tells_no_project_gets_the_traces_and_is_told_as_what_it_is(
    repaired: Span, line: TreeSender, smith: Receiver
) -> None:
    smith.is_mute = True
    line.send([repaired])
    [tree] = smith.trees()
    assert tree.outline() == outline(repaired)
    assert line.note.startswith("it answered 202 to the question for the project without telling")
    with pytest.raises(NotSent, match="it has no project 'smolville' yet"):
        line.link(repaired)


def test_an_answer_that_is_no_langsmiths_is_told_as_that(
    repaired: Span, line: TreeSender, smith: Receiver
) -> None:
    smith.info = ["some", "page"]  # type: ignore[assignment]
    with pytest.raises(NotSent, match="it answered 200 and is no LangSmith"):
        line.send([repaired])


def test_a_link_is_the_projects_with_the_runs_id(
    repaired: Span, line: TreeSender, smith: Receiver
) -> None:
    line.send([repaired])
    project = smith.projects["smolville"]
    [tree] = smith.trees()
    path = f"/o/{project['tenant_id']}/projects/p/{project['id']}/r/{tree.id}?poll=true"
    assert line.link(repaired).endswith(path)


def test_a_talk_links_to_the_thought_that_began_it(
    trees: list[Span], line: TreeSender, smith: Receiver
) -> None:
    talk = next(each for each in trees if each.kind == "talk")
    thought = next(each for each in trees if talk.cause and each.id == talk.cause.root)
    line.send([thought, talk])
    posted = smith.runs()
    told = next(each.metadata for each in posted.values() if each.name == talk.name)
    assert posted[told["caused_by_run"]].name == thought.name
    assert told["caused_by_url"].endswith(f"/r/{told['caused_by_run']}")


@pytest.mark.parametrize(("status", "is_final"), [(500, False), (429, False), (401, True)])
def test_an_answer_that_is_none_is_told(
    status: int, is_final: bool, repaired: Span, line: TreeSender, smith: Receiver
) -> None:
    line.send([repaired])
    smith.status = status
    with pytest.raises(NotSent) as caught:
        line.send([repaired])
    said = "the key was refused" if is_final else f"it answered {status}"
    assert (str(caught.value), caught.value.is_final) == (said, is_final)
    smith.status = 0
    line.send([repaired])


def test_a_wrong_key_is_found_out_at_once(repaired: Span, smith: Receiver) -> None:
    line = TreeSender(LangSmithTarget(key="lsv2_wrong", url=smith.url))
    with pytest.raises(NotSent, match="the key was refused") as caught:
        line.send([repaired])
    line.close()
    assert caught.value.is_final
    assert not smith.bodies


def test_where_nobody_listens_it_is_told(repaired: Span) -> None:
    line = TreeSender(LangSmithTarget(key="k", url=f"http://127.0.0.1:{free_port()}"))
    with quiet(), pytest.raises(NotSent, match="no connection") as caught:
        line.send([repaired])
    assert not caught.value.is_final
    line.close()


def test_a_server_that_hangs_is_not_waited_for(
    repaired: Span, line: TreeSender, smith: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    line.send([repaired])
    smith.hang()
    with monkeypatch.context() as hasty:
        hasty.setattr(lines, "ANSWER", 0.3)
        with pytest.raises(NotSent, match="it did not answer in time"):
            line.send([repaired])
    smith.release()
    line.send([replace(repaired, name="after")])
    assert smith.trees()[0].name == "after"


def test_no_request_lasts_beyond_the_end(repaired: Span, line: TreeSender, smith: Receiver) -> None:
    line.send([repaired])
    smith.hang()
    line.ends = time.monotonic() + 0.4
    with pytest.raises(NotSent):
        line.send([repaired])


def test_after_the_end_nothing_is_asked(repaired: Span, line: TreeSender, smith: Receiver) -> None:
    line.ends = time.monotonic()
    with pytest.raises(NotSent, match="there was no time left"):
        line.send([repaired])
    assert smith.asked == []


def test_a_closed_line_leaves_no_thread_behind(repaired: Span, smith: Receiver) -> None:
    before = set(threading.enumerate())
    line = TreeSender(LangSmithTarget(key=smith.key, url=smith.url))
    line.send([repaired])
    line.close()
    until(
        lambda: all("ThreadPool" in each.name for each in set(threading.enumerate()) - before),
        "the end of the client's threads",
    )
