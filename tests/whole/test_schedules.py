"""A schedule decides what runs at the same time, never what happens."""

from dataclasses import replace
from pathlib import Path

from smolville.history.digest import digest
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.world.run_request import RunRequest
from tests.whole.golden_lives import LIVES, kept
from tests.whole.lives import DAY, HOUR, begin, differing, live, lived, parts, standin


def digest_of(folder: RunFolder) -> str:
    with RunReader(folder) as reader:
        return digest(reader)


def test_another_schedule_gives_the_same_day_with_talks(tmp_path: Path) -> None:
    life = LIVES["small"]
    assert (life.asked.schedule, life.until) == ("lockstep", DAY)
    other = replace(life, asked=replace(life.asked, schedule="free")).lived(tmp_path, "small")
    assert differing(kept("small"), parts(other)) == [], "test_golden has the day in lockstep"
    with RunReader(other) as reader:
        assert reader.talks()
        assert reader.watermark() == DAY // 10 - 1


def test_mistakes_and_repairs_are_the_same_under_every_schedule(
    small: RunRequest, tmp_path: Path
) -> None:
    clumsy = replace(small, fast="standin:mistakes=0.3")
    serial, free = (
        parts(_clumsy(tmp_path, name, replace(clumsy, schedule=name)))
        for name in ("serial", "free")
    )
    assert differing(serial, free) == []


def _clumsy(runs: Path, name: str, asked: RunRequest) -> RunFolder:
    chat = standin(asked.seed, "standin:mistakes=0.3")
    folder = begin(runs, name, asked, chat)
    live(folder, 11 * HOUR, chat)
    with RunReader(folder) as reader:
        outcomes = {step.outcome for step in reader.steps()}
    assert {"clean", "repaired"} <= outcomes
    return folder


def test_the_same_seed_gives_the_same_day_and_another_seed_another(
    small: RunRequest, tmp_path: Path
) -> None:
    nine = 9 * HOUR
    first, again = (lived(tmp_path, name, small, nine) for name in ("first", "again"))
    other = lived(tmp_path, "other", replace(small, seed=1), nine)
    assert digest_of(first) == digest_of(again)
    assert digest_of(first) != digest_of(other)
