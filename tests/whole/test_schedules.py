"""A schedule decides what runs at the same time, never what happens."""

from dataclasses import replace
from pathlib import Path

from history.digest import digest
from history.folder import RunFolder
from history.reader import RunReader
from tests.whole.lives import DAY, begin, differing, live, lived, parts, standin
from world.run_request import RunRequest

NOON = DAY // 2


def digest_of(folder: RunFolder) -> str:
    with RunReader(folder) as reader:
        return digest(reader)


def test_serial_and_lockstep_give_the_same_day_with_talks(
    day: RunFolder, small: RunRequest, tmp_path: Path
) -> None:
    serial = lived(tmp_path, "serial", replace(small, schedule="serial"), DAY)
    assert differing(parts(day), parts(serial)) == []
    assert digest_of(day) == digest_of(serial)
    with RunReader(day) as reader:
        assert reader.talks()
        assert reader.watermark() == DAY // 10 - 1


def test_serial_and_lockstep_give_the_same_day_in_the_shipped_town(tmp_path: Path) -> None:
    lockstep = lived(tmp_path, "lockstep", RunRequest(cast=3, seed=5), DAY)
    serial = lived(tmp_path, "serial", RunRequest(cast=3, seed=5, schedule="serial"), DAY)
    assert differing(parts(lockstep), parts(serial)) == []
    with RunReader(lockstep) as reader:
        assert reader.talks()


def test_mistakes_and_repairs_are_the_same_under_both_schedules(
    small: RunRequest, tmp_path: Path
) -> None:
    clumsy = replace(small, fast="standin:mistakes=0.3")
    found = [
        parts(_clumsy(tmp_path, name, replace(clumsy, schedule=name)))
        for name in ("serial", "lockstep")
    ]
    assert differing(*found) == []


def _clumsy(runs: Path, name: str, asked: RunRequest) -> RunFolder:
    chat = standin(asked.seed, "standin:mistakes=0.3")
    folder = begin(runs, name, asked, chat)
    live(folder, NOON, chat)
    with RunReader(folder) as reader:
        outcomes = {step.outcome for step in reader.steps()}
    assert {"clean", "repaired"} <= outcomes
    return folder


def test_the_same_seed_gives_the_same_day_and_another_seed_another(
    small: RunRequest, tmp_path: Path
) -> None:
    first, again = (lived(tmp_path, name, small, NOON) for name in ("first", "again"))
    other = lived(tmp_path, "other", replace(small, seed=1), NOON)
    assert digest_of(first) == digest_of(again)
    assert digest_of(first) != digest_of(other)
