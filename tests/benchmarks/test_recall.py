"""The benchmark of recall, on few memories."""

import json

import pytest

from benchmarks import recall


def test_the_last_line_has_the_times_of_every_size(capsys: pytest.CaptureFixture[str]) -> None:
    recall.main(["--sizes", "40,200", "--pairs", "2"])
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert list(found) == ["40", "200"]
    for figures in found.values():
        assert set(figures) == {
            "recall_us",
            "numpy_us",
            "more_us",
            "ratio",
            "keywords_us",
            "keywords_ratio",
        }


def test_both_recall_the_same_memories() -> None:
    pair = recall.Pair(500)
    for number in range(8):
        bare = [f"Ada Moss/{index}/perceive/0/0" for index in pair.bare(number)]
        ours = pair.recall(number)
        assert len(ours) == recall.COUNT
        assert len(set(ours) ^ set(bare)) <= 2, "rounding may swap the last ones only"
