"""Which traces are chosen, and how they are sent behind a run's back."""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from smolville.history.observers import RunObserver, RunObservers
from smolville.history.reader import RunReader
from smolville.lab.tracing.langsmith import sender as senders
from smolville.lab.tracing.langsmith import tree_sender as lines
from smolville.lab.tracing.langsmith.sender import TraceSender, UploadResult, post_run, quiet
from smolville.lab.tracing.langsmith.target import LangSmithTarget
from smolville.lab.tracing.langsmith.tree_sender import NotSent, TreeSender
from smolville.lab.tracing.listing import HOUR, Key, Mode, TraceRow, TraceSelector, list_traces
from smolville.lab.tracing.span import Span
from smolville.world.run_request import RunRequest
from tests.fixtures.langsmith_server import Receiver, serve_langsmith
from tests.fixtures.loopback import free_port
from tests.fixtures.waiting import HANGING, until
from tests.whole.lives import begin, live, standin

WRONG = ("repaired", "escalated", "fallback", "failed")


@pytest.fixture
def smith() -> Iterator[Receiver]:
    with serve_langsmith() as receiver, quiet():
        yield receiver


def target(smith: Receiver, rate: float = 1.0) -> LangSmithTarget:
    return LangSmithTarget(key=smith.key, url=smith.url, rate=rate)


def chosen(reader: RunReader, mode: Mode, rate: float = 1.0) -> list[Key]:
    choice = TraceSelector(run=reader.spec.name, mode=mode, rate=rate)
    return [*choice.select_traces(list_traces(reader)), *choice.finished_hours()]


@pytest.fixture
def thoughts(reader: RunReader) -> list[TraceRow]:
    """The thoughts of the run."""
    return [each for each in list_traces(reader) if each.kind == "thought"]


@contextmanager
def sending(folder: RunFolder, line: TreeSender, most: int = 100) -> Iterator[TraceSender]:
    traces = TraceSender(folder, line, "thoughts", most)
    yield traces
    traces.finish(0.0)


def test_failures_are_the_trees_in_which_something_went_wrong(
    clumsy: RunFolder, trees: list[Span]
) -> None:
    wrong = {tree.name for tree in trees if tree.metadata["outcome"] in WRONG}
    with serve_langsmith() as smith:
        assert post_run(clumsy, target(smith), "failures") == UploadResult(sent=len(wrong))
        assert {tree.name for tree in smith.trees()} == wrong
    assert 0 < len(wrong) < len(trees) / 2


def test_a_share_is_always_the_same_and_holds_all_that_went_wrong(reader: RunReader) -> None:
    wrong, some, whole = (
        set(chosen(reader, "failures")),
        set(chosen(reader, "thoughts", 0.3)),
        set(chosen(reader, "thoughts")),
    )
    assert wrong < some < whole
    assert some == set(chosen(reader, "thoughts", 0.3))
    assert some <= set(chosen(reader, "thoughts", 0.6))
    share = len(some - wrong) / len(whole - wrong)
    assert 0.1 < share < 0.5
    assert set(chosen(reader, "thoughts", 0.0)) == wrong


def test_hours_hold_every_thought_once(
    clumsy: RunFolder, reader: RunReader, trees: list[Span]
) -> None:
    with serve_langsmith() as smith:
        sent = post_run(clumsy, target(smith), "hours")
        posted = smith.trees()
    hours = {(row.agent, row.at // HOUR) for row in reader.thoughts()}
    assert sent.sent == len(posted) == len(hours) + len(reader.talks())
    grouped = [tree for tree in posted if "thoughts" in tree.metadata]
    assert {tree.name for tree in grouped} == {f"{who} · {at:02d}:00" for who, at in hours}
    beneath = sorted(child.name for tree in grouped for child in tree.children)
    assert beneath == sorted(tree.name for tree in trees if tree.kind == "thought")
    for tree in grouped:
        assert tree.metadata["thread_id"] == f"clumsy/{tree.metadata['agent']}"
        assert {child.metadata["agent"] for child in tree.children} == {tree.metadata["agent"]}


def test_a_share_of_hours_keeps_those_with_a_repair(reader: RunReader, trees: list[Span]) -> None:
    kept = chosen(reader, "hours", 0.0)
    wrong = {
        (tree.metadata["agent"], tree.metadata["tick"] * reader.spec.tick_seconds // HOUR)
        for tree in trees
        if tree.kind == "thought" and tree.metadata["outcome"] in WRONG
    }
    assert {(owner, number) for kind, owner, number in kept if kind == "hour"} == wrong


@pytest.mark.parametrize("mode", ["thoughts", "hours", "failures"])
def test_a_run_that_lives_sends_what_its_history_would(
    mode: Mode, tmp_path_factory: pytest.TempPathFactory, clumsy: RunFolder
) -> None:
    chat = standin(spec="standin:mistakes=0.5")
    asked = RunRequest(town=Path(clumsy.spec.town), cast=2)
    folder = begin(tmp_path_factory.mktemp("live"), "alive", asked, chat)
    with serve_langsmith() as smith, quiet():
        traces = TraceSender(folder, TreeSender(target(smith, rate=0.5)), mode)
        live(folder, 13 * HOUR, chat, RunObservers((RunObserver(), traces)))
        sent = traces.finish(HANGING)
        alive = dict(smith.bodies)
        smith.bodies.clear()
        assert post_run(folder, target(smith, rate=0.5), mode) == sent
    assert sent.sent > 0
    assert sent.missed == 0
    assert smith.bodies == alive


def test_an_outage_is_made_up_for(
    clumsy: RunFolder, thoughts: list[TraceRow], smith: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(senders, "SHORTEST", 0.05)
    monkeypatch.setattr(senders, "GATHER", 0.01)
    smith.status = 500
    with sending(clumsy, TreeSender(target(smith))) as sender:
        sender.take(thoughts[:10])
        until(lambda: smith.asked.count("GET /info") >= 3, "the third try")
        smith.status = 0
        sender.take(thoughts[10:30])
        assert sender.finish(HANGING) == UploadResult(sent=30)
    assert len(smith.trees()) == 30


class Ending(TreeSender):
    """Whose n-th try is on its way when the run ends, and is lost then, like those before it."""

    ending: Callable[[], bool]

    def __init__(self, to: LangSmithTarget, tries: int) -> None:
        super().__init__(to)
        self.tries = tries
        self.begun = threading.Event()

    def send(self, trees: Iterable[Span], people: Iterable[str] = ()) -> None:
        if self.tries > 1:
            self.tries -= 1
            raise NotSent("it answered 500")
        if not self.begun.is_set():
            self.begun.set()
            until(self.ending, "the end of the run")
            raise NotSent("it answered 500")
        super().send(trees, people)


@pytest.mark.parametrize("tries", [1, 2, 3])
def test_a_batch_lost_while_the_run_ends_has_one_more_try(
    clumsy: RunFolder,
    thoughts: list[TraceRow],
    smith: Receiver,
    monkeypatch: pytest.MonkeyPatch,
    tries: int,
) -> None:
    monkeypatch.setattr(senders, "GATHER", 0.0)
    monkeypatch.setattr(senders, "SHORTEST", 0.01)
    line = Ending(target(smith), tries)
    sender = TraceSender(clumsy, line, "thoughts")
    line.ending = sender.ending.is_set
    sender.take(thoughts[:6])
    assert line.begun.wait(HANGING)
    assert sender.finish(HANGING) == UploadResult(sent=6)


def test_a_fault_of_our_own_is_not_taken_for_the_servers(
    clumsy: RunFolder, smith: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(reader: RunReader, key: Key) -> Span:
        raise ZeroDivisionError("a fault in a tree")

    monkeypatch.setattr(senders, "tree_of", broken)
    with pytest.raises(ZeroDivisionError, match="a fault in a tree"):
        post_run(clumsy, target(smith), "thoughts")


def test_a_refused_key_is_not_tried_again(
    clumsy: RunFolder, thoughts: list[TraceRow], smith: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(senders, "GATHER", 0.01)
    with sending(clumsy, TreeSender(LangSmithTarget(key="lsv2_wrong", url=smith.url))) as sender:
        sender.take(thoughts[:1])
        until(lambda: sender.is_over, "the refusal")
        asked = len(smith.asked)
        sender.take(thoughts[1:6])
        assert sender.finish(HANGING) == UploadResult(missed=6, why="the key was refused")
    assert len(smith.asked) == asked


def test_a_full_queue_loses_what_comes_next_and_counts_it(
    clumsy: RunFolder, thoughts: list[TraceRow]
) -> None:
    nowhere = LangSmithTarget(key="k", url=f"http://127.0.0.1:{free_port()}")
    with quiet(), sending(clumsy, TreeSender(nowhere), most=8) as sender:
        sender.take(thoughts[:30])
        sent = sender.finish(HANGING)
    assert (sent.sent, sent.missed) == (0, 30)
    assert sent.why == "no connection"


def test_the_end_comes_although_the_server_never_answers(
    clumsy: RunFolder, thoughts: list[TraceRow], smith: Receiver
) -> None:
    smith.hang()
    with sending(clumsy, TreeSender(target(smith)), len(thoughts)) as sender:
        sender.take(thoughts)
        sent = sender.finish(0.5)
    assert sent.sent == 0
    assert sent.missed == len(thoughts)
    assert sent.why


class Tiring(TreeSender):
    """To a server that takes the first batch and answers nothing from then on."""

    smith: Receiver
    has_sent = False

    def send(self, trees: Iterable[Span], people: Iterable[str] = ()) -> None:
        if self.has_sent:
            self.smith.hang()
        super().send(trees, people)
        self.has_sent = True


def test_a_server_that_stops_answering_has_what_it_took_and_the_rest_is_counted(
    clumsy: RunFolder, thoughts: list[TraceRow], smith: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(senders, "BATCH", 5)
    line = Tiring(target(smith))
    line.smith = smith
    sender = TraceSender(clumsy, line, "thoughts")
    sender.take(thoughts)
    until(lambda: line.has_sent, "the first batch")
    sent = sender.finish(0.5)
    assert (sent.sent, sent.missed) == (5, len(thoughts) - 5)
    assert len(smith.trees()) == 5


def test_nothing_to_send_opens_nothing(clumsy: RunFolder, smith: Receiver) -> None:
    traces = TraceSender(clumsy, TreeSender(target(smith)), "failures")
    assert traces.finish() == UploadResult()
    assert smith.asked == []


def test_what_is_posted_of_a_history_stops_where_nobody_listens(
    clumsy: RunFolder, reader: RunReader
) -> None:
    nowhere = LangSmithTarget(key="k", url=f"http://127.0.0.1:{free_port()}")
    sent = post_run(clumsy, nowhere)
    assert (sent.sent, sent.why) == (0, "no connection")
    assert sent.missed == len(reader.thoughts()) + len(reader.talks())


def test_the_clients_words_go_into_the_log_without_any_part_of_the_key(
    trees: list[Span], caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with quiet(), caplog.at_level("INFO", "smolville"):
        with serve_langsmith() as gone:
            line = TreeSender(target(gone))
            line.send(trees[:1])
        with pytest.raises(lines.NotSent, match="no connection"):
            line.send(trees[:1])
        line.close()
    assert "langsmith.client: " in caplog.text
    assert gone.key[:5] not in caplog.text
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (UploadResult(), ""),
        (UploadResult(sent=1), "1 trace sent to LangSmith, project p."),
        (UploadResult(sent=2000), "2,000 traces sent to LangSmith, project p."),
        (
            UploadResult(sent=3, missed=4, why="no connection"),
            "3 traces sent to LangSmith, project p; 4 not sent: no connection.",
        ),
    ],
)
def test_what_became_of_the_traces_is_one_sentence(sent: UploadResult, sentence: str) -> None:
    assert sent.describe("p") == sentence
