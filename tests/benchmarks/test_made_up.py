"""A made-up history is one like any other, and the same each time."""

from pathlib import Path

import pytest

from benchmarks import made_up
from smolville.history.digest import digest
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader


def test_equal_wishes_give_equal_histories(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_up.main([str(tmp_path), "one", "--agents", "6", "--hours", "1"])
    assert "6 people" in capsys.readouterr().out
    made_up.make_up(tmp_path, "two", agents=6, hours=1)
    made_up.make_up(tmp_path, "three", agents=6, hours=1, seed=1)
    found = []
    for name in ("one", "two", "three"):
        with RunReader(RunFolder.open(tmp_path, name)) as reader:
            assert reader.faults() == []
            assert reader.watermark() == 8 * 360 - 1
            assert len(reader.positions(8 * 360)) == 6
            found.append(digest(reader))
    assert found[0] == found[1] != found[2]


def test_names_are_made_up_for_many_and_no_more() -> None:
    assert len(set(made_up.names(made_up.MOST))) == made_up.MOST
    with pytest.raises(SystemExit, match="1 to 1024"):
        made_up.names(made_up.MOST + 1)
