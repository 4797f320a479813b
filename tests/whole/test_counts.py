"""Every count of a run, wherever it is read: the reader, the tables, Chroma."""

import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from smolville.graphs.loop.ledger import OUTCOMES
from smolville.history.counts import Counts, by_agent, by_step
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.memory_store import MemoryStore
from smolville.history.reader import RunReader
from smolville.models.embedding.embedder import open_embedder
from smolville.reports.analysis import analyse
from smolville.reports.health import health, plain_line
from smolville.reports.metrics import metrics
from smolville.world.run_request import RunRequest
from tests.fixtures.warm import run_warm
from tests.whole.lives import AFTERNOON, HOUR, begin, live, standin

ROOT = Path(__file__).parents[2]
MISTAKES = "standin:mistakes=0.5"


@pytest.fixture(scope="module")
def clumsy(tmp_path_factory: pytest.TempPathFactory, small: RunRequest) -> RunFolder:
    """A day of a model that makes mistakes, lived in two pieces."""
    folder = begin(tmp_path_factory.mktemp("clumsy"), "clumsy", small, standin(spec=MISTAKES))
    for until in (11 * HOUR, AFTERNOON):
        live(folder, until, standin(spec=MISTAKES))
    return folder


@pytest.fixture
def reader(clumsy: RunFolder) -> Iterator[RunReader]:
    """Its history."""
    with RunReader(clumsy) as opened:
        yield opened


def rows(reader: RunReader, query: str) -> int:
    """The one number that a query gives."""
    number: int = reader.connection.execute(query).fetchone()[0]
    return number


def test_outcomes_sum_to_steps_and_attempts_to_calls(reader: RunReader) -> None:
    counts = reader.counts()
    for part in counts.values():
        assert sum(part.outcomes.values()) == part.steps
        assert part.attempts == part.calls
    whole = Counts.summed(counts.values())
    assert whole.steps == rows(reader, "SELECT COUNT(*) FROM steps") == len(reader.steps())
    assert whole.attempts == rows(reader, "SELECT SUM(attempts) FROM steps")
    assert whole.calls == rows(reader, "SELECT COUNT(*) FROM calls")
    assert whole.outcomes == {
        outcome: rows(reader, f"SELECT COUNT(*) FROM steps WHERE outcome = '{outcome}'")
        for outcome in OUTCOMES
    }
    assert whole.outcomes["repaired"] > 0
    assert whole.outcomes["clean"] > 0
    assert whole.attempts > whole.steps
    assert reader.faults() == []


def test_sums_by_agent_and_by_step_are_sums_of_the_same(reader: RunReader) -> None:
    counts = reader.counts()
    whole = Counts.summed(counts.values())
    for sums in (by_agent(counts), by_step(counts)):
        again = Counts.summed(sums.values())
        assert (again.steps, again.calls, again.outcomes) == (
            *(whole.steps, whole.calls),
            whole.outcomes,
        )
        assert again.prompt_tokens == whole.prompt_tokens


def test_calls_readings_and_steps_belong_together(reader: RunReader) -> None:
    owners = {(thought.agent, thought.tick) for thought in reader.thoughts()}
    talks = {talk.id for talk in reader.talks()}
    for step in reader.steps():
        assert step.owner in talks or (step.owner, step.tick) in owners
    accepted = rows(reader, "SELECT COUNT(*) FROM readings WHERE accepted")
    ended = Counter(step.outcome for step in reader.steps())
    assert accepted == sum(ended.values()) - ended["fallback"]
    assert rows(reader, "SELECT COUNT(*) FROM readings") == rows(
        reader, "SELECT COUNT(*) FROM calls"
    )
    for agent, tick in sorted(owners)[::17]:
        thought = reader.thought(agent, tick)
        assert thought is not None
        for view in thought.steps:
            assert len(view.attempts) == view.record.attempts
            assert all(attempt.reading is not None for attempt in view.attempts)


def test_the_ledger_adds_up_to_the_calls_recorded(reader: RunReader) -> None:
    found = health(reader)
    assert found.faults == ()
    line = plain_line(found.total)
    assert line["attempts"] == rows(reader, "SELECT COUNT(*) FROM calls")
    assert line["steps_taken"] == rows(reader, "SELECT COUNT(*) FROM steps")
    assert line["prompt_tokens"] == rows(reader, "SELECT SUM(prompt_tokens) FROM calls")
    assert line["completion_tokens"] == rows(reader, "SELECT SUM(completion_tokens) FROM calls")
    assert line["unfinished"] == 0
    assert sum(found.total.repaired_after.values()) == line["repaired"]
    for group in (found.steps, found.agents, found.models):
        again = Counts.summed(group.values())
        assert plain_line(again)["attempts"] == line["attempts"]
        assert again.outcomes == found.total.outcomes
    assert list(found.models) == [MISTAKES]


def test_every_rejected_reply_has_a_reason(reader: RunReader) -> None:
    wrong = rows(reader, "SELECT COUNT(*) FROM readings WHERE NOT accepted")
    assert wrong > 0
    found = {each.key: each.count for each in analyse(reader)}
    cut = rows(reader, "SELECT COUNT(*) FROM calls WHERE finish = 'length'")
    assert found["cut_answer"] >= cut > 0
    others = ("repeated", "fallback", "wake", "low_activity", "slow")
    assert sum(count for key, count in found.items() if key not in others) >= wrong


def test_the_metrics_are_of_the_calls_recorded(reader: RunReader) -> None:
    calls = rows(reader, "SELECT COUNT(*) FROM calls")
    files = metrics(reader, None)
    counts, tokens = files["function_name_count.json"], files["function_name_token.json"]
    details, fails = files["detail_info.json"], files["function_name_fail_count.json"]
    assert isinstance(counts, dict) and isinstance(tokens, dict) and isinstance(fails, dict)
    assert isinstance(details, list)
    assert sum(counts.values()) == len(details) == calls
    assert {name: len(each) for name, each in tokens.items()} == counts
    total = health(reader).total
    told = sum(sum(each) for each in tokens.values())
    assert told == total.prompt_tokens + total.completion_tokens
    assert sum(fails.values()) == rows(reader, "SELECT COUNT(*) FROM readings WHERE NOT accepted")
    assert "talk.say" in counts


def test_killed_in_a_thought_what_was_paid_for_counts(small: RunRequest, tmp_path: Path) -> None:
    folder = begin(tmp_path, "killed", small)
    command = [
        "-m",
        "tests.whole.child",
        str(tmp_path),
        "killed",
        str(AFTERNOON),
        "journal-after",
        "25",
    ]
    child = run_warm(command, ROOT)
    assert child.returncode == -signal.SIGKILL, child.stderr[-2000:]
    with RunReader(folder) as reader:
        killed = health(reader)
        files = metrics(reader, None)
    assert killed.faults == ()
    line = plain_line(killed.total)
    assert line["attempts"] == 25
    assert line["unfinished"] == 25 - killed.total.attempts > 0
    details = files["detail_info.json"]
    assert isinstance(details, list) and len(details) == 25
    live(folder, AFTERNOON)
    with RunReader(folder) as reader:
        whole = health(reader)
    assert (whole.faults, whole.total.unfinished) == ((), 0)
    assert whole.total.recorded > 25


def test_talks_agree_wherever_they_are_told(reader: RunReader) -> None:
    talks = reader.talks()
    assert talks
    assert len(talks) == rows(reader, "SELECT COUNT(*) FROM talks")
    assert sum(len(talk.lines) for talk in talks) == rows(reader, "SELECT COUNT(*) FROM lines")
    said = [step for step in reader.steps() if step.step == "say"]
    assert len(said) == sum(len(talk.lines) for talk in talks)
    for talk in talks:
        assert len(talk.participants) == 2
        for name in talk.participants:
            assert talk in reader.talks(name)
            (deed,) = [
                deed
                for deed in reader.deeds(name)
                if deed.action.kind == "talk"
                and deed.outcome == "accepted"
                and deed.action.start == talk.start
            ]
            assert deed.action.end == talk.end
            assert deed.action.partners == talk.others(name)
    concluded = [step for step in reader.steps() if step.step == "conclude_talk"]
    assert len(concluded) == 2 * len(talks)


def test_memories_agree_in_the_history_and_in_chroma(clumsy: RunFolder) -> None:
    with RunReader(clumsy) as reader:
        by_name = {name: reader.memories(name) for name in clumsy.spec.cast}
        assert sum(map(len, by_name.values())) == rows(reader, "SELECT COUNT(*) FROM memories")
        changed = sum(len(reader.changes(name)) for name in clumsy.spec.cast)
        assert changed == rows(reader, "SELECT SUM(json_array_length(memories)) FROM changes")
    with clumsy.lock(), History(clumsy) as history:
        made = history.memories_of_all()
        dimension = open_embedder(clumsy.spec.models.embedder).dimension
        store = MemoryStore(clumsy, clumsy.spec.models.embedder, dimension)
        assert (
            store.reconcile(made, lambda texts: np.zeros((len(texts), dimension), np.float32)) == []
        )
        assert store.count() == len(made)
        stored = store.load([memory.id for memory in made])
        store.close()
    assert len(stored) == len(made)
    told = {memory.id for memories in by_name.values() for memory in memories}
    assert {memory.id for memory in made} == told
