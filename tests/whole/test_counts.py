"""Every count of a run, wherever it is read: the reader, the tables, Chroma."""

import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from smolville.graphs.loop.ledger import OUTCOMES
from smolville.history.counts import Counts
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.memory_store import MemoryStore
from smolville.history.reader import RunReader
from smolville.models.embedding.embedder import open_embedder
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
