"""A made-up history is one like any other, and the same each time."""

from pathlib import Path

from benchmarks.made_up import make_up, names
from smolville.history.digest import digest
from smolville.history.reader import RunReader


def test_equal_wishes_give_equal_histories(tmp_path: Path) -> None:
    found = []
    for name, seed in (("one", 0), ("two", 0), ("three", 1)):
        with RunReader(make_up(tmp_path, name, agents=6, hours=1, seed=seed)) as reader:
            assert reader.faults() == []
            assert reader.watermark() == 8 * 360 - 1
            assert len(reader.positions(8 * 360)) == 6
            found.append(digest(reader))
    assert found[0] == found[1] != found[2]
    assert len(set(names(500))) == 500
