"""Beginning another run from a moment of one."""

from pathlib import Path

import pytest

from smolville.agents.errors import RunError
from smolville.history.cut import fork
from smolville.history.digest import digest_parts
from smolville.history.drafting import new_run
from smolville.history.folder import RunFolder, list_runs
from smolville.history.history import History
from smolville.history.inbox import Inbox, OperatorRequest
from smolville.history.memory_store import MemoryStore
from smolville.history.reader import RunReader
from tests.history.made_up import CAST, batch, embed, lived, spec, write


def parts(folder: RunFolder) -> dict[str, str]:
    with RunReader(folder) as reader:
        return digest_parts(reader)


def stopped_at(tmp_path: Path, tick: int) -> RunFolder:
    return lived(new_run(tmp_path / f"stopped-{tick}", spec()), range(tick + 1))


def forked(folder: RunFolder, tick: int) -> RunFolder:
    return fork(folder.path.parent, folder.name, "brisk-heron", tick)


@pytest.mark.parametrize("tick", [0, 5, 11])
def test_a_fork_is_the_run_that_stopped_there_and_goes_on_like_it(
    folder: RunFolder, tmp_path: Path, tick: int
) -> None:
    lived(folder, range(12))
    cut = forked(folder, tick)
    assert parts(cut) == parts(stopped_at(tmp_path, tick))
    with RunReader(cut) as reader:
        assert reader.watermark() == tick
        assert reader.faults() == []
        assert reader.interventions(after=tick) == []
        assert reader.connection.execute("SELECT MAX(tick) FROM calls").fetchone() == (tick,)
    lived(cut, range(tick + 1, 14))
    assert parts(cut) == parts(stopped_at(tmp_path, 13))


@pytest.mark.parametrize("tick", [-1, 12])
def test_a_moment_outside_of_the_run_is_refused(folder: RunFolder, tick: int) -> None:
    lived(folder, range(12))
    with pytest.raises(RunError, match=r"goes to 1 00:02; .* choose a moment it has reached"):
        forked(folder, tick)
    assert list_runs(folder.path.parent) == ["amber-otter"]


def test_a_wish_that_is_cut_away_does_not_come_back(folder: RunFolder) -> None:
    with Inbox(folder) as inbox, History(folder) as history:
        inbox.put(OperatorRequest(kind="whisper", target=CAST[0], text="run"))
        for tick in range(3):
            made = batch(tick)
            made.interventions = inbox.take(history.intervention_ids, tick + 1) if tick == 1 else []
            history.commit(made)
    cut = forked(folder, 1)
    with Inbox(cut) as inbox, History(cut) as history:
        assert history.interventions() == []
        assert inbox.take(history.intervention_ids, 3) == []


def test_a_fork_shares_the_past_and_nothing_else(folder: RunFolder, tmp_path: Path) -> None:
    runs = folder.path.parent
    lived(folder, range(12))
    whole = parts(folder)
    other = fork(runs, "amber-otter", "brisk-heron", 7)
    assert other == RunFolder.open(runs, "brisk-heron")
    assert (other.spec.forked_from, other.spec.forked_at) == ("amber-otter", 7)
    assert other.spec.cast == folder.spec.cast
    assert parts(other) == parts(stopped_at(tmp_path, 7))
    lived(other, range(8, 10))
    assert parts(folder) == whole
    with Inbox(other) as inbox:
        assert inbox.waiting() == []


def test_a_fork_of_a_running_owner_works_at_its_watermark(
    folder: RunFolder, tmp_path: Path
) -> None:
    runs = folder.path.parent
    with folder.lock(), History(folder) as history:
        write(history, range(6))
        other = fork(runs, folder.name, "brisk-heron", 5)
        write(history, range(6, 9))
        with pytest.raises(RunError, match=r"taken in \S+; choose another name$"):
            fork(runs, folder.name, "brisk-heron", 5)
    assert parts(other) == parts(stopped_at(tmp_path, 5))
    assert parts(folder) == parts(stopped_at(tmp_path, 8))


def test_the_memories_of_a_fork_are_copied_and_cut(folder: RunFolder) -> None:
    lived(folder, range(8))
    with History(folder) as history:
        store = MemoryStore(folder, "words", 8)
        store.reconcile(history.memories_of_all(), embed)
        store.close()
    other = fork(folder.path.parent, folder.name, "brisk-heron", 5)
    with History(other) as history:
        store = MemoryStore(other, "words", 8)
        rows = history.memories_of_all()
        assert store.reconcile(rows, embed) == ["dropped 4 memories that no commit holds"]
        assert len(store.load([row.id for row in rows])) == len(rows)
        store.close()
